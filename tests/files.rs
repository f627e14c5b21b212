//! A whole file as bytes, in every way this build has, from files of every kind.

#[path = "support/naive.rs"]
#[allow(dead_code)]
mod naive;

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::NamedTempFile;
use wholeline::{FileBytes, Terminator};

use naive::{Line, split};

type Way = fn(&Path) -> io::Result<FileBytes>;

/// By name.
const WAYS: &[(&str, Way)] = &[
    ("read", |path| FileBytes::read(path)),
    #[cfg(feature = "mmap")]
    // SAFETY: no test changes a file while it is mapped.
    ("map", |path| unsafe { FileBytes::map(path) }),
    #[cfg(feature = "mmap")]
    ("map_if_safe", |path| FileBytes::map_if_safe(path)),
];

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

/// The file's bytes in every way must be these, and their lines those that a naive splitter finds.
#[track_caller]
fn holds(path: &Path, content: &[u8]) {
    for (name, way) in WAYS {
        let bytes = way(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(*bytes == *content, "{name}: {} bytes and not {}", bytes.len(), content.len());
        let lines: Vec<_> = bytes.lines(Terminator::LF).map(Line::from).collect();
        assert!(lines == split(naive::Terminator::LF, content), "{name}: other lines");
    }
}

#[test]
fn p17_an_empty_file() {
    let file = file(b"");
    holds(file.path(), b"");
}

#[test]
fn p17_no_file() {
    let directory = tempfile::tempdir().unwrap();
    for (name, way) in WAYS {
        let error = way(&directory.path().join("none")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{name}");
    }
}

/// Every size around those at which something changes: pages, and where mapping begins.
#[test]
fn p18_files_that_fill_their_last_page_exactly() {
    let last = [&b"a,b\n".repeat(1023)[..], b"1,23"].concat();
    holds(file(&last).path(), &last);
    for pages in [1, 2, 4, 31, 32, 33, 100] {
        for size in [pages * 4096 - 1, pages * 4096, pages * 4096 + 1] {
            for unit in [&b"a,b\n"[..], b"1,23"] {
                let mut content = unit.repeat(size / 4 + 1);
                content.truncate(size);
                holds(file(&content).path(), &content);
            }
        }
    }
}

#[test]
fn what_is_shown_of_the_bytes() {
    let file = file(b"ab\r\nc");
    let bytes = FileBytes::read(file.path()).unwrap();
    assert_eq!(format!("{bytes:?}"), "FileBytes { len: 5, is_mapped: false }");
    assert_eq!(bytes.as_ref(), b"ab\r\nc");
    assert_eq!(bytes.lines(Terminator::CRLF).next().unwrap().as_bytes(), b"ab");

    fn is<T: Send + Sync>() {}
    is::<FileBytes>();
}

/// Bytes that were read do not follow the file.
#[test]
fn what_was_read_stays() {
    let file = file(b"as it was");
    let bytes = FileBytes::read(file.path()).unwrap();
    file.as_file().set_len(0).unwrap();
    assert_eq!(*bytes, *b"as it was");
}

#[cfg(unix)]
mod unix {
    use std::fs;
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    use std::fs::File;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn p12_a_directory() {
        for (name, way) in WAYS {
            let error = way(Path::new("/")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::IsADirectory, "{name}");
        }
    }

    #[test]
    fn p17_dev_null() {
        holds(Path::new("/dev/null"), b"");
    }

    #[test]
    fn p17_a_fifo() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("fifo");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let content = b"through a pipe\n".repeat(20_000);
        for (name, way) in WAYS {
            let writer = thread::spawn({
                let (path, content) = (path.clone(), content.clone());
                move || fs::write(path, content)
            });
            let bytes = way(&path).unwrap();
            assert!(*bytes == *content, "{name}: {} bytes", bytes.len());
            assert!(!bytes.is_mapped());
            writer.join().unwrap().unwrap();
        }
    }

    /// A name over which another file was renamed, and one that was removed.
    #[test]
    fn a_file_that_is_replaced_keeps_its_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let content = b"old\n".repeat(100_000);
        for (name, way) in WAYS {
            let path = directory.path().join(name);
            fs::write(&path, &content).unwrap();
            let bytes = way(&path).unwrap();
            let other = directory.path().join("other");
            fs::write(&other, "new\n").unwrap();
            fs::rename(&other, &path).unwrap();
            assert!(*bytes == *content, "{name}");
            assert_eq!(*way(&path).unwrap(), *b"new\n", "{name}");
            fs::remove_file(&path).unwrap();
            assert!(*bytes == *content, "{name}");
        }
    }

    #[cfg(feature = "mmap")]
    #[test]
    fn which_files_are_mapped() {
        let large = file(&b"many lines\n".repeat(100_000));
        let small = file(b"few lines\n");
        // SAFETY: both are left alone.
        let map = |path| unsafe { FileBytes::map(path) }.unwrap().is_mapped();
        assert!(map(large.path()));
        assert!(!map(small.path()));
        assert!(!FileBytes::read(large.path()).unwrap().is_mapped());
        assert!(!FileBytes::map_if_safe(large.path()).unwrap().is_mapped(), "anybody may truncate it");
    }

    /// What `cat` prints of a file.
    #[cfg(target_os = "linux")]
    fn cat(path: &Path) -> Vec<u8> {
        let cat = Command::new("cat").arg(path).output().expect("cat");
        assert!(cat.status.success());
        cat.stdout
    }

    /// One of these files that this machine has, with a size that says nothing of its content.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn first_of(paths: &[&'static str], size: u64) -> &'static Path {
        for &path in paths {
            match fs::metadata(path) {
                Ok(meta) if meta.is_file() && meta.len() == size => return Path::new(path),
                Ok(meta) => println!("{path} has size {} and not {size}: trying another", meta.len()),
                Err(error) => println!("{path}: {error}: trying another"),
            }
        }
        panic!("none of {paths:?} is here with size {size}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn p17_files_of_size_0_with_content() {
        let large = first_of(&["/proc/kallsyms", "/proc/filesystems"], 0);
        let content = cat(large);
        assert!(!content.is_empty());
        holds(large, &content);

        // Figures in it change, but not what they are of.
        let fields = |content: &[u8]| -> Vec<String> {
            let name =
                |line: Line| String::from_utf8_lossy(&line.content).split(':').next().unwrap().to_owned();
            split(naive::Terminator::LF, content).into_iter().map(name).collect()
        };
        let expected = fields(&cat(Path::new(&format!("/proc/{}/status", std::process::id()))));
        assert!(expected.len() > 20);
        for (name, way) in WAYS {
            assert_eq!(fields(&way(Path::new("/proc/self/status")).unwrap()), expected, "{name}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn p17_files_of_size_4096_with_less_content() {
        let candidates = [
            "/sys/kernel/mm/transparent_hugepage/enabled",
            "/sys/kernel/fscaps",
            "/sys/kernel/uevent_seqnum",
        ];
        let path = first_of(&candidates, 4096);
        let content = cat(path);
        assert!((1..4096).contains(&content.len()));
        holds(path, &content);
    }

    /// Opens by the name that the descriptor has.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    fn map_if_safe(file: &File) -> io::Result<FileBytes> {
        use std::os::fd::AsRawFd;
        FileBytes::map_if_safe(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }

    /// A file in memory, and a lock on what may be done to it.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    fn sealed(content: &[u8], seals: libc::c_int) -> File {
        use std::os::fd::{AsRawFd, FromRawFd};
        // SAFETY: the name is a C string.
        let fd =
            unsafe { libc::memfd_create(c"lines".as_ptr(), libc::MFD_ALLOW_SEALING | libc::MFD_CLOEXEC) };
        assert!(fd >= 0, "memfd_create: {}", io::Error::last_os_error());
        // SAFETY: it has just been made, and nobody else owns it.
        let mut file = unsafe { File::from_raw_fd(fd) };
        file.write_all(content).unwrap();
        // SAFETY: no memory is involved.
        let status = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) };
        assert_eq!(status, 0, "F_ADD_SEALS: {}", io::Error::last_os_error());
        file
    }

    #[cfg(all(feature = "mmap", target_os = "linux"))]
    #[test]
    fn a_file_that_nobody_can_change_is_mapped_without_unsafe() {
        let content = b"for ever\n".repeat(100_000);
        let file = sealed(&content, libc::F_SEAL_SHRINK | libc::F_SEAL_WRITE);
        let bytes = map_if_safe(&file).unwrap();
        assert!(bytes.is_mapped());
        assert!(*bytes == *content);
        assert!(file.set_len(0).is_err(), "that is what the seals are for");
        assert!(*bytes == *content);
    }

    /// One seal too few.
    #[cfg(all(feature = "mmap", target_os = "linux"))]
    #[test]
    fn a_file_that_somebody_could_change_is_read() {
        let content = b"for now\n".repeat(100_000);
        for seals in [0, libc::F_SEAL_SHRINK, libc::F_SEAL_WRITE, libc::F_SEAL_GROW] {
            let file = sealed(&content, seals);
            let bytes = map_if_safe(&file).unwrap();
            assert!(!bytes.is_mapped(), "{seals:#x}");
            assert!(*bytes == *content);
        }
        let small = sealed(b"a\n", libc::F_SEAL_SHRINK | libc::F_SEAL_WRITE);
        assert!(!map_if_safe(&small).unwrap().is_mapped());
    }
}
