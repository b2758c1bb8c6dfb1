//! Which copies of an array are up to date while a device has one, and what statements do to that. A lattice of six states and
//! monotone functions on it, so that what a procedure does is the composition and the join of what its statements do (a
//! distributive framework in the sense of Kildall, POPL 1973).

/// Which copies of an array are up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Current {
    /// That of the host and that of the device.
    Both,
    /// That of the device.
    Device,
    /// That of the device, and the host's where the program has brought a part up to date.
    DeviceAndPart,
    /// The host's.
    Host,
    /// The host's in a part that it has changed, the device's elsewhere.
    Parted,
    /// It isn't known where, or values were used that weren't up to date.
    Unknown,
}

impl Current {
    const ALL: [Current; 6] =
        [Current::Both, Current::Device, Current::DeviceAndPart, Current::Host, Current::Parted, Current::Unknown];

    /// True for a state from which one update makes both copies the same.
    pub(super) fn is_of_one_side(self) -> bool {
        !matches!(self, Current::Parted | Current::Unknown)
    }

    /// The state that allows what both states allow.
    fn join(self, other: Current) -> Current {
        use Current as C;
        match (self, other) {
            (a, b) if a == b => a,
            (C::Both, x) | (x, C::Both) => x,
            (C::Device, C::DeviceAndPart) | (C::DeviceAndPart, C::Device) => C::Device,
            (C::Host | C::DeviceAndPart | C::Parted, C::Host | C::DeviceAndPart | C::Parted) => C::Parted,
            _ => C::Unknown,
        }
    }
}

/// What is done with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The host reads elements.
    HostReads,
    /// The host reads elements of a part that it has changed, or that was brought there.
    HostReadsPart,
    /// The host changes elements.
    HostWrites,
    /// The host gives all elements new values.
    HostSets,
    /// The device reads elements.
    DeviceReads,
    /// The device changes elements.
    DeviceWrites,
    /// One of both reads elements.
    EitherReads,
    /// One of both changes elements.
    EitherWrites,
    /// The host's copy is brought up to date.
    ToHost,
    /// A part of it is.
    PartToHost,
    /// The device's copy is brought up to date.
    ToDevice,
    /// The part of it is that the host has changed.
    PartToDevice,
    /// Another part of it is.
    OtherToDevice,
    /// It is put on the device with the host's values, if it isn't there.
    Entered,
    /// It is put on the device without values, if it isn't there.
    Created,
    /// It is taken off the device without its values, if nothing else has put it there.
    Dropped,
}

/// What a statement or a procedure makes of each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    /// Whatever the program itself has on a device.
    states: [Current; 6],
    /// Where the program itself has the array there: what its directives bring up to date is so behind them.
    there: [Current; 6],
}

impl Flow {
    /// What leaves an array as it is.
    pub(super) const NOTHING: Flow = Flow { states: Current::ALL, there: Current::ALL };
    /// What may do anything.
    pub(super) const ANYTHING: Flow = Flow { states: [Current::Unknown; 6], there: [Current::Unknown; 6] };

    /// The state behind, given the one before.
    pub(super) fn behind(self, before: Current) -> Current {
        self.states[before as usize]
    }

    /// The same of an array that the program itself has on the device.
    pub(super) fn behind_there(self, before: Current) -> Current {
        self.there[before as usize]
    }

    /// The same with what another one does to an array that the program has there, and with the state behind if it was up to date on
    /// both sides.
    pub(super) fn with_there(mut self, other: Flow, behind: Current) -> Flow {
        self.there = other.there;
        self.there[Current::Both as usize] = behind;
        self
    }

    /// The same with what else is known of an array that was up to date on both sides: the states behind, in general and where the
    /// program has it there.
    pub(super) fn with_states(mut self, state: Current, there: Current) -> Flow {
        self.states[Current::Both as usize] = state;
        self.there[Current::Both as usize] = there;
        self
    }

    /// This and then the other.
    pub(super) fn then(self, next: Flow) -> Flow {
        Flow {
            states: self.states.map(|state| next.behind(state)),
            there: self.there.map(|state| next.behind_there(state)),
        }
    }

    /// One of both.
    pub(super) fn join(self, other: Flow) -> Flow {
        let mut out = self;
        out.states.iter_mut().zip(other.states).for_each(|(a, b)| *a = a.join(b));
        out.there.iter_mut().zip(other.there).for_each(|(a, b)| *a = a.join(b));
        out
    }

    /// This, and then the part of the device's copy that it changed on the host is brought up to date. What was changed there
    /// before it may be another part.
    pub(super) fn brought(self) -> Flow {
        use Current as C;
        let (mut out, part) = (self.then(Use::OtherToDevice.into()), Flow::from(Use::PartToDevice));
        for before in [C::Both, C::Device, C::DeviceAndPart] {
            out.states[before as usize] = part.behind(self.behind(before));
            out.there[before as usize] = part.behind_there(self.behind_there(before));
        }
        out
    }

    /// The same where it is done with a part of an array: the rest stays as it is.
    pub(super) fn of_part(self) -> Flow {
        let part = |states: [Current; 6]| Current::ALL.map(|before| of_part(before, states[before as usize]));
        Flow { states: part(self.states), there: part(self.there) }
    }
}

/// The state of an array of which a part was in a state and is in another one.
fn of_part(before: Current, after: Current) -> Current {
    use Current as C;
    match (before, after) {
        (C::Unknown, _) | (_, C::Unknown) => C::Unknown,
        (C::Both, after) => after,
        (C::Device, C::Both) => C::DeviceAndPart,
        (C::Device | C::DeviceAndPart, C::Host) => C::Parted,
        (C::DeviceAndPart, C::Both) => C::DeviceAndPart,
        (C::Host, C::Both) => C::Host,
        (C::Host | C::Parted, C::Device | C::DeviceAndPart) => C::Unknown,
        (C::Parted, _) => C::Parted,
        (_, after) => after,
    }
}

impl From<Use> for Flow {
    fn from(done: Use) -> Flow {
        use Current::{Both as B, Device as D, DeviceAndPart as DP, Host as H, Parted as P, Unknown as U};
        // In the order of the states.
        let states = match done {
            Use::HostReads | Use::Dropped => [B, U, U, H, U, U],
            Use::HostReadsPart => [B, U, DP, H, P, U],
            Use::HostWrites | Use::Created => [H, U, P, H, P, U],
            Use::HostSets => [H, H, H, H, H, U],
            Use::DeviceReads => [B, D, DP, U, U, U],
            Use::DeviceWrites => [D, D, D, U, U, U],
            Use::EitherReads => [B, U, U, U, U, U],
            Use::EitherWrites => [U; 6],
            Use::Entered => Current::ALL,
            Use::ToHost => [B, B, B, U, U, U],
            Use::PartToHost => [B, DP, DP, P, P, U],
            Use::ToDevice => [B, U, U, B, U, U],
            Use::PartToDevice => [B, U, DP, B, DP, U],
            Use::OtherToDevice => [B, U, DP, H, P, U],
        };
        let there = match done {
            Use::HostReads | Use::HostReadsPart | Use::DeviceReads | Use::EitherReads => Current::ALL,
            Use::Created | Use::Dropped => Current::ALL,
            Use::HostWrites => [H, P, P, H, P, U],
            Use::ToHost | Use::ToDevice => [B; 6],
            Use::Entered => [B, D, DP, B, P, U],
            Use::PartToDevice => [B, D, DP, B, DP, U],
            Use::OtherToDevice => [B, D, DP, H, P, U],
            _ => states,
        };
        Flow { states, there }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USES: [Use; 16] = [
        Use::HostReads,
        Use::HostReadsPart,
        Use::HostWrites,
        Use::HostSets,
        Use::DeviceReads,
        Use::DeviceWrites,
        Use::EitherReads,
        Use::EitherWrites,
        Use::ToHost,
        Use::PartToHost,
        Use::ToDevice,
        Use::PartToDevice,
        Use::OtherToDevice,
        Use::Entered,
        Use::Created,
        Use::Dropped,
    ];

    fn all(list: &[Use]) -> Flow {
        list.iter().fold(Flow::NOTHING, |flow, u| flow.then(Flow::from(*u)))
    }

    #[test]
    fn joins_are_least_upper_bounds() {
        for a in Current::ALL {
            assert_eq!(a.join(a), a);
            for b in Current::ALL {
                assert_eq!(a.join(b), b.join(a));
                for c in Current::ALL {
                    assert_eq!(a.join(b).join(c), a.join(b.join(c)), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_done_keeps_the_order_of_states() {
        for u in USES {
            for flow in [Flow::from(u), Flow::from(u).of_part()] {
                for a in Current::ALL {
                    for b in Current::ALL {
                        for behind in [Flow::behind, Flow::behind_there] {
                            let (joined, apart) = (behind(flow, a.join(b)), behind(flow, a).join(behind(flow, b)));
                            assert_eq!(joined.join(apart), joined, "{u:?} of {a:?} and {b:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_the_program_brings_up_to_date_is_so_where_it_has_the_array() {
        let flow = all(&[Use::DeviceWrites, Use::PartToHost, Use::HostWrites, Use::ToDevice]);
        assert_eq!(flow.behind(Current::Both), Current::Unknown);
        assert_eq!(flow.behind_there(Current::Both), Current::Both);
        let made = all(&[Use::Created, Use::DeviceWrites, Use::ToHost, Use::Dropped]);
        assert_eq!(made.behind(Current::Both), Current::Unknown);
        assert_eq!(made.behind_there(Current::Device), Current::Both);
    }

    #[test]
    fn work_of_the_host_between_updates_leaves_the_device_current() {
        let whole = all(&[Use::ToHost, Use::HostWrites, Use::ToDevice, Use::DeviceWrites]);
        assert_eq!(whole.behind(Current::Device), Current::Device);
        let part = all(&[Use::PartToHost, Use::HostWrites, Use::PartToDevice]);
        assert_eq!(part.behind(Current::Device), Current::DeviceAndPart);
        let other = all(&[Use::PartToHost, Use::HostWrites, Use::OtherToDevice]);
        assert_eq!(other.behind(Current::Device), Current::Parted);
    }

    #[test]
    fn work_on_both_sides_without_updates_is_unknown() {
        assert_eq!(all(&[Use::HostWrites, Use::DeviceReads]).behind(Current::Both), Current::Unknown);
        assert_eq!(all(&[Use::HostWrites, Use::DeviceWrites, Use::ToHost]).behind(Current::Both), Current::Unknown);
        assert_eq!(all(&[Use::DeviceWrites, Use::HostReads]).behind(Current::Both), Current::Unknown);
        assert_eq!(all(&[Use::PartToHost, Use::HostReads]).behind(Current::Device), Current::Unknown);
        assert_eq!(all(&[Use::PartToHost, Use::HostReads]).behind(Current::Both), Current::Both);
    }
}
