//! The inputs the fuzzer starts from: the cases of other readers' faults, small, by their names there, and this
//! crate's own hard places.
//!
//! What a case should give is not said here: the models know.

use std::io::{ErrorKind, SeekFrom};
use std::path::{Path, PathBuf};

use crate::reader::{Reader, STEPS};
use crate::scan::Scan;
use crate::support::driver::{Call, Case};
use crate::support::model::{Policy, Rules};
use crate::support::naive::Terminator::{self, Byte, CrLf, Universal};
use crate::support::script::Step;
use crate::support::script::Step::{End, Fail, Give, Lie};

/// Where the inputs are.
pub const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// An input with a name.
pub struct Seed {
    target: &'static str,
    name: String,
    /// The bytes that a target is given.
    pub input: Vec<u8>,
}

impl Seed {
    pub(crate) fn new(target: &'static str, name: impl Into<String>, input: Vec<u8>) -> Seed {
        Seed { target, name: name.into(), input }
    }

    /// Where it is committed.
    pub fn path(&self) -> PathBuf {
        [Path::new(CORPUS), self.target.as_ref(), self.name.as_ref()].iter().collect()
    }
}

/// Every input that has a name.
pub fn all() -> Vec<Seed> {
    let mut seeds = Seeds(Vec::new());
    seeds.streams();
    seeds.schedules();
    seeds.limits();
    seeds.calls();
    seeds.kernels();
    let Seeds(mut seeds) = seeds;
    seeds.extend(crate::backends::seeds());
    seeds.extend(crate::config::seeds());
    seeds.extend(crate::exact::seeds());
    seeds.extend(crate::packed_refs::seeds());
    seeds.extend(crate::ranges::seeds());
    seeds.extend(crate::sorted::seeds());
    seeds
}

const LF: Terminator = Terminator::LF;

struct Seeds(Vec<Seed>);

impl Seeds {
    fn scan(&mut self, name: &str, terminator: Terminator, bytes: &[u8]) {
        // Each somewhere else, and not all of them cloned at the start.
        let (shift, taken) = (self.0.len() % 64, self.0.len() % 3);
        let input = Scan { terminator, shift, taken, bytes: bytes.to_vec() }.input();
        self.0.push(Seed::new("scan", name, input));
    }

    fn reader(&mut self, name: &str, case: Case) {
        let input = Reader(case).input();
        self.0.push(Seed::new("reader", name, input));
    }

    /// Nothing but bytes: for both targets, and for the reader in one piece, byte by byte, and in a buffer that
    /// has to grow.
    fn stream(&mut self, name: &str, terminator: Terminator, capacity: usize, bytes: &[u8]) {
        self.scan(name, terminator, bytes);
        let case = Case { rules: Rules::plain(terminator), capacity, ..case(bytes) };
        self.reader(
            &format!("{name}-bytewise"),
            Case { plan: plan(&vec![Give(1); bytes.len().min(STEPS)]), ..case.clone() },
        );
        self.reader(&format!("{name}-grown"), Case { capacity: 1, ..case.clone() });
        self.reader(name, case);
    }

    fn streams(&mut self) {
        let p01 = [&[b'p'; 1019][..], b"\r\nqq\r\nrr"].concat();
        self.stream("p01-crlf-cut", CrLf, 1024, &p01);
        self.stream("p01-crlf-cut-keep", LF, 1024, &p01);
        self.stream("p01-crlf-cut-any", Universal, 1024, &p01);
        // A sixteenth of the size it has there; the others that are too long are cut short too.
        let p02 = [&[b'0'; 1024][..], &[b'1'; 1024], &[b'2'; 1023], b"\nend"].concat();
        for capacity in [1024, 256, 1025, 1023] {
            let case = Case { capacity, ..case(&p02) };
            self.reader(&format!("p02-three-buffers-{capacity}"), case);
        }
        for capacity in [16, 128, 4096] {
            for len in [capacity - 1, capacity, capacity + 1, 2 * capacity - 1, 2 * capacity] {
                let bytes = [b"k\n", &vec![b'd'; len][..]].concat();
                self.reader(&format!("p03-multiple-{capacity}-{len}"), Case { capacity, ..case(&bytes) });
            }
        }
        self.stream("p04-delimiter-last", LF, 4096, &b"y\n".repeat(2100));
        self.stream("p04-delimiter-last-small", LF, 4, b"abc\nde\n");
        self.stream("p05-empty", LF, 4096, b"");
        self.stream("p05-one-newline", LF, 4096, b"\n");
        self.stream("p05-newlines", LF, 4096, b"\n\n\n");
        self.stream("p05-digits", LF, 4096, b"1\n2\n3\n");
        self.stream("p05-empty-line", LF, 4096, b"a\n\nb");
        self.stream("p05-crlf", CrLf, 4096, b"\r\n\r\n");
        self.stream("p06-no-newline", LF, 4096, b"foo\nba");
        self.stream("p06-one-byte", LF, 4096, b"x");
        self.stream("p07-nul", LF, 16, b"one \0 more\ntwo\nthree\n");
        self.stream("p07-nul-only", LF, 4096, b"\0\n\0\0\nx\n");
        self.stream("p07-nul-first", LF, 4096, b"\0abc\ndef\n");
        self.stream("p07-nul-ends", Byte(0), 4096, b"\0abc\ndef\0\0x");
        self.stream("p08-0xff", LF, 1024, &[&[b'A'; 1023][..], b"\n\xffB\n"].concat());
        self.stream("p08-0xff-only", LF, 2, b"\xff\xff\xff");
        self.stream("p08-0xff-ends", Byte(0xFF), 2, b"\xff\xffa\xff");
        self.stream("p18-last-page", LF, 4096, &[&b"a,b\n".repeat(1023)[..], b"1,23"].concat());
        self.stream("p18-last-page-newline", LF, 4096, &b"a,b\n".repeat(1024));
        self.stream("p20-odd-crs", CrLf, 16, b"a\r\nbb\r\n\r\nccc\nd\re\r\nlast\r");
        self.stream("p20-odd-crs-any", Universal, 16, b"a\r\nbb\r\n\r\nccc\nd\re\r\nlast\r");
        let id = b"0123456789abcdef0123456789abcdef01234567";
        let header = &b"# pack-refs with: peeled fully-peeled sorted \n"[..];
        let refs = [header, id, b" refs/heads/m\n", id, b" refs/tags/v1\n^", id].concat();
        self.stream("p21-packed-refs", LF, 64, &refs);
        self.stream("p21-packed-refs-header", LF, 64, header);
        self.stream("p22-config-bom", CrLf, 16, b"\xef\xbb\xbf[core]\r\n\tbare = true\r\n\r\n");
        self.stream("p22-config-cr", CrLf, 16, b"[a]\n\tk = v\rw\n\tk = \"v\r\"");
        self.stream("p23-config-continued", CrLf, 16, b"[a]\n\tk = v\\\r\n w\r\n\tj = v\\");
    }

    fn schedules(&mut self) {
        use ErrorKind::{Interrupted, IsADirectory, Other, WouldBlock};
        let cut = [D(b"a\r"), D(b"b"), D(b"\r"), D(b"\n"), D(b"c\r"), D(b"x\n")];
        self.reader("p01-crlf-cut-b", played(&cut));
        self.reader("p01-crlf-cut-b-strip", Case { rules: Rules::plain(CrLf), ..played(&cut) });
        self.reader("p01-crlf-cut-b-any", Case { rules: Rules::plain(Universal), ..played(&cut) });
        let long = Case {
            plan: plan(&[Give(98); 82]),
            capacity: 4096,
            ..case(&[&[b'z'; 8000][..], b"\n"].concat())
        };
        self.reader("p09-long-line", long);
        let eintr = [
            D(b"he"),
            S(Fail(Interrupted)),
            S(Fail(Interrupted)),
            D(b"llo\nx"),
            S(Fail(Interrupted)),
            S(End),
        ];
        self.reader("p10-eintr", played(&eintr));
        let eagain = played(&[D(b"first\nCop"), S(Fail(WouldBlock)), S(Fail(WouldBlock)), D(b"y\nK3\n")]);
        self.reader("p10-eagain", Case { calls: vec![Call::NextLine; 6], ..eagain.clone() });
        self.reader("p10-eagain-iterator", Case { calls: vec![Call::IntoLines(6)], ..eagain.clone() });
        self.reader("p10-eagain-batch", Case { calls: vec![Call::NextBatch; 6], ..eagain });
        let other = played(&[D(b"done\nab\xc3"), S(Fail(Other)), D(b"\xa9cd\nghi\n")]);
        self.reader("p11-other-error", Case { calls: vec![Call::NextLine; 5], ..other.clone() });
        self.reader("p11-other-error-read-until", Case { calls: vec![Call::ReadUntil(b'\n'); 5], ..other });
        let directory = played(&[S(Fail(IsADirectory)); 12]);
        self.reader("p12-directory", Case { calls: vec![Call::NextLine; 4], ..directory.clone() });
        self.reader("p12-directory-iterator", Case { calls: vec![Call::IntoLines(4); 3], ..directory });
        let pipe = Case { calls: vec![Call::NextLine; 2], ..played(&[D(b"[\"v\"]\n"), S(Fail(WouldBlock))]) };
        self.reader("p13-pipe", pipe);
        let pipe = Case { calls: vec![Call::NextLine; 3], ..played(&[D(b"a\nb\nc"), S(Fail(WouldBlock))]) };
        self.reader("p13-pipe-three", pipe);
        let over_read =
            Case { calls: vec![Call::NextLine, Call::Sync, Call::NextByte], ..case(b"a\nb\nc\n") };
        self.reader("p14-over-read", over_read);
        let poll = played(&[D(b"m1\nm2\nm3\nm4-par"), S(Fail(WouldBlock))]);
        self.reader("p15-poll", Case { calls: vec![Call::NextLine; 4], ..poll });
        let lie = played(&[D(b"ab"), S(Lie(1)), D(b"c\nd"), S(Lie(usize::MAX)), D(b"e\n"), S(Lie(4096))]);
        self.reader("p16-lie", Case { calls: vec![Call::NextLine; 5], ..lie.clone() });
        self.reader("p16-lie-direct", Case { calls: vec![Call::Read(4096); 7], ..lie });
        let grows = played(&[D(b"a\nb"), S(End), D(b"c"), S(End), S(End), D(b"\nd"), S(End)]);
        self.reader("end-comes-again", Case { calls: vec![Call::NextLine; 8], ..grows.clone() });
        let follow = Rules { follow: true, ..Rules::plain(LF) };
        self.reader("follow", Case { calls: vec![Call::NextLine; 8], rules: follow, ..grows });
    }

    fn limits(&mut self) {
        let acts = [D(b"abcdef"), D(b"ghijk"), D(&[b'm'; 25]), D(b"q\nok\n")];
        for (policy, name) in
            [(Policy::Error, "error"), (Policy::Skip, "skip"), (Policy::Truncate, "truncate")]
        {
            let limited = |case: Case| Case { rules: Rules { policy, limit: Some(8), ..case.rules }, ..case };
            let calls = [Call::NextLine, Call::NextLine, Call::NextLine].to_vec();
            self.reader(&format!("p19-limit-{name}"), limited(Case { calls, ..played(&acts) }));
            self.reader(
                &format!("p19-limit-{name}-batch"),
                limited(Case { calls: vec![Call::NextBatch; 4], ..played(&acts) }),
            );
            let follow = Rules { follow: true, ..Rules::plain(LF) };
            let ends = [D(b"ok\nabcdefghi"), S(End), D(b"jk"), S(End), D(b"\nx\n")];
            let follow = Case { calls: vec![Call::NextLine; 5], rules: follow, ..played(&ends) };
            self.reader(&format!("p19-limit-{name}-follow"), limited(follow));
            for (bytes, rest) in [(&b"12345678\n123456789\nok"[..], "edges"), (b"123456789", "end")] {
                self.reader(&format!("p19-limit-{name}-{rest}"), limited(case(bytes)));
            }
            let crlf = Case {
                rules: Rules::plain(CrLf),
                plan: plan(&[Give(9); 3]),
                ..case(b"12345678\r\n12345678\r\r\n")
            };
            self.reader(&format!("p19-limit-{name}-crlf"), limited(crlf));
            let torn = Case {
                rules: Rules::plain(Universal),
                ..played(&[D(b"1234567890\r"), D(b"\nab\r"), D(b"\n\r")])
            };
            self.reader(&format!("p19-limit-{name}-any"), limited(torn));
            let window =
                [b"short\n".repeat(700), vec![b'l'; 9], b"\n".to_vec(), b"short\n".repeat(700)].concat();
            self.reader(
                &format!("p19-limit-{name}-windows"),
                limited(Case { capacity: 8192, ..case(&window) }),
            );
        }
    }

    fn calls(&mut self) {
        use Call::*;
        let text = b"name: x\r\n\r\nbody\nof \xff\0 three\nlines";
        let mixed = vec![
            NextLine,
            PeekByte,
            NextByte,
            FillBuf,
            Consume(3),
            NextBatch,
            ReadLineInto,
            Read(4),
            NextLine,
        ];
        self.reader("mixed-calls", Case { calls: mixed.clone(), ..case(text) });
        self.reader("mixed-calls-crlf", Case { calls: mixed, rules: Rules::plain(CrLf), ..case(text) });
        let stops = [(1, false), (0, true), (9, false)].map(|(stop, fail)| TryForEachLine { stop, fail });
        self.reader("callbacks", Case { calls: stops.to_vec(), ..case(&text.repeat(3)) });
        self.reader(
            "skip-lines",
            Case { calls: vec![SkipLines(2), NextLine, SkipLines(u64::MAX)], ..case(text) },
        );
        let to = [
            SeekFrom::Start(9),
            SeekFrom::Current(2),
            SeekFrom::Current(0),
            SeekFrom::Current(-3),
            SeekFrom::End(-4),
        ];
        let seeks = to.into_iter().flat_map(|to| [NextLine, StreamPosition, Seek(to)]).collect();
        self.reader("seek", Case { calls: seeks, capacity: 16, ..case(text) });
        let far = [
            SeekFrom::Current(i64::MIN),
            SeekFrom::Current(i64::MAX),
            SeekFrom::End(i64::MIN),
            SeekFrom::Start(u64::MAX),
        ];
        let seeks = far.into_iter().flat_map(|to| [NextLine, Seek(to), NextByte]).collect();
        self.reader("seek-far", Case { calls: seeks, capacity: 16, ..case(text) });
        let torn = b"a\r\nb\r\n\r\r\nc\r\n";
        let bytes = vec![NextByte, NextByte, NextLine, NextByte, NextByte, NextBatch];
        for (size, name) in [(2, "cut"), (9, "whole")] {
            let rules = Rules::plain(Universal);
            let case = Case { calls: bytes.clone(), rules, plan: plan(&[Give(size); 7]), ..case(torn) };
            self.reader(&format!("torn-crlf-{name}"), case.clone());
            let calls = vec![Read(2), NextLine, Sync, Read(2), Read(9), NextLine];
            self.reader(&format!("torn-crlf-{name}-read"), Case { calls, capacity: 2, ..case });
        }
        let shrink = vec![
            NextLine,
            ShrinkTo(0),
            NextLine,
            NextLine,
            ShrinkTo(4),
            ShrinkTo(usize::MAX),
            Reset,
            NextLine,
        ];
        let bytes = [&[b'z'; 300][..], b"\nabc\nd\ne"].concat();
        self.reader("shrink-and-reset", Case { calls: shrink, capacity: 8, ..case(&bytes) });
    }

    fn kernels(&mut self) {
        for needle in [b'\n', 0, 0xFF, 0x80] {
            for (filler, name) in
                [(needle ^ 1, "low-bit"), (needle ^ 0x80, "high-bit"), (!needle, "inverted")]
            {
                let mut bytes = vec![filler; 200];
                for at in [0, 15, 16, 31, 32, 63, 64, 127, 128, 199] {
                    bytes[at] = needle;
                }
                self.scan(&format!("kernel-{needle:02x}-{name}"), Byte(needle), &bytes);
            }
        }
        for len in [1, 63, 64, 65, 128, 4032, 4096] {
            self.scan(&format!("kernel-all-{len}"), LF, &vec![b'\n'; len]);
            self.scan(&format!("kernel-last-{len}"), LF, &[&vec![b'x'; len - 1][..], b"\n"].concat());
            for (terminator, name) in [(CrLf, "crlf"), (Universal, "any")] {
                // CR in the last place of a block or a window, LF in the first of the next.
                let bytes = [&vec![b'x'; len - 1][..], b"\r\n\r"].concat();
                self.scan(&format!("kernel-cut-{len}-{name}"), terminator, &bytes);
            }
        }
    }
}

/// What a read does: gives these bytes, or something else.
#[derive(Clone, Copy)]
enum Act<'a> {
    D(&'a [u8]),
    S(Step),
}
use Act::{D, S};

fn played(acts: &[Act<'_>]) -> Case {
    let mut bytes = Vec::new();
    let mut steps = Vec::new();
    for act in acts {
        match act {
            D(data) => {
                bytes.extend_from_slice(data);
                steps.push(Give(data.len()));
            }
            S(step) => steps.push(*step),
        }
    }
    Case { plan: plan(&steps), ..case(&bytes) }
}

fn plan(steps: &[Step]) -> Vec<Step> {
    [steps, &[Step::Rest]].concat()
}

/// These bytes at once, and no call but those that every case ends with.
fn case(bytes: &[u8]) -> Case {
    Case {
        bytes: bytes.to_vec(),
        plan: plan(&[]),
        capacity: 4096,
        rules: Rules::plain(LF),
        calls: Vec::new(),
    }
}
