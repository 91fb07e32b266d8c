//! Who holds a lease, and whether that process still lives.

use std::fmt;
use std::fs::File;
use std::io::Read as _;

use jiff::Timestamp;
use serde::Serialize;

/// Most bytes read of a file that the system describes itself in.
const ABOUT_BYTES: u64 = 4096;

/// A process that runs a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// Its number.
    pub process: u32,
    /// The machine it runs on.
    pub host: String,
    /// Since when it runs the debate, by the database's clock.
    pub since: Timestamp,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { process, host, since } = self;
        write!(f, "process {process} on {host} since {since:.0}")
    }
}

/// This process, as a lease names it.
pub(super) struct ThisProcess {
    pub(super) process: u32,
    pub(super) host: String,
    pub(super) identity: String,
}

impl Holder {
    /// This process, as others will find it in the table of leases.
    pub(super) fn this_process() -> ThisProcess {
        let process = std::process::id();
        let start = start_of(process).map(|start| format!("{} {start}", machine()));
        ThisProcess { process, host: host(), identity: start.unwrap_or_default() }
    }
}

/// True when the process is known to have ended: it ran on this machine, where we would see it.
pub(crate) fn is_dead(process: u32, identity: &str) -> bool {
    let Some((machine_of, start)) = identity.rsplit_once(' ') else { return false };
    machine_of == machine() && start_of(process).as_deref() != Some(start)
}

/// What must be the same for a process to be seen by its number: the boot, the space of numbers, and
/// the user, as processes of others may be hidden. Only Linux tells.
fn machine() -> String {
    let boot = about("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {} {}", boot.trim(), space.display(), user())
}

/// Whose process it is: a pid of another user cannot be looked at.
#[cfg(unix)]
fn user() -> u32 {
    std::fs::metadata("/proc/self").map_or(0, |about| std::os::unix::fs::MetadataExt::uid(&about))
}

#[cfg(not(unix))]
fn user() -> u32 {
    0
}

/// When a living process began, in ticks since the boot.
fn start_of(process: u32) -> Option<String> {
    let stat = about(&format!("/proc/{process}/stat"))?;
    // The name before it may hold anything, brackets too.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let state = fields.next()?;
    let has_ended = matches!(state, "Z" | "X" | "x");
    fields.nth(18).filter(|_| !has_ended).map(ToOwned::to_owned)
}

/// The name of this machine; a pid says nothing on another.
fn host() -> String {
    let variable = || std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok();
    let name = about("/proc/sys/kernel/hostname").or_else(variable).unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "an unnamed machine".to_owned() } else { name.to_owned() }
}

/// What the system tells in a small file, or nothing where it has no such file.
fn about(path: &str) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(ABOUT_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_is_known_to_be_dead_on_its_own_machine_only() {
        let us = Holder::this_process();
        assert!(!is_dead(us.process, &us.identity), "{}", us.identity);
        let mut child = Command::new("sleep").arg("60").stdout(Stdio::null()).spawn().unwrap();
        let identity = format!("{} {}", machine(), start_of(child.id()).unwrap());
        assert!(!is_dead(child.id(), &identity));
        child.kill().unwrap();
        // Dead but not waited for: it has a number and runs nothing.
        while start_of(child.id()).is_some() {
            std::thread::yield_now();
        }
        assert!(is_dead(child.id(), &identity));
        child.wait().unwrap();
        assert!(is_dead(child.id(), &identity));
        assert!(!is_dead(child.id(), &format!("another-boot {identity}")));
        assert!(!is_dead(child.id(), ""));
        let another = format!("{} 1", machine());
        assert!(is_dead(us.process, &another), "the number was given to another process");
    }
}
