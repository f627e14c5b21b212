//! Asks what the target's C library has of stdio, for the feature `stdio`.
//!
//! A small program that calls the functions is compiled and linked for the target, with the compiler, the flags
//! and the linker that cargo uses for it. It is never run, and nothing is written but to OUT_DIR. The usual
//! target costs one run of the compiler, about a tenth of a second. Where no program can be linked, because the
//! linker is missing or the target's std is still to be built, `LIBRARIES` knows.
//!
//! # Knobs
//!
//! Each answer can be given beforehand: by an environment variable, `yes` or `no`, or by a flag for rustc, which
//! in `.cargo/config.toml` may be a target's own. The variable wins. What is answered is not probed for.
//!
//! | answer | variable | flag | functions |
//! |---|---|---|---|
//! | `has_flockfile` | `WHOLELINE_FLOCKFILE` | `--cfg wholeline_flockfile="no"` | `flockfile`, `funlockfile` |
//! | `has_getc_unlocked` | `WHOLELINE_GETC_UNLOCKED` | `--cfg wholeline_getc_unlocked="no"` | `getc_unlocked` |
//! | `has_getdelim` | `WHOLELINE_GETDELIM` | `--cfg wholeline_getdelim="no"` | `getdelim` |
//! | `has_stdio_window` | `WHOLELINE_STDIO_WINDOW` | `--cfg wholeline_stdio_window="no"` | `window` in `LIBRARIES` |
//! | `has_fpending` | `WHOLELINE_FPENDING` | `--cfg wholeline_fpending="no"` | `__fpending` |
//!
//! `getc_unlocked` and the window serve only under `flockfile`: without it they count as missing. A `yes` to
//! what cannot be is an error: to those two without `flockfile`, and to the window of a C library whose streams
//! this crate cannot look into.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

struct Probe {
    /// `name` makes `has_name`, `WHOLELINE_NAME` and `wholeline_name`.
    name: &'static str,
    /// What a program has to call, unless that depends on the C library.
    calls: &'static [&'static str],
    /// Of no use on a stream that cannot be locked.
    under_lock: bool,
}

/// `flockfile` comes before what needs it.
const PROBES: &[Probe] = &[
    Probe { name: "flockfile", calls: &["flockfile", "funlockfile"], under_lock: false },
    Probe { name: "getc_unlocked", calls: &["getc_unlocked"], under_lock: true },
    Probe { name: "getdelim", calls: &["getdelim"], under_lock: false },
    Probe { name: "stdio_window", calls: &[], under_lock: true },
    Probe { name: "fpending", calls: &["__fpending"], under_lock: false },
];

struct Library {
    name: &'static str,
    /// What src/stdio calls to look into a stream of this library; none where it cannot.
    window: &'static [&'static str],
    /// The probes that every version which Rust supports will pass: tried together, and believed where nothing
    /// can be tried.
    has: &'static [&'static str],
    /// Those that it fails all the same: what they call links, and is not to be trusted.
    broken: &'static [&'static str],
}

const POSIX: &[&str] = &["flockfile", "getc_unlocked", "getdelim"];
const POSIX_WINDOW: &[&str] = &["flockfile", "getc_unlocked", "getdelim", "stdio_window"];
const POSIX_FPENDING: &[&str] = &["flockfile", "getc_unlocked", "getdelim", "fpending"];
const ALL: &[&str] = &["flockfile", "getc_unlocked", "getdelim", "stdio_window", "fpending"];

const UNDERFLOW: &[&str] = &["__underflow"];
const FREADPTR: &[&str] = &["__freadptr", "__freadptrinc"];
const SRGET: &[&str] = &["__srget"];

const LIBRARIES: &[Library] = &[
    Library { name: "glibc", window: UNDERFLOW, has: ALL, broken: &[] },
    Library { name: "musl", window: FREADPTR, has: ALL, broken: &[] },
    // The window since 7.6.
    Library { name: "openbsd", window: FREADPTR, has: POSIX, broken: &[] },
    // The window since its stdio is musl's.
    Library { name: "haiku", window: FREADPTR, has: POSIX, broken: &[] },
    Library { name: "freebsd", window: SRGET, has: POSIX_WINDOW, broken: &[] },
    Library { name: "dragonfly", window: &[], has: POSIX, broken: &[] },
    Library { name: "netbsd", window: SRGET, has: POSIX_WINDOW, broken: &[] },
    // Its getdelim reads out of bounds: gnulib refuses it.
    Library { name: "apple", window: SRGET, has: POSIX_WINDOW, broken: &["getdelim"] },
    // `__fpending` since API level 23.
    Library { name: "android", window: &[], has: POSIX, broken: &[] },
    Library { name: "solaris", window: &[], has: POSIX_FPENDING, broken: &[] },
    Library { name: "illumos", window: &[], has: POSIX_FPENDING, broken: &[] },
];

const UNKNOWN: &Library = &Library { name: "unknown", window: &[], has: &[], broken: &[] };

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for probe in PROBES {
        println!("cargo::rustc-check-cfg=cfg(has_{})", probe.name);
        println!("cargo::rerun-if-env-changed={}", probe.variable());
    }
    if env::var_os("CARGO_FEATURE_STDIO").is_none() || env::var_os("CARGO_CFG_UNIX").is_none() {
        return;
    }
    // The compiler and its flags are looked after by cargo; the linker is not.
    let target = cargo_sets("TARGET").to_string_lossy().to_uppercase().replace(['-', '.'], "_");
    println!("cargo::rerun-if-env-changed=CARGO_TARGET_{target}_LINKER");
    match answers(Library::of_the_target()) {
        Ok(names) => names.iter().for_each(|name| println!("cargo::rustc-cfg=has_{name}")),
        Err(message) => println!("cargo::error={message}"),
    }
}

/// The names of the probes that the target passes.
fn answers(library: &Library) -> Result<Vec<&'static str>, String> {
    let knobs = PROBES.iter().map(Probe::knob).collect::<Result<Vec<_>, _>>()?;
    let open: Vec<_> = PROBES
        .iter()
        .zip(&knobs)
        .filter(|(probe, knob)| knob.is_none() && !library.calls(probe).is_empty())
        .map(|(probe, _)| probe)
        .collect();
    let found = find(&open, library);
    let mut passed = Vec::new();
    for (probe, knob) in PROBES.iter().zip(knobs) {
        let hindrance = if library.calls(probe).is_empty() {
            Some("this crate cannot look into the streams of the target's C library")
        } else if probe.under_lock && !passed.contains(&"flockfile") {
            Some("there is no flockfile (WHOLELINE_FLOCKFILE=yes says there is)")
        } else {
            None
        };
        match (knob, hindrance) {
            (Some(true), Some(hindrance)) => {
                return Err(format!("{}=yes, but {hindrance}", probe.variable()));
            }
            (_, None)
                if knob.unwrap_or_else(|| {
                    found.contains(&probe.name) && !library.broken.contains(&probe.name)
                }) =>
            {
                passed.push(probe.name);
            }
            _ => {}
        }
    }
    Ok(passed)
}

/// The names of those of `probes` that the target passes, as far as linking can tell.
fn find(probes: &[&Probe], library: &Library) -> Vec<&'static str> {
    if probes.is_empty() {
        return Vec::new();
    }
    let known = |probe: &Probe| library.has.contains(&probe.name);
    let calls = |probe: &&Probe| library.calls(probe);
    let together: Vec<_> = probes.iter().filter(|probe| known(probe)).flat_map(calls).copied().collect();
    let at_once = links(&together);
    let passes: &dyn Fn(&Probe) -> bool = if !(at_once || links(&[])) || lets_all_pass() {
        eprintln!("linking proves nothing: taking what is known of the C library ({})", library.name);
        &known
    } else if at_once {
        &|probe| known(probe) || links(library.calls(probe))
    } else {
        &|probe| links(library.calls(probe))
    };
    probes.iter().filter(|probe| passes(probe)).map(|probe| probe.name).collect()
}

impl Probe {
    fn variable(&self) -> String {
        format!("WHOLELINE_{}", self.name.to_uppercase())
    }

    /// What the user says, if anything.
    fn knob(&self) -> Result<Option<bool>, String> {
        let variable = self.variable();
        let flag = env::var_os(format!("CARGO_CFG_{variable}"));
        // Set to nothing is not set, as recipes of packages have it.
        let said = env::var_os(&variable).filter(|word| !word.is_empty());
        let (said_by, word) = match (said, flag) {
            (Some(word), _) => (variable, word),
            (None, Some(word)) => (format!("--cfg wholeline_{}", self.name), word),
            (None, None) => return Ok(None),
        };
        match word.to_str() {
            Some("yes") => Ok(Some(true)),
            Some("no") => Ok(Some(false)),
            _ => Err(format!("{said_by} can be `yes` or `no`, not `{}`", word.to_string_lossy())),
        }
    }
}

impl Library {
    fn of_the_target() -> &'static Library {
        let target = |what| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
        let (os, libc, vendor) = (target("OS"), target("ENV"), target("VENDOR"));
        let name = match (os.as_str(), libc.as_str(), vendor.as_str()) {
            ("linux", "gnu", _) => "glibc",
            ("linux", "musl", _) => "musl",
            (_, _, "apple") => "apple",
            (os, _, _) => os,
        };
        LIBRARIES.iter().find(|library| library.name == name).unwrap_or(UNKNOWN)
    }

    /// What has to link for `probe` to pass.
    fn calls(&self, probe: &Probe) -> &'static [&'static str] {
        if probe.name == "stdio_window" { self.window } else { probe.calls }
    }
}

/// Whether a program that calls these functions can be made for the target. It will not be run, and to the linker
/// a function is its name: so no arguments.
fn links(functions: &[&str]) -> bool {
    let dir = PathBuf::from(cargo_sets("OUT_DIR")).join("probe");
    let source = dir.join("probe.rs");
    let declared: String = functions.iter().map(|name| format!("fn {name}();")).collect();
    let called: String = functions.iter().map(|name| format!("{name}();")).collect();
    let program = format!("extern \"C\" {{ {declared} }} fn main() {{ unsafe {{ {called} }} }}");
    fs::create_dir_all(&dir)
        .and_then(|()| fs::write(&source, program))
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", source.display()));
    let mut rustc = rustc();
    // Whatever else the flags emit stays in there, too. A warning is no answer, whoever denies warnings.
    rustc.args([
        "--edition=2021",
        "--crate-name=probe",
        "--crate-type=bin",
        "--emit=link",
        "--cap-lints=allow",
    ]);
    rustc.arg("--out-dir").arg(&dir).arg(&source);
    // What this prints is not for cargo. Its errors are for who asks why: cargo keeps them beside OUT_DIR.
    let status = rustc.stdin(Stdio::null()).stdout(Stdio::null()).status();
    // Some megabytes that nobody needs; should they stay, no harm is done.
    let _ = fs::remove_dir_all(&dir);
    match status {
        Ok(status) => status.success(),
        Err(error) => panic!("cannot run {rustc:?}: {error}"),
    }
}

/// Whether the linker was told to put up with functions that are nowhere, as `-undefined dynamic_lookup` does.
fn lets_all_pass() -> bool {
    rustflags().contains("link-arg") && links(&["wholeline_calls_what_nobody_has"])
}

/// The compiler, as cargo runs it for the target.
///
/// Not through RUSTC_WORKSPACE_WRAPPER: a probe belongs to no workspace, and what stands there (clippy, coverage)
/// has nothing to say about linking.
fn rustc() -> Command {
    let rustc = cargo_sets("RUSTC");
    let mut command = match env::var_os("RUSTC_WRAPPER").filter(|wrapper| !wrapper.is_empty()) {
        Some(wrapper) => {
            let mut command = Command::new(wrapper);
            command.arg(rustc);
            command
        }
        None => Command::new(rustc),
    };
    command.arg("--target").arg(cargo_sets("TARGET"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = OsString::from("-Clinker=");
        option.push(linker);
        command.arg(option);
    }
    command.args(rustflags().split('\x1f').filter(|flag| !flag.is_empty()));
    command
}

fn rustflags() -> String {
    env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default()
}

/// A variable that every build script gets.
fn cargo_sets(name: &str) -> OsString {
    env::var_os(name).unwrap_or_else(|| panic!("cargo did not set {name}"))
}
