//! Writing: all files or none, through temporary files; an unchanged file keeps its time stamp. What Costate read, what it
//! writes elsewhere in the same run, and what somebody else wrote isn't overwritten, and no folder is made.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use costate_adjoint::output::MARK;
use costate_grammar::diag::{Code, Diagnostic};
use tempfile::NamedTempFile;

/// A file to write.
pub(crate) struct Planned {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// How a file on disk compares with what would be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Missing,
    Changed,
    Same,
}

impl Planned {
    /// Compares with the disk.
    pub(crate) fn state(&self) -> State {
        if self.is_device() {
            return State::Changed;
        }
        match std::fs::read(&self.path) {
            Ok(bytes) if bytes == self.text.as_bytes() => State::Same,
            Ok(_) => State::Changed,
            Err(_) => State::Missing,
        }
    }

    /// True for a file with content that Costate didn't write.
    fn is_foreign(&self) -> bool {
        if self.is_device() {
            return false;
        }
        std::fs::read(&self.path).is_ok_and(|bytes| {
            let marked = bytes.windows(MARK.len()).any(|w| w == MARK.as_bytes());
            !bytes.is_empty() && bytes != self.text.as_bytes() && !marked
        })
    }

    /// True for what is there and is no file: a device such as `/dev/null` or `/dev/stdout`, or a pipe. It can't be read
    /// back, and mustn't be replaced. Neither must `/dev/stdout` where it stands for a file.
    fn is_device(&self) -> bool {
        let stream = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|d| self.path.starts_with(d));
        std::fs::metadata(&self.path).is_ok_and(|m| !m.is_dir() && (stream || !m.is_file()))
    }
}

fn unwritable(path: &Path, why: impl std::fmt::Display) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::global(Code::FileUnwritable, format!("`{}` can't be written: {why}", path.display()))
            .help("name another place with `-o` or `--out-dir`; nothing was written"),
    )
}

/// Tells files apart, by whatever names they are called.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// Device and number of a file that is there: the same through all links to it.
    #[cfg(unix)]
    Node(u64, u64),
    /// The path of one that isn't.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Identity {
        #[cfg(unix)]
        if let Ok(m) = std::fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Identity::Node(m.dev(), m.ino());
        }
        let folder = std::fs::canonicalize(folder_of(path));
        let named = folder.ok().zip(path.file_name()).map(|(folder, name)| folder.join(name));
        Identity::Path(named.or_else(|| std::path::absolute(path).ok()).unwrap_or_else(|| path.to_path_buf()))
    }
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses outputs that would overwrite an input, each other, or, without `force`, a file that Costate didn't write.
pub(crate) fn refuse_clashes(files: &[Planned], inputs: &[String], force: bool) -> Result<(), Box<Diagnostic>> {
    let inputs: BTreeSet<Identity> = inputs.iter().map(|i| Identity::of(Path::new(i))).collect();
    let mut seen = BTreeSet::new();
    for file in files {
        let wrong = |why: &str, help: &str| Err(Box::new(unwritable(&file.path, why).help(help)));
        let identity = Identity::of(&file.path);
        if inputs.contains(&identity) {
            return wrong("it is one of the files that were read", "choose another file");
        }
        if !file.is_device() && !seen.insert(identity) {
            return wrong(
                "two outputs would be this file",
                "give each output a file of its own; `-o` puts the units of all sources in one",
            );
        }
        if !folder_of(&file.path).is_dir() {
            return wrong("its folder isn't there", "make the folder first, or name another one; nothing was written");
        }
        if !force && file.is_foreign() {
            return wrong(
                "there is a file with this name that Costate didn't write",
                "choose another name, or replace the file with `--force`; nothing was written",
            );
        }
    }
    Ok(())
}

/// Writes all files or none; returns the paths that changed.
pub(crate) fn write(files: &[Planned]) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let mut ready: Vec<(NamedTempFile, &Path)> = Vec::new();
    let (devices, files): (Vec<&Planned>, Vec<&Planned>) =
        files.iter().filter(|f| f.state() != State::Same).partition(|f| f.is_device());
    for file in files {
        ready.push((prepare(file).map_err(|e| unwritable(&file.path, e))?, &file.path));
    }
    let mut done = Vec::new();
    for file in devices {
        let opened = std::fs::OpenOptions::new().append(true).open(&file.path);
        opened.and_then(|mut f| f.write_all(file.text.as_bytes())).map_err(|e| unwritable(&file.path, e))?;
        done.push(file.path.clone());
    }
    for (temporary, path) in ready {
        temporary.persist(path).map_err(|e| unwritable(path, e.error))?;
        done.push(path.to_path_buf());
    }
    Ok(done)
}

fn prepare(file: &Planned) -> std::io::Result<NamedTempFile> {
    let folder = folder_of(&file.path);
    if file.path.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".costate-");
    // An existing file keeps its mode; a new one gets what the user's mask allows, as from any other program.
    #[cfg(unix)]
    let temporary = {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file.path).map_or(0o666, |m| m.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode)).tempfile_in(folder)
    };
    #[cfg(not(unix))]
    let temporary = builder.tempfile_in(folder);
    let mut temporary = temporary?;
    temporary.write_all(file.text.as_bytes())?;
    temporary.flush()?;
    Ok(temporary)
}

/// A make dependency file.
pub(crate) fn dependencies(targets: &[PathBuf], inputs: &[String]) -> String {
    let escape = |p: &str| p.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#");
    let targets: Vec<String> = targets.iter().map(|t| escape(&t.display().to_string())).collect();
    let mut out = format!("# Written {MARK}.\n{}:", targets.join(" "));
    for input in inputs {
        out.push_str(" \\\n  ");
        out.push_str(&escape(input));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(path: PathBuf, text: &str) -> Planned {
        Planned { path, text: text.to_string() }
    }

    #[test]
    fn unchanged_files_keep_their_time_stamp() {
        let dir = tempfile::tempdir().unwrap();
        let files = [planned(dir.path().join("a.f90"), "a\n"), planned(dir.path().join("b.f90"), "b\n")];
        assert_eq!(files[0].state(), State::Missing);
        assert_eq!(write(&files).unwrap().len(), 2);
        let stamp = |f: &Planned| std::fs::metadata(&f.path).unwrap().modified().unwrap();
        let before = stamp(&files[0]);
        std::thread::sleep(std::time::Duration::from_millis(20));
        let files = [planned(files[0].path.clone(), "a\n"), planned(files[1].path.clone(), "c\n")];
        assert_eq!((files[0].state(), files[1].state()), (State::Same, State::Changed));
        assert_eq!(write(&files).unwrap(), [files[1].path.clone()]);
        assert_eq!(stamp(&files[0]), before);
        assert_eq!(std::fs::read_to_string(&files[1].path).unwrap(), "c\n");
    }

    #[test]
    fn nothing_is_written_when_one_file_cant_be() {
        let dir = tempfile::tempdir().unwrap();
        let files = [planned(dir.path().join("a.f90"), "a\n"), planned(dir.path().to_path_buf(), "b\n")];
        assert_eq!(write(&files).unwrap_err().code, Code::FileUnwritable);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn inputs_twins_and_the_files_of_others_are_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.f90");
        std::fs::write(&path, "a\n").unwrap();
        let input = dir.path().join("./a.f90").display().to_string();
        let refused = |files: &[Planned], inputs: &[String], force| refuse_clashes(files, inputs, force).is_err();
        let new = |name: &str| planned(dir.path().join(name), "! written by Costate\n");
        assert!(refused(&[planned(path.clone(), "")], &[input], true));
        assert!(refused(&[new("b"), new("./b")], &[], true));
        assert!(refused(&[planned(path.clone(), "b\n")], &[], false));
        assert!(!refused(&[planned(path.clone(), "b\n")], &[], true));
        assert!(!refused(&[planned(path.clone(), "a\n")], &[], false));
        assert!(refused(&[new("none/b")], &[], true));
        assert!(!refused(&[new("b"), new("c")], &[], false));
        write(&[new("b")]).unwrap();
        assert!(!refused(&[planned(dir.path().join("b"), "c\n")], &[], false));
        #[cfg(unix)]
        {
            std::fs::hard_link(&path, dir.path().join("link")).unwrap();
            assert!(refused(&[new("link")], &[path.display().to_string()], true));
        }
    }

    #[test]
    fn dependencies_are_quoted_for_make() {
        let text = dependencies(&[PathBuf::from("out dir/s_b.f90")], &["s.f90".to_string(), "a$b.inc".to_string()]);
        assert_eq!(text, "# Written by Costate.\nout\\ dir/s_b.f90: \\\n  s.f90 \\\n  a$$b.inc\n");
    }
}
