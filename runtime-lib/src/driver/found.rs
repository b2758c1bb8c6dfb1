//! Schedules that keep the tapes of steps: they take long to find, so that they are kept for the next time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use costate_schedules::action::{Action, Budget};
use costate_schedules::dynamic::{self, TooSmall, Transfer};

/// What moving a snapshot to or from the disk is taken to cost: as much as a step, most of it while others run.
const TRANSFER: Transfer = Transfer { write: 1.0, read: 1.0 };

/// Schedules of more steps aren't kept: the list of their actions would be long.
const MOST_STEPS: u64 = 20_000;

/// So many schedules are kept.
const KEPT: usize = 8;

/// A number of steps, what they may use, and the schedule for it.
type Found = ((u64, Budget), Arc<[Action]>);

static FOUND: Mutex<VecDeque<Found>> = Mutex::new(VecDeque::new());

fn found() -> MutexGuard<'static, VecDeque<Found>> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The actions of the schedule with the fewest forward steps.
pub(super) fn actions(steps: u64, budget: Budget) -> Result<Box<dyn Iterator<Item = Action> + Send>, TooSmall> {
    if steps > MOST_STEPS {
        return Ok(Box::new(dynamic::schedule(steps, budget, TRANSFER)?));
    }
    let key = (steps, budget);
    let known = found().iter().find(|f| f.0 == key).map(|f| f.1.clone());
    let actions = match known {
        Some(actions) => actions,
        None => {
            let new: Arc<[Action]> = dynamic::schedule(steps, budget, TRANSFER)?.collect();
            let mut found = found();
            found.truncate(KEPT - 1);
            found.push_front((key, new.clone()));
            new
        }
    };
    Ok(Box::new((0..actions.len()).map(move |i| actions[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_the_same_again() {
        for slots in [3, 5, 3, 5, 3] {
            let found: Vec<Action> = actions(40, Budget::slots(slots)).expect("slots enough").collect();
            let new = dynamic::schedule(40, Budget::slots(slots), TRANSFER).expect("slots enough");
            assert_eq!(found, new.collect::<Vec<_>>());
        }
        assert!(actions(2, Budget::slots(0)).is_err());
    }

    #[test]
    fn few_schedules_are_kept() {
        for steps in 100..130 {
            assert!(actions(steps, Budget::slots(9)).is_ok());
        }
        assert!(found().len() <= KEPT);
    }
}
