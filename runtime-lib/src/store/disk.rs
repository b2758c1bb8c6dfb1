//! Snapshots on disk, written and read by a thread of their own. Who would have to wait for this thread does what it would
//! do next: where snapshots are small, waking a thread takes longer than the copy.
//!
//! All snapshots of a store lie in one file, whose name is removed from the folder as soon as the file is open: the
//! system frees its space when the program ends, however it ends. A snapshot that was written lately is read from
//! the memory that it is being written from.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use super::buffer::Buffer;
use super::{Doing, Failure, codec};
use crate::stats;

/// Snapshots that wait to be written at most; the next one waits for the disk.
const WAITING: usize = 2;

/// The disk tier of a store.
pub(crate) struct Disk {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Requests are taken only by whoever holds it, so that they are done in order. The state is never locked before it.
    ring: Mutex<Ring>,
}

#[derive(Default)]
struct State {
    requests: VecDeque<Request>,
    slots: BTreeMap<usize, Slot>,
    /// Snapshots that wait to be written.
    waiting: usize,
    failure: Option<Failure>,
    closed: bool,
}

enum Request {
    Write(usize, Arc<Buffer>),
    Read(usize),
    Forget(usize),
}

/// What of a snapshot is in memory.
enum Slot {
    /// All of it, until it is written.
    Writing(Arc<Buffer>),
    Written,
    /// It is being read.
    Asked,
    Read(Arc<Buffer>),
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Gives the state back until something changes in it.
    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Does the next request, if there is one. False where it failed.
    fn do_next(&self) -> bool {
        let mut ring = self.ring();
        let Some(request) = self.state().requests.pop_front() else { return true };
        let done = match request {
            Request::Write(slot, bytes) if is_newest(&self.state(), slot, &bytes) => {
                ring.write(slot, bytes.bytes()).map(|()| written(self, slot, &bytes))
            }
            // It was given up or taken anew meanwhile.
            Request::Write(..) => {
                self.state().waiting -= 1;
                Ok(())
            }
            Request::Read(slot) => ring.read(slot).map(|bytes| read(self, slot, bytes)),
            Request::Forget(slot) => {
                ring.forget(slot);
                Ok(())
            }
        };
        let right = done.is_ok();
        if let Err(failure) = done {
            self.state().failure = Some(failure);
        }
        self.changed.notify_all();
        right
    }
}

impl Disk {
    /// Makes the file in `folder` and starts the thread.
    pub(crate) fn open(folder: &Path, compress: bool) -> Result<Self, Failure> {
        let failed = |why| Failure::disk(Doing::Open, folder, 0, why);
        let file = nameless(folder).map_err(failed)?;
        let ring = Ring { file, folder: folder.into(), compress, places: BTreeMap::new(), gaps: Vec::new(), end: 0 };
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), ring: Mutex::new(ring) });
        let theirs = Arc::clone(&shared);
        let worker = thread::Builder::new().name("costate-disk".into()).spawn(move || work(&theirs));
        Ok(Self { shared, worker: Some(worker.map_err(failed)?) })
    }

    /// Hands a snapshot over to be written in place of what the slot held; while too many others are to be written, it is
    /// the caller who writes them.
    pub(crate) fn write(&self, slot: usize, bytes: Buffer) -> Result<(), Failure> {
        let bytes = Arc::new(bytes);
        loop {
            let mut state = self.shared.state();
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            if state.waiting < WAITING {
                state.waiting += 1;
                state.slots.insert(slot, Slot::Writing(Arc::clone(&bytes)));
                state.requests.push_back(Request::Write(slot, bytes));
                self.shared.changed.notify_all();
                return Ok(());
            }
            drop(state);
            self.shared.do_next();
        }
    }

    /// Starts to read a snapshot that will be asked for soon.
    pub(crate) fn prefetch(&self, slot: usize) {
        let mut state = self.shared.state();
        if let Some(held @ Slot::Written) = state.slots.get_mut(&slot) {
            *held = Slot::Asked;
            state.requests.push_back(Request::Read(slot));
            self.shared.changed.notify_all();
        }
    }

    /// A snapshot; `None` where the slot holds none.
    pub(crate) fn read(&self, slot: usize) -> Result<Option<Arc<Buffer>>, Failure> {
        let mut state = self.shared.state();
        loop {
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            let begun = !state.requests.iter().any(|r| matches!(r, Request::Read(asked) if *asked == slot));
            match state.slots.get_mut(&slot) {
                None => return Ok(None),
                Some(Slot::Writing(bytes)) => return Ok(Some(Arc::clone(bytes))),
                Some(held @ Slot::Read(_)) => {
                    if let Slot::Read(bytes) = std::mem::replace(held, Slot::Written) {
                        return Ok(Some(bytes));
                    }
                }
                Some(Slot::Asked) if begun => state = self.shared.wait(state),
                // The place of what is written doesn't change before the caller writes or forgets it.
                Some(held @ (Slot::Written | Slot::Asked)) => {
                    *held = Slot::Written;
                    state.requests.retain(|r| !matches!(r, Request::Read(asked) if *asked == slot));
                    drop(state);
                    return self.shared.ring().read(slot).map(|bytes| Some(Arc::new(bytes)));
                }
            }
        }
    }

    /// Gives the place of a snapshot back.
    pub(crate) fn forget(&self, slot: usize) {
        let mut state = self.shared.state();
        if state.slots.remove(&slot).is_some() {
            state.requests.push_back(Request::Forget(slot));
            self.shared.changed.notify_all();
        }
    }

    /// Ends the thread when all is written.
    pub(crate) fn close(mut self) -> Result<(), Failure> {
        self.join();
        self.shared.state().failure.take().map_or(Ok(()), Err)
    }

    fn join(&mut self) {
        self.shared.state().closed = true;
        self.shared.changed.notify_all();
        if let Some(worker) = self.worker.take() {
            // The thread doesn't panic; if it did, its message is on standard error.
            let _ = worker.join();
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.join();
    }
}

/// An open file without a name.
fn nameless(folder: &Path) -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("costate-{}-{number}.snapshots", process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

/// The thread: one request after the other, until the store is closed or something failed.
fn work(shared: &Shared) {
    loop {
        let mut state = shared.state();
        while state.requests.is_empty() {
            if state.closed {
                return;
            }
            state = shared.wait(state);
        }
        drop(state);
        if !shared.do_next() {
            return;
        }
    }
}

fn written(shared: &Shared, slot: usize, bytes: &Arc<Buffer>) {
    let mut state = shared.state();
    state.waiting -= 1;
    if is_newest(&state, slot, bytes) {
        state.slots.insert(slot, Slot::Written);
    }
}

fn is_newest(state: &State, slot: usize, bytes: &Arc<Buffer>) -> bool {
    matches!(state.slots.get(&slot), Some(Slot::Writing(newest)) if Arc::ptr_eq(newest, bytes))
}

fn read(shared: &Shared, slot: usize, bytes: Buffer) {
    // Otherwise the slot was written or given up meanwhile.
    if let Some(held @ Slot::Asked) = shared.state().slots.get_mut(&slot) {
        *held = Slot::Read(Arc::new(bytes));
    }
}

/// The file and where in it the snapshots are.
struct Ring {
    file: File,
    folder: PathBuf,
    compress: bool,
    places: BTreeMap<usize, Place>,
    /// Parts of the file that no snapshot uses: offset and length.
    gaps: Vec<(u64, usize)>,
    end: u64,
}

#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    room: usize,
    /// Bytes in the file and bytes of the snapshot; they differ where it is compressed.
    stored: usize,
    bytes: usize,
    /// Checksum (CRC-32) of what is in the file.
    sum: u32,
}

impl Ring {
    fn write(&mut self, slot: usize, bytes: &[u8]) -> Result<(), Failure> {
        self.forget(slot);
        let packed = if self.compress { codec::pack(bytes) } else { None };
        let stored = packed.as_deref().unwrap_or(bytes);
        let (offset, room) = self.room(stored.len());
        self.file
            .write_all_at(stored, offset)
            .map_err(|why| Failure::disk(Doing::Write, &self.folder, stored.len(), why))?;
        stats::DISK.add(stored.len());
        let sum = crc32fast::hash(stored);
        self.places.insert(slot, Place { offset, room, stored: stored.len(), bytes: bytes.len(), sum });
        Ok(())
    }

    /// The smallest gap that fits, or else the end of the file.
    fn room(&mut self, bytes: usize) -> (u64, usize) {
        let fits = self.gaps.iter().enumerate().filter(|(_, gap)| gap.1 >= bytes).min_by_key(|(_, gap)| gap.1);
        if let Some((index, _)) = fits {
            return self.gaps.swap_remove(index);
        }
        let offset = self.end;
        self.end += bytes as u64;
        (offset, bytes)
    }

    fn read(&self, slot: usize) -> Result<Buffer, Failure> {
        let failed = |place: &Place, why| Failure::disk(Doing::Read, &self.folder, place.stored, why);
        let Some(place) = self.places.get(&slot) else { return Ok(Buffer::new(0)?) };
        let mut buffer = Buffer::new(place.stored)?;
        read_all(&self.file, buffer.fill(place.stored)?, place.offset).map_err(|why| failed(place, why))?;
        let damaged = || failed(place, io::Error::new(ErrorKind::InvalidData, "the data is damaged"));
        if crc32fast::hash(buffer.bytes()) != place.sum {
            return Err(damaged());
        }
        if place.stored == place.bytes {
            return Ok(buffer);
        }
        let bytes = codec::unpack(buffer.bytes(), place.bytes).ok_or_else(damaged)?;
        let mut buffer = Buffer::new(bytes.len())?;
        buffer.append(&bytes)?;
        Ok(buffer)
    }

    fn forget(&mut self, slot: usize) {
        if let Some(place) = self.places.remove(&slot) {
            stats::DISK.sub(place.stored);
            self.gaps.push((place.offset, place.room));
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        self.places.values().for_each(|place| stats::DISK.sub(place.stored));
    }
}

fn read_all(file: &File, to: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < to.len() {
        match file.read_at(&mut to[done..], offset + done as u64) {
            Ok(0) => {
                let text = format!("the file ends after {done} of {} bytes", to.len());
                return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
            }
            Ok(read) => done += read,
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(bytes: &[u8]) -> Buffer {
        let mut buffer = Buffer::new(bytes.len()).expect("memory");
        buffer.append(bytes).expect("memory");
        buffer
    }

    fn folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("costate-disk-test-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn ring(compress: bool) -> Ring {
        let folder = folder();
        let file = nameless(&folder).expect("a file");
        Ring { file, folder, compress, places: BTreeMap::new(), gaps: Vec::new(), end: 0 }
    }

    #[test]
    fn snapshots_come_back_in_any_order() {
        for compress in [false, true] {
            let disk = Disk::open(&folder(), compress).expect("a file");
            let state = |slot: usize, round: usize| vec![u8::try_from(slot * 10 + round).expect("small"); 5000 + slot];
            for round in 0..3 {
                for slot in 0..8 {
                    disk.write(slot, buffer(&state(slot, round))).expect("room");
                }
                for slot in [7, 0, 3, 3, 5] {
                    disk.prefetch(slot ^ 1);
                    let bytes = disk.read(slot).expect("readable").expect("a snapshot");
                    assert_eq!(bytes.bytes(), state(slot, round));
                }
            }
            disk.forget(4);
            assert!(disk.read(4).expect("no failure").is_none());
            disk.close().expect("all written");
        }
    }

    /// Many stores at once, so that threads are interrupted anywhere.
    #[test]
    fn a_snapshot_may_be_read_while_it_is_written() {
        let rounds = || {
            let disk = Disk::open(&folder(), false).expect("a file");
            for round in 0..3000 {
                disk.write(round % 3, buffer(&[1; 3000])).expect("room");
                (0..round % 701).for_each(|_| std::hint::spin_loop());
                assert!(disk.read(round % 3).expect("readable").is_some(), "in round {round}");
            }
            disk.close().expect("all written");
        };
        thread::scope(|scope| (0..16).for_each(|_| drop(scope.spawn(rounds))));
    }

    #[test]
    fn the_file_has_no_name() {
        let folder = folder().join("empty");
        fs::create_dir_all(&folder).expect("a folder");
        let disk = Disk::open(&folder, false).expect("a file");
        disk.write(0, buffer(&[1; 100])).expect("room");
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
    }

    #[test]
    fn places_are_used_again() {
        let mut ring = ring(false);
        for _ in 0..10 {
            for slot in 0..4 {
                ring.write(slot, &[0; 100]).expect("room");
            }
        }
        // A snapshot's own place is free before it is written anew.
        assert_eq!(ring.end, 400);
        ring.forget(1);
        ring.write(9, &[1; 80]).expect("room");
        assert_eq!(ring.end, 400);
        assert_eq!(ring.read(9).expect("readable").bytes(), [1; 80]);
    }

    #[test]
    fn a_short_read_tells_the_numbers() {
        let mut ring = ring(false);
        ring.write(0, &[3; 1000]).expect("room");
        ring.file.set_len(600).expect("a shorter file");
        let text = ring.read(0).expect_err("a short read").to_string();
        assert!(text.contains("a snapshot of 1000 bytes can't be read back from "), "{text}");
        assert!(text.contains("the file ends after 600 of 1000 bytes"), "{text}");
    }

    #[test]
    fn damaged_data_is_seen() {
        for compress in [false, true] {
            let mut ring = ring(compress);
            let state: Vec<u8> = (0..1000_u32).map(|i| i.to_le_bytes()[0]).collect();
            ring.write(0, &state).expect("room");
            for at in 0..ring.places[&0].stored as u64 {
                let mut byte = [0];
                ring.file.read_exact_at(&mut byte, at).expect("readable");
                ring.file.write_all_at(&[byte[0] ^ 4], at).expect("room");
                let text = ring.read(0).expect_err("damage").to_string();
                assert!(text.contains("the data is damaged"), "{text}");
                ring.file.write_all_at(&byte, at).expect("room");
            }
            assert_eq!(ring.read(0).expect("readable").bytes(), state);
        }
    }

    #[test]
    fn a_folder_that_is_not_there() {
        let why = Disk::open(Path::new("/no/such/folder"), false).err().expect("no folder").to_string();
        assert!(why.starts_with("no file for snapshots can be made in /no/such/folder: "), "{why}");
    }
}
