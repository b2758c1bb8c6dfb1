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
}

/// What a statement or a procedure makes of each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow([Current; 6]);

impl Flow {
    /// What leaves an array as it is.
    pub(super) const NOTHING: Flow = Flow(Current::ALL);
    /// What may do anything.
    pub(super) const ANYTHING: Flow = Flow([Current::Unknown; 6]);

    /// The state behind, given the one before.
    pub(super) fn behind(self, before: Current) -> Current {
        self.0[before as usize]
    }

    /// This and then the other.
    pub(super) fn then(self, next: Flow) -> Flow {
        Flow(self.0.map(|state| next.behind(state)))
    }

    /// One of both.
    pub(super) fn join(self, other: Flow) -> Flow {
        let mut out = self;
        out.0.iter_mut().zip(other.0).for_each(|(a, b)| *a = a.join(b));
        out
    }

    /// This, and then the part of the device's copy that it changed on the host is brought up to date. What was changed there
    /// before it may be another part.
    pub(super) fn brought(self) -> Flow {
        use Current as C;
        let mut out = self.then(Use::OtherToDevice.into());
        for before in [C::Both, C::Device, C::DeviceAndPart] {
            out.0[before as usize] = Flow::from(Use::PartToDevice).behind(self.behind(before));
        }
        out
    }

    /// The same where it is done with a part of an array: the rest stays as it is.
    pub(super) fn of_part(self) -> Flow {
        use Current as C;
        let behind = |before: C| match (before, self.behind(before)) {
            (C::Unknown, _) | (_, C::Unknown) => C::Unknown,
            (C::Both, after) => after,
            (C::Device, C::Both) => C::DeviceAndPart,
            (C::Device | C::DeviceAndPart, C::Host) => C::Parted,
            (C::DeviceAndPart, C::Both) => C::DeviceAndPart,
            (C::Host, C::Both) => C::Host,
            (C::Host | C::Parted, C::Device | C::DeviceAndPart) => C::Unknown,
            (C::Parted, _) => C::Parted,
            (_, after) => after,
        };
        Flow(Current::ALL.map(behind))
    }
}

impl From<Use> for Flow {
    fn from(done: Use) -> Flow {
        use Current::{Both as B, Device as D, DeviceAndPart as DP, Host as H, Parted as P, Unknown as U};
        // In the order of the states.
        Flow(match done {
            Use::HostReads => [B, U, DP, H, P, U],
            Use::HostWrites => [H, U, P, H, P, U],
            Use::HostSets => [H, H, H, H, H, U],
            Use::DeviceReads => [B, D, DP, U, U, U],
            Use::DeviceWrites => [D, D, D, U, U, U],
            Use::EitherReads => [B, U, U, U, U, U],
            Use::EitherWrites => [U; 6],
            Use::ToHost => [B, B, B, U, U, U],
            Use::PartToHost => [B, DP, DP, P, P, U],
            Use::ToDevice => [B, U, U, B, U, U],
            Use::PartToDevice => [B, U, DP, B, DP, U],
            Use::OtherToDevice => [B, U, DP, H, P, U],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USES: [Use; 12] = [
        Use::HostReads,
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
                        let (joined, apart) = (flow.behind(a.join(b)), flow.behind(a).join(flow.behind(b)));
                        assert_eq!(joined.join(apart), joined, "{u:?} of {a:?} and {b:?}");
                    }
                }
            }
        }
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
    }
}
