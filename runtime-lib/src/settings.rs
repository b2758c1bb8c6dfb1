//! The environment variables that a user of a generated program may set.
//!
//! | variable | value | meaning |
//! |---|---|---|
//! | `COSTATE_STATS` | `1` | statistics on standard error when the program ends |
//! | | `json` | the same as JSON |
//! | | a file | the same as JSON in this file |
//! | `COSTATE_PROGRESS` | `1` | a line on standard error, at most once a second, while an adjoint runs |
//! | `COSTATE_VERIFY` | `1` | recomputed values are compared with those of the first computation |
//! | `COSTATE_DISK` | a folder | where snapshots on disk go, instead of the folder that the program names |
//! | `COSTATE_COMPRESS` | `1` | snapshots on disk are compressed, without loss |
//!
//! Empty and `0` mean unset.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Where statistics go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// Text on standard error.
    Text,
    /// JSON on standard error.
    Json,
    /// JSON in a file.
    File(PathBuf),
}

/// The environment when the library was first used.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    pub(crate) stats: Option<Report>,
    pub(crate) progress: bool,
    pub(crate) verify: bool,
    pub(crate) disk: Option<PathBuf>,
    pub(crate) compress: bool,
}

impl Settings {
    fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty() && value != "0");
        let stats = set("COSTATE_STATS").map(|value| match value.to_str() {
            Some("1") => Report::Text,
            Some("json") => Report::Json,
            _ => Report::File(value.into()),
        });
        Self {
            stats,
            progress: set("COSTATE_PROGRESS").is_some(),
            verify: set("COSTATE_VERIFY").is_some(),
            disk: set("COSTATE_DISK").map(PathBuf::from),
            compress: set("COSTATE_COMPRESS").is_some(),
        }
    }
}

/// The settings of this run.
pub(crate) fn get() -> &'static Settings {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get_or_init(|| Settings::read(|name| env::var_os(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_variables() {
        let stats = |value: &'static str| Settings::read(|name| (name == "COSTATE_STATS").then(|| value.into())).stats;
        assert_eq!(stats("1"), Some(Report::Text));
        assert_eq!(stats("json"), Some(Report::Json));
        assert_eq!(stats("run.json"), Some(Report::File("run.json".into())));
        assert_eq!(stats("0"), None);
        assert_eq!(stats(""), None);
        let none = Settings::read(|_| None);
        assert!(!none.progress && !none.verify && !none.compress && none.disk.is_none());
    }
}
