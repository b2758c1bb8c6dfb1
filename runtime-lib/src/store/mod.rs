//! Snapshots: the state of a loop at the start of a step, as a sequence of arrays.
//!
//! A snapshot is written and read array by array, in the same order. It is in memory or on [disk](self::disk).

pub(crate) mod buffer;
mod codec;
pub(crate) mod disk;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use costate_schedules::action::{Slot, Tier};
use costate_schedules::dynamic::TooSmall;

use crate::stats::{self, Bytes};
use buffer::{Buffer, NoMemory};
use disk::Disk;

/// What a disk was asked for when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// To make a file.
    Open,
    /// To write a snapshot.
    Write,
    /// To read a snapshot.
    Read,
}

/// A snapshot can't be kept or can't be had back.
#[derive(Debug)]
pub enum Failure {
    /// No memory is left.
    NoMemory(NoMemory),
    /// The disk failed.
    Disk {
        /// What was to be done.
        doing: Doing,
        /// Where.
        folder: PathBuf,
        /// Bytes to be written or read.
        bytes: usize,
        /// Bytes of snapshots on disk, of the whole process.
        held: usize,
        /// The system's answer.
        why: io::Error,
    },
    /// No schedule fits the budget.
    Budget(TooSmall),
    /// Arrays are not read as they were written, or there is no such schedule.
    Misuse(String),
}

impl Failure {
    fn disk(doing: Doing, folder: &Path, bytes: usize, why: io::Error) -> Self {
        Self::Disk { doing, folder: folder.into(), bytes, held: stats::DISK.now(), why }
    }
}

impl From<NoMemory> for Failure {
    fn from(why: NoMemory) -> Self {
        Self::NoMemory(why)
    }
}

impl From<TooSmall> for Failure {
    fn from(why: TooSmall) -> Self {
        Self::Budget(why)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMemory(NoMemory { asked, held }) => write!(
                f,
                "out of memory: a snapshot asked for {} ({asked}); all snapshots together hold {}, all tapes {}",
                Bytes(*asked),
                Bytes(*held),
                Bytes(stats::TAPES.now())
            ),
            Self::Disk { doing: Doing::Open, folder, why, .. } => {
                write!(f, "no file for snapshots can be made in {}: {why}", folder.display())
            }
            Self::Disk { doing, folder, bytes, held, why } => {
                let verb = if *doing == Doing::Write { "written to" } else { "read back from" };
                let folder = folder.display();
                write!(f, "a snapshot of {bytes} bytes can't be {verb} {folder}, where snapshots take {held}: {why}")
            }
            Self::Budget(why) => why.fmt(f),
            Self::Misuse(text) => f.write_str(text),
        }
    }
}

/// The snapshots of one schedule.
pub(crate) struct Store {
    memory: BTreeMap<usize, Arc<Buffer>>,
    disk: Option<Disk>,
    open: Option<Open>,
    /// Bytes of the largest snapshot so far: the next one will hardly differ.
    expected: usize,
    /// The memory of a snapshot that is given up isn't kept: it is for others.
    gives_back: bool,
}

/// The snapshot that is being written or read.
enum Open {
    Written { slot: Slot, bytes: Buffer },
    Read { bytes: Arc<Buffer>, at: usize },
}

/// Before each array stand its length in bytes and that of the gap before it.
const HEAD: usize = 2 * size_of::<u64>();

/// Arrays of so many bytes or more are put where [`gap`] says.
const LARGE: usize = 64 * 1024;

/// How far to move the place of a copy from `from` to `to`, so that the two don't begin at nearly the same place in a page:
/// processors take such stores and loads for the same, and the copy for one that is five times as slow.
fn gap(from: *const u8, to: *const u8) -> usize {
    const PAGE: usize = 4096;
    (from.addr() + PAGE / 2).wrapping_sub(to.addr()) % PAGE
}

impl Store {
    /// A store that keeps snapshots of the disk tier in a file in `folder`, compressed or not.
    pub(crate) fn new(folder: Option<&Path>, compress: bool) -> Result<Self, Failure> {
        let disk = folder.map(|folder| Disk::open(folder, compress)).transpose()?;
        Ok(Self { memory: BTreeMap::new(), disk, open: None, expected: 0, gives_back: false })
    }

    /// The same where what snapshots leave is for others of the program, such as tapes.
    pub(crate) fn giving_back(self) -> Self {
        Self { gives_back: true, ..self }
    }

    /// Starts a snapshot.
    pub(crate) fn write(&mut self, slot: Slot) -> Result<(), Failure> {
        self.open = Some(Open::Written { slot, bytes: Buffer::new(self.expected)? });
        Ok(())
    }

    /// Appends an array to the snapshot that was started.
    pub(crate) fn put(&mut self, array: &[u8]) -> Result<(), Failure> {
        let Some(Open::Written { bytes, .. }) = &mut self.open else {
            return Err(Failure::Misuse("an array was put where no snapshot is to be taken".into()));
        };
        let gap = if array.len() < LARGE { 0 } else { gap(array.as_ptr(), bytes.end().wrapping_add(HEAD)) };
        bytes.append(&(array.len() as u64).to_ne_bytes())?;
        bytes.append(&(gap as u64).to_ne_bytes())?;
        bytes.fill(bytes.bytes().len() + gap)?;
        Ok(bytes.append(array)?)
    }

    /// Opens a snapshot to be read.
    pub(crate) fn read(&mut self, slot: Slot) -> Result<(), Failure> {
        let bytes = match (slot.tier, &self.disk) {
            (Tier::Memory, _) => self.memory.get(&slot.index).cloned(),
            (Tier::Disk, disk) => disk.as_ref().map(|disk| disk.read(slot.index)).transpose()?.flatten(),
        };
        let bytes = bytes.ok_or_else(|| Failure::Misuse(format!("snapshot {} was not taken", slot.index)))?;
        self.open = Some(Open::Read { bytes, at: 0 });
        Ok(())
    }

    /// Reads the next array of the snapshot that was opened.
    pub(crate) fn get(&mut self, array: &mut [u8]) -> Result<(), Failure> {
        let Some(Open::Read { bytes, at }) = &mut self.open else {
            return Err(Failure::Misuse("an array was asked for where no snapshot is to be restored".into()));
        };
        let rest = &bytes.bytes()[*at..];
        let Some((head, rest)) = rest.split_first_chunk::<HEAD>() else {
            return Err(Failure::Misuse("more arrays were asked for than the snapshot holds".into()));
        };
        let (words, _) = head.as_chunks();
        let [length, gap] = [words[0], words[1]].map(|word| u64::from_ne_bytes(word) as usize);
        if length != array.len() {
            let wanted = array.len();
            let text = format!("an array of {wanted} bytes was asked for where one of {length} bytes was put");
            return Err(Failure::Misuse(text));
        }
        array.copy_from_slice(&rest[gap..gap + length]);
        *at += HEAD + gap + length;
        Ok(())
    }

    /// Ends the snapshot that is being written or read.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        match self.open.take() {
            None => {}
            Some(Open::Written { slot, bytes }) => {
                self.expected = self.expected.max(bytes.bytes().len());
                match (slot.tier, &self.disk) {
                    (Tier::Disk, Some(disk)) => disk.write(slot.index, bytes)?,
                    (Tier::Disk, None) => return Err(Failure::Misuse("a schedule has no folder for snapshots".into())),
                    (Tier::Memory, _) => drop(self.memory.insert(slot.index, Arc::new(bytes))),
                }
            }
            Some(Open::Read { bytes, at }) if at < bytes.bytes().len() => {
                return Err(Failure::Misuse("fewer arrays were asked for than the snapshot holds".into()));
            }
            Some(Open::Read { .. }) => {}
        }
        Ok(())
    }

    /// Gives a snapshot up.
    pub(crate) fn free(&mut self, slot: Slot) {
        match (slot.tier, &self.disk) {
            (Tier::Disk, Some(disk)) => disk.forget(slot.index),
            _ => {
                let bytes = self.memory.remove(&slot.index).and_then(Arc::into_inner);
                bytes.filter(|_| self.gives_back).into_iter().for_each(Buffer::give_back);
            }
        }
    }

    /// Says that a snapshot will be read soon.
    pub(crate) fn prefetch(&self, slot: Slot) {
        if let (Tier::Disk, Some(disk)) = (slot.tier, &self.disk) {
            disk.prefetch(slot.index);
        }
    }

    /// Gives all up, after what is to be written has been written.
    pub(crate) fn close(self) -> Result<(), Failure> {
        self.disk.map_or(Ok(()), Disk::close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misuse<T: fmt::Debug>(result: Result<T, Failure>) -> String {
        result.expect_err("misuse").to_string()
    }

    #[test]
    fn large_arrays_come_back() {
        let mut store = Store::new(None, false).expect("no file");
        let arrays: Vec<Vec<u8>> = (0..5u8).map(|i| vec![i; LARGE + 1000 * usize::from(i)]).collect();
        for _ in 0..3 {
            store.write(FIRST).expect("memory");
            arrays.iter().for_each(|array| store.put(array).expect("memory"));
            store.finish().expect("memory");
            store.read(FIRST).expect("a snapshot");
            for array in &arrays {
                let mut found = vec![9; array.len()];
                store.get(&mut found).expect("an array");
                assert!(found == *array);
            }
            store.finish().expect("all read");
        }
    }

    #[test]
    fn copies_begin_half_a_page_apart() {
        let bytes = [0u8; 9000];
        for (from, to) in [(0, 0), (0, 8), (4000, 1), (1, 4000), (0, 2048)] {
            let (from, to) = (&raw const bytes[from], &raw const bytes[to]);
            let to = to.wrapping_add(gap(from, to));
            assert_eq!(to.addr().wrapping_sub(from.addr()) % 4096, 2048);
        }
    }

    const FIRST: Slot = Slot { tier: Tier::Memory, index: 0 };

    #[test]
    fn arrays_come_back_from_both_tiers() {
        let mut store = Store::new(Some(&std::env::temp_dir()), false).expect("a file");
        for tier in [Tier::Memory, Tier::Disk] {
            for slot in 0..5u8 {
                store.write(Slot { tier, index: slot.into() }).expect("memory");
                store.put(&[slot; 100]).expect("memory");
                store.put(&[]).expect("memory");
                store.put(&[slot + 1; 7]).expect("memory");
                store.finish().expect("memory");
            }
        }
        for tier in [Tier::Disk, Tier::Memory] {
            for slot in (0..5u8).rev() {
                let (mut first, mut second) = ([0; 100], [0; 7]);
                store.read(Slot { tier, index: slot.into() }).expect("a snapshot");
                store.get(&mut first).expect("an array");
                store.get(&mut []).expect("an array");
                store.get(&mut second).expect("an array");
                store.finish().expect("all read");
                assert_eq!((first, second), ([slot; 100], [slot + 1; 7]));
            }
        }
        store.close().expect("all written");
    }

    #[test]
    fn a_mismatch_is_seen() {
        let mut store = Store::new(None, false).expect("no file");
        assert_eq!(misuse(store.put(&[1])), "an array was put where no snapshot is to be taken");
        store.write(FIRST).expect("memory");
        store.put(&[1; 40]).expect("memory");
        store.finish().expect("memory");
        assert_eq!(misuse(store.read(Slot { index: 1, ..FIRST })), "snapshot 1 was not taken");
        store.read(FIRST).expect("a snapshot");
        let text = misuse(store.get(&mut [0; 39]));
        assert_eq!(text, "an array of 39 bytes was asked for where one of 40 bytes was put");
        assert_eq!(misuse(store.finish()), "fewer arrays were asked for than the snapshot holds");
        store.read(FIRST).expect("a snapshot");
        store.get(&mut [0; 40]).expect("an array");
        assert_eq!(misuse(store.get(&mut [0])), "more arrays were asked for than the snapshot holds");
        store.finish().expect("all read");
        store.free(FIRST);
        assert_eq!(misuse(store.read(FIRST)), "snapshot 0 was not taken");
    }
}
