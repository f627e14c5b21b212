//! One suite over everything that reads lines: faults that other readers had, each by its name in the collection
//! of cases, with the whole kind behind it.
//!
//! A new backend is one entry in `conformance/backends.rs`.

#[path = "conformance/backends.rs"]
mod backends;
#[cfg(unix)]
#[path = "support/descriptors.rs"]
mod descriptors;
#[cfg(unix)]
#[path = "support/exact.rs"]
mod exact;
#[cfg(unix)]
#[path = "support/pipe.rs"]
mod pipe;
#[cfg(target_os = "linux")]
#[path = "support/refuse.rs"]
mod refuse;
#[cfg(unix)]
#[path = "support/signals.rs"]
mod signals;
#[cfg(all(target_os = "linux", feature = "stdio"))]
#[path = "support/stdio.rs"]
mod stdio;
mod support;
#[path = "conformance/sweep.rs"]
mod sweep;
#[cfg(unix)]
#[path = "support/time.rs"]
mod time;
#[cfg(unix)]
#[path = "conformance/unix.rs"]
mod unix;

use std::io::{self, BufRead, ErrorKind, Read};

use wholeline::{LineRead, LineReader, Terminator as T};

use backends::{Seen, WAYS, drain};
use support::model::{Failure, Policy, Rules};
use support::naive::{Line, Terminator, split};
use support::script::Act::{Block, D, E, Z};
use support::script::{Act, Source, Step};
use sweep::{Want, check, check_capacities, cut, last, line, naive, same, too_long};

const LF: Rules = Rules::plain(Terminator::LF);
const CRLF: Rules = Rules::plain(Terminator::CrLf);
const UNIVERSAL: Rules = Rules::plain(Terminator::Universal);

/// Every string of `len` of these bytes.
fn strings(alphabet: &[u8], len: u32) -> impl Iterator<Item = Vec<u8>> {
    let base = alphabet.len();
    (0..base.pow(len)).map(move |code| (0..len).map(|at| alphabet[code / base.pow(at) % base]).collect())
}

/// Bytes that never repeat in step with a buffer, and hold no LF and no CR.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| b' ' + (at % 89) as u8).collect()
}

/// A reader that plays a schedule, and the next thing it gives.
struct Player(LineReader<Source>);

impl Player {
    fn new(rules: Rules, capacity: usize, acts: &[Act<'_>]) -> Player {
        Player(rules.builder(capacity).build(Source::play(acts)))
    }

    #[track_caller]
    fn gives(&mut self, content: impl AsRef<[u8]>, offset: u64, number: u64) {
        let line = self.0.next_line().expect("a line").expect("not the end");
        assert_eq!((line.as_bytes(), line.offset(), line.number()), (content.as_ref(), offset, number));
        assert!(line.is_terminated());
    }

    #[track_caller]
    fn gives_last(&mut self, content: impl AsRef<[u8]>, offset: u64, number: u64) {
        let line = self.0.next_line().expect("a line").expect("not the end");
        assert_eq!((line.as_bytes(), line.offset(), line.number()), (content.as_ref(), offset, number));
        assert!(!line.is_terminated());
        assert_eq!(line.ending(), wholeline::Ending::Eof);
    }

    #[track_caller]
    fn fails(&mut self, kind: ErrorKind) {
        let error = self.0.next_line().expect_err("an error");
        assert_eq!(error.kind(), kind);
    }

    #[track_caller]
    fn ends(&mut self) {
        for _ in 0..3 {
            assert!(self.0.next_line().expect("the end").is_none());
        }
    }

    fn reads(&self) -> usize {
        self.0.get_ref().trace().len()
    }
}

#[test]
fn p01_crlf_cut_in_two_by_a_refill() {
    let p = "p".repeat(1019);
    let a = [p.as_bytes(), b"\r\nqq\r\nrr"].concat();
    check_capacities(&a, CRLF, &[1024], &[line(&p, 0, 1), line("qq", 1021, 2), last("rr", 1025, 3)]);
    check_capacities(&a, UNIVERSAL, &[1024], &[line(&p, 0, 1), line("qq", 1021, 2), last("rr", 1025, 3)]);
    check_capacities(
        &a,
        LF,
        &[1024],
        &[line(p.clone() + "\r", 0, 1), line("qq\r", 1021, 2), last("rr", 1025, 3)],
    );
    let mut reader = LineReader::with_capacity(1024, Source::whole(&a));
    assert_eq!(reader.skip_lines(9).unwrap(), 3);
    assert_eq!(reader.offset(), 1027);

    let b = [D(b"a\r"), D(b"b"), D(b"\r"), D(b"\n"), D(b"c\r"), D(b"x\n")];
    for capacity in sweep::CAPACITIES {
        let mut strip = Player::new(CRLF, capacity, &b);
        strip.gives("a\rb", 0, 1);
        strip.gives("c\rx", 5, 2);
        strip.ends();

        let mut any = Player::new(UNIVERSAL, capacity, &b);
        any.gives("a", 0, 1);
        any.gives("b", 2, 2);
        any.gives("c", 5, 3);
        any.gives("x", 7, 4);
        any.ends();
    }
}

#[test]
fn p01_every_short_mix_of_cr_and_lf_in_every_cut() {
    for len in 0..=4 {
        for bytes in strings(b"a\r\n", len) {
            for rules in [LF, CRLF, UNIVERSAL] {
                check(&bytes, rules, &naive(&bytes, rules.terminator));
            }
        }
    }
}

#[test]
fn p02_a_line_that_spans_three_or_more_buffers() {
    let long = ["0".repeat(16000), "1".repeat(16000), "2".repeat(15990)].concat();
    assert_eq!(long.len(), 47990);
    let want = [line(&long, 0, 1), last("end", 47991, 2)];
    check_capacities(long + "\nend", LF, &[16000, 4000, 16001, 15999], &want);
}

#[test]
fn p02_every_length_around_multiples_of_the_buffer() {
    for capacity in [1, 2, 3, 7, 16] {
        for len in 0..=4 * capacity + 1 {
            let long = pattern(len);
            let bytes = [b"k\n", &long[..], b"\n", &long, b"\nend"].concat();
            let second = 3 + len as u64;
            let third = second + len as u64 + 1;
            let want = [line("k", 0, 1), line(&long, 2, 2), line(&long, second, 3), last("end", third, 4)];
            for size in [1, 2, capacity, usize::MAX] {
                let plan = vec![Step::Give(size); bytes.len()];
                let reader = LineReader::with_capacity(capacity, Source::new(&bytes[..], plan));
                same(&drain(reader, backends::Way::NextLine), &bytes, LF, &want);
            }
        }
    }
}

#[test]
fn p03_unterminated_last_line_whose_length_is_a_multiple_of_the_buffer() {
    for capacity in [16, 128, 4096] {
        let c = capacity;
        for len in [c - 1, c, c + 1, 2 * c - 1, 2 * c, 2 * c + 1, 3 * c] {
            let d = "d".repeat(len);
            let first = line("k", 0, 1);
            check_capacities(format!("k\n{d}"), LF, &[c], &[first.clone(), last(&d, 2, 2)]);
            check_capacities(&d, LF, &[c], &[last(&d, 0, 1)]);
            check_capacities(format!("k\n{d}\n"), LF, &[c], &[first, line(&d, 2, 2)]);
        }
    }
}

#[test]
fn p04_delimiter_is_the_very_last_byte_of_the_buffer() {
    let want: Vec<Want> = (1..=20000).map(|number| line("y", 2 * (number - 1), number)).collect();
    check_capacities("y\n".repeat(20000), LF, &[8192], &want);
    check_capacities("abc\nde\n", LF, &[4], &[line("abc", 0, 1), line("de", 4, 2)]);
}

#[test]
fn p04_every_terminator_as_the_last_byte_of_the_buffer() {
    for (rules, end) in
        [(LF, "\n"), (CRLF, "\n"), (CRLF, "\r\n"), (UNIVERSAL, "\n"), (UNIVERSAL, "\r\n"), (UNIVERSAL, "\r")]
    {
        for len in [1, 2, 3, 6, 7, 8, 15, 16] {
            let text = "x".repeat(len) + end;
            let bytes = text.repeat(4);
            check_capacities(&bytes, rules, &[text.len()], &naive(bytes.as_bytes(), rules.terminator));
        }
    }
}

#[test]
fn p05_empty_input_only_newlines_phantom_last_line() {
    check("", LF, &[]);
    check("\n", LF, &[line("", 0, 1)]);
    check("\n\n\n", LF, &[line("", 0, 1), line("", 1, 2), line("", 2, 3)]);
    check("1\n2\n3\n", LF, &[line("1", 0, 1), line("2", 2, 2), line("3", 4, 3)]);
    check("a\n\nb", LF, &[line("a", 0, 1), line("", 2, 2), last("b", 3, 3)]);
    check("\r\n", CRLF, &[line("", 0, 1)]);
    check("\r\n\r\n", CRLF, &[line("", 0, 1), line("", 2, 2)]);

    check("\r\n", UNIVERSAL, &[line("", 0, 1)]);
    check("\r\r", UNIVERSAL, &[line("", 0, 1), line("", 1, 2)]);
    check("\n\r", UNIVERSAL, &[line("", 0, 1), line("", 1, 2)]);
    check("\0\0a", Rules::plain(Terminator::Byte(0)), &[line("", 0, 1), line("", 1, 2), last("a", 2, 3)]);
}

#[test]
fn p05_only_newlines_however_many() {
    for count in [1, 63, 64, 65, 1000] {
        for (rules, end) in [(LF, "\n"), (CRLF, "\r\n"), (CRLF, "\n"), (UNIVERSAL, "\r"), (UNIVERSAL, "\r\n")]
        {
            let bytes = end.repeat(count);
            let want: Vec<Want> =
                (0..count as u64).map(|index| line("", index * end.len() as u64, index + 1)).collect();
            let seen = drain(rules.builder(7).build(bytes.as_bytes()), backends::Way::NextLine);
            same(&seen, bytes.as_bytes(), rules, &want);
        }
    }
}

#[test]
fn p06_last_line_without_a_newline() {
    check("foo", LF, &[last("foo", 0, 1)]);
    check("foo\nba", LF, &[line("foo", 0, 1), last("ba", 4, 2)]);
    check("x", LF, &[last("x", 0, 1)]);
    check("x\n", LF, &[line("x", 0, 1)]);
    // What is almost a terminator is content there.
    check("x\r", CRLF, &[last("x\r", 0, 1)]);
    check("\r", CRLF, &[last("\r", 0, 1)]);
    check("x\r\r\n\r", CRLF, &[line("x\r", 0, 1), last("\r", 4, 2)]);
    check("x\n", Rules::plain(Terminator::Byte(0)), &[last("x\n", 0, 1)]);
}

#[test]
fn p07_nul_inside_a_line() {
    let want = [line("one \0 more", 0, 1), line("two", 11, 2), line("three", 15, 3)];
    check("one \0 more\ntwo\nthree\n", LF, &want);
    check("\0\n\0\0\nx\n", LF, &[line("\0", 0, 1), line("\0\0", 2, 2), line("x", 5, 3)]);
    check("\0abc\ndef\n", LF, &[line("\0abc", 0, 1), line("def", 5, 2)]);
    check("\0", LF, &[last("\0", 0, 1)]);
}

#[test]
fn p08_byte_0xff_taken_for_end_of_file() {
    for c in [4, 1024] {
        let a = "A".repeat(c - 1);
        let bytes = [a.as_bytes(), b"\n\xffB\n"].concat();
        check_capacities(&bytes, LF, &[c], &[line(&a, 0, 1), line(b"\xffB", c as u64, 2)]);
    }
    check(b"\xff\xff\xff", LF, &[last(b"\xff\xff\xff", 0, 1)]);

    for capacity in sweep::CAPACITIES {
        let mut reader = LineReader::with_capacity(capacity, Source::whole(b"A\n\xff\xff"));
        for byte in [b'A', b'\n', 255, 255] {
            assert_eq!(reader.peek_byte().unwrap(), Some(byte));
            assert_eq!(reader.next_byte().unwrap(), Some(byte));
        }
        assert_eq!(reader.next_byte().unwrap(), None);
    }
}

#[test]
fn p08_no_byte_is_special() {
    for byte in 0..=255 {
        let bytes = [b"AAA\n", &[byte, b'B', b'\n', byte, byte][..]].concat();
        for rules in [LF, Rules::plain(Terminator::Byte(byte)), Rules::plain(Terminator::Byte(byte ^ 0x80))] {
            let want = naive(&bytes, rules.terminator);
            for capacity in [1, 4, 4096] {
                let reader = rules.builder(capacity).build(&bytes[..]);
                same(&drain(reader, backends::Way::NextLine), &bytes, rules, &want);
            }
        }
    }
}

/// So many bytes of `z`, then LF, in pieces.
struct Long {
    left: u64,
    piece: usize,
    reads: u64,
}

impl Read for Long {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        let len = dst.len().min(self.piece).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        dst[..len].fill(b'z');
        self.left -= len as u64;
        if self.left == 0 && len > 0 {
            dst[len - 1] = b'\n';
        }
        Ok(len)
    }
}

/// That nothing is scanned twice or moved too often is not visible from out here; what is, is that the line is
/// right, and takes no read more than its pieces.
#[test]
fn p09_quadratic_rescan_of_a_long_line() {
    for (piece, capacity) in [(1460, 8192), (65536, 8192), (65536, 65536)] {
        for len in [2 << 20, 4 << 20, 8 << 20] {
            let mut reader =
                LineReader::with_capacity(capacity, Long { left: len as u64 + 1, piece, reads: 0 });
            let line = reader.next_line().unwrap().unwrap();
            assert_eq!(line.len(), len);
            assert!(line.is_terminated());
            assert!(line.iter().all(|&byte| byte == b'z'));
            assert!(reader.next_line().unwrap().is_none());
            if piece < capacity {
                // A read is cut short only where the buffer was full, which doubles from there.
                let most = (len + 1).div_ceil(piece) as u64 + 1 + 12;
                assert!(reader.get_ref().reads <= most, "{} reads, not {most}", reader.get_ref().reads);
            }
        }
    }
}

#[test]
fn p10_eintr_and_eagain_in_the_middle_of_a_line() {
    use ErrorKind::{Interrupted, WouldBlock};
    for capacity in sweep::CAPACITIES {
        let acts = [D(b"he"), E(Interrupted), E(Interrupted), D(b"llo\nx"), E(Interrupted), Z];
        let mut player = Player::new(LF, capacity, &acts);
        player.gives("hello", 0, 1);
        player.gives_last("x", 6, 2);
        player.ends();

        let acts = [D(b"first\nCop"), E(WouldBlock), E(WouldBlock), D(b"y\nK3\n")];
        let mut player = Player::new(LF, capacity, &acts);
        player.gives("first", 0, 1);
        player.fails(WouldBlock);
        player.fails(WouldBlock);
        player.gives("Copy", 6, 2);
        player.gives("K3", 11, 3);
        player.ends();

        let mut lines =
            Rules::plain(Terminator::LF).builder(capacity).build(Source::play(&acts)).into_lines();
        assert_eq!(lines.next().unwrap().unwrap(), "first");
        for _ in 0..2 {
            assert_eq!(lines.next().unwrap().unwrap_err().kind(), WouldBlock);
        }
        assert_eq!(lines.next().unwrap().unwrap(), "Copy");
        assert_eq!(lines.next().unwrap().unwrap(), "K3");
        assert!(lines.next().is_none());
    }
}

/// Before each byte in turn one error of each kind: it comes out once, and the lines are the same.
#[test]
fn p10_p11_an_error_before_every_byte() {
    use ErrorKind::{ConnectionReset, Interrupted, InvalidData, Other, TimedOut, UnexpectedEof, WouldBlock};
    let bytes = b"ab\r\n\ncd\re\xc3\xa9\nlast";
    for kind in [WouldBlock, TimedOut, Interrupted, Other, UnexpectedEof, InvalidData, ConnectionReset] {
        for at in 0..=bytes.len() {
            let acts = [D(&bytes[..at]), E(kind), E(kind), D(&bytes[at..])];
            for rules in [LF, CRLF, UNIVERSAL] {
                for capacity in [1, 3, 4096] {
                    for way in WAYS {
                        let seen = drain(rules.builder(capacity).build(Source::play(&acts)), way);
                        let (errors, lines): (Vec<Seen>, Vec<Seen>) = seen
                            .into_iter()
                            .partition(|seen| matches!(seen, Seen::Failed(Failure::Io(it)) if *it == kind));
                        assert_eq!(errors.len(), if kind == Interrupted { 0 } else { 2 }, "{way:?}");
                        same(&lines, bytes, rules, &naive(bytes, rules.terminator));
                    }
                }
            }
        }
    }
}

#[test]
fn p11_other_io_error_in_the_middle_of_a_line() {
    for capacity in sweep::CAPACITIES {
        let acts = [D(b"done\nab\xc3"), E(ErrorKind::Other), D(b"\xa9cd\nghi\n")];
        let mut player = Player::new(LF, capacity, &acts);
        player.gives("done", 0, 1);
        player.fails(ErrorKind::Other);
        assert_eq!(player.0.partial(), b"ab\xc3");
        player.gives(b"ab\xc3\xa9cd", 5, 2);
        player.gives("ghi", 12, 3);
        player.ends();

        let mut given_up = Player::new(LF, capacity, &acts);
        given_up.gives("done", 0, 1);
        given_up.fails(ErrorKind::Other);
        assert_eq!(given_up.0.into_parts().1, b"ab\xc3");
    }
}

#[test]
fn p12_an_error_that_repeats_for_ever() {
    for kind in [ErrorKind::IsADirectory, ErrorKind::Other, ErrorKind::UnexpectedEof] {
        // Call by call: each costs one read, and none is made up.
        let acts = [vec![D(b"a\nb")], vec![E(kind); 100]].concat();
        let mut player = Player::new(LF, 4096, &acts);
        player.gives("a", 0, 1);
        for reads in 2..=101 {
            player.fails(kind);
            assert_eq!(player.reads(), reads);
        }
        // As an iterator: once, then over, without another read.
        let mut lines = LineReader::new(Source::play(&[D(b"a\nb"), E(kind), Block])).into_lines();
        assert_eq!(lines.next().unwrap().unwrap(), "a");
        assert_eq!(lines.next().unwrap().unwrap_err().kind(), kind);
        for _ in 0..3 {
            assert!(lines.next().is_none());
        }
        // The loop that never ended.
        let acts = [D(b"a\nb"), E(kind), Block];
        assert_eq!(LineReader::new(Source::play(&acts)).into_lines().filter_map(Result::ok).count(), 1);
    }
}

#[test]
fn p13_a_line_comes_out_as_soon_as_it_is_complete() {
    let mut player = Player::new(LF, 4096, &[D(b"[\"v\"]\n"), Block]);
    player.gives("[\"v\"]", 0, 1);
    assert_eq!(player.reads(), 1);

    let mut player = Player::new(LF, 4096, &[D(b"a\nb\nc"), Block]);
    player.gives("a", 0, 1);
    player.gives("b", 2, 2);
    assert_eq!(player.reads(), 1);

    // A CR is not held back to see whether its LF follows.
    let mut player = Player::new(UNIVERSAL, 4096, &[D(b"50 %\r"), Block]);
    player.gives("50 %", 0, 1);

    // The other calls do not read ahead either.
    let acts = [D(b"a\nb\nc"), Block];
    let mut reader = LineReader::new(Source::play(&acts));
    assert_eq!(reader.next_batch().unwrap().unwrap().count(), 2);
    let mut reader = LineReader::new(Source::play(&acts));
    assert_eq!(reader.skip_lines(2).unwrap(), 2);
    let mut reader = LineReader::new(Source::play(&acts));
    assert_eq!(reader.fill_buf().unwrap(), b"a\nb\nc");
    let mut seen = 0;
    let stopped = LineReader::new(Source::play(&acts)).try_for_each_line(|_| {
        seen += 1;
        if seen < 2 { Ok(std::ops::ControlFlow::Continue(())) } else { Err(ErrorKind::Other.into()) }
    });
    assert_eq!(stopped.map_err(|error: io::Error| error.kind()), Err(ErrorKind::Other));
}

#[test]
fn p14_unread_bytes_can_be_had() {
    let mut reader = LineReader::new(Source::whole(b"a\nb\nc\n"));
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"a");
    assert_eq!(reader.buffer(), b"b\nc\n");
    let (source, unread) = reader.into_parts();
    assert_eq!(unread, b"b\nc\n");
    let lines = drain(LineReader::new(unread.chain(source)), backends::Way::NextLine);
    same(&lines, b"b\nc\n", LF, &[line("b", 0, 1), line("c", 2, 2)]);
}

#[test]
fn p15_lines_already_buffered_can_be_asked_for() {
    let mut player = Player::new(LF, 4096, &[D(b"m1\nm2\nm3\nm4-par"), Block]);
    assert!(!player.0.has_line(), "nothing is buffered before the first read");
    player.gives("m1", 0, 1);
    assert!(player.0.has_line());
    player.gives("m2", 3, 2);
    assert!(player.0.has_line());
    player.gives("m3", 6, 3);
    assert!(!player.0.has_line());
    assert_eq!(player.0.buffer(), b"m4-par");
    assert_eq!(player.0.partial(), b"m4-par");
    assert_eq!(player.reads(), 1);
}

/// What a safe `Read` may do that a sane one does not.
struct Claims(fn(usize) -> usize);

impl Read for Claims {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        Ok((self.0)(dst.len()))
    }
}

#[test]
fn p16_read_that_claims_more_than_it_was_asked_for() {
    let lies: [fn(usize) -> usize; 3] = [|asked| asked * 20, |asked| asked + 1, |_| usize::MAX];
    for lie in lies {
        for capacity in [1, 7, 4096] {
            let reader = || LineReader::with_capacity(capacity, Claims(lie));
            let claims = |error: io::Error| assert_eq!(error.kind(), ErrorKind::Other);
            claims(reader().next_line().unwrap_err());
            claims(reader().next_batch().unwrap_err());
            claims(reader().for_each_line(|_| panic!("there is no line")).unwrap_err());
            claims(reader().skip_lines(1).unwrap_err());
            claims(reader().peek_byte().unwrap_err());
            claims(reader().next_byte().unwrap_err());
            claims(reader().fill_buf().unwrap_err());
            claims(reader().read(&mut [0; 3]).unwrap_err());
            claims(reader().read(&mut [0; 8192]).unwrap_err());
            // As an error that retrying does not cure.
            assert_eq!(reader().into_lines().count(), 1);
        }
    }
}

#[test]
fn p16_read_that_writes_nothing_shows_what_the_buffer_held() {
    let mut reader = LineReader::with_capacity(16, Claims(|asked| asked));
    assert_eq!(reader.fill_buf().unwrap(), [0; 16]);
    // Whatever was read before may show, and nothing else.
    let mut reader = LineReader::with_capacity(16, b"secret\n".chain(Claims(|asked| asked)));
    assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), b"secret");
    assert_eq!(reader.fill_buf().unwrap(), b"secret\n\0\0\0\0\0\0\0\0\0");
}

const POLICIES: [Policy; 3] = [Policy::Error, Policy::Skip, Policy::Truncate];

#[test]
fn p19_maximum_line_length_said_once() {
    let input = "abcdefghijk".to_owned() + &"m".repeat(25) + "q\nok\n";
    let max = |policy| Rules::limited(8, policy);
    check(&input, max(Policy::Error), &[too_long(0, 1), line("ok", 38, 2)]);
    check(&input, max(Policy::Skip), &[line("ok", 38, 2)]);
    check(&input, max(Policy::Truncate), &[cut("abcdefgh", 0, 1), line("ok", 38, 2)]);

    for policy in POLICIES {
        let pieces = [D(b"abcdef"), D(b"ghijk"), D(&[b'm'; 25]), D(b"q\nok\n")];
        let mut player = Player::new(max(policy), 4096, &pieces);
        match policy {
            Policy::Error => player.fails(ErrorKind::InvalidData),
            Policy::Skip => assert_eq!(player.reads(), 0),
            Policy::Truncate => assert_eq!(player.0.next_line().unwrap().unwrap().as_bytes(), b"abcdefgh"),
        }
        player.gives("ok", 38, 2);
        player.ends();
        assert_eq!(player.0.skipped(), u64::from(policy == Policy::Skip));
    }
}

#[test]
fn p19_edges_of_the_limit() {
    // Each input, and what is over-long in it: its offset, its number, what is kept when it is cut.
    for (input, rules, want) in [
        ("12345678\nx\n", LF, vec![line("12345678", 0, 1), line("x", 9, 2)]),
        ("123456789\nx\n", LF, vec![too_long(0, 1), line("x", 10, 2)]),
        ("123456789", LF, vec![too_long(0, 1)]),
        ("12345678", LF, vec![last("12345678", 0, 1)]),
        ("x\n123456789", LF, vec![line("x", 0, 1), too_long(2, 2)]),
        ("12345678\r\n", LF, vec![too_long(0, 1)]),
        ("12345678\r\n", CRLF, vec![line("12345678", 0, 1)]),
        ("12345678\r\nx", CRLF, vec![line("12345678", 0, 1), last("x", 10, 2)]),
        ("123456789\r\nx", CRLF, vec![too_long(0, 1), last("x", 11, 2)]),
        // At the end of input a CR is content.
        ("12345678\r", CRLF, vec![too_long(0, 1)]),
        ("12345678\r\r\nx", CRLF, vec![too_long(0, 1), last("x", 11, 2)]),
        ("12345678\rx", UNIVERSAL, vec![line("12345678", 0, 1), last("x", 9, 2)]),
        ("12345678\r\nx", UNIVERSAL, vec![line("12345678", 0, 1), last("x", 10, 2)]),
        ("123456789\r\nx", UNIVERSAL, vec![too_long(0, 1), last("x", 11, 2)]),
        ("123456789\r\n\nx", UNIVERSAL, vec![too_long(0, 1), line("", 11, 2), last("x", 12, 3)]),
        ("123456789\rx", UNIVERSAL, vec![too_long(0, 1), last("x", 10, 2)]),
        (
            "123456789\n123456789\n\nx",
            LF,
            vec![too_long(0, 1), too_long(10, 2), line("", 20, 3), last("x", 21, 4)],
        ),
    ] {
        let rules = |policy| Rules { limit: Some(8), policy, ..rules };
        check(input, rules(Policy::Error), &want);
        let skipped: Vec<Want> = want.iter().filter(|want| !want.is_too_long()).cloned().collect();
        check(input, rules(Policy::Skip), &skipped);
        let truncated: Vec<Want> = want.iter().map(|want| want.cut_to("12345678")).collect();
        check(input, rules(Policy::Truncate), &truncated);
    }
}

/// Memory stays within capacity, limit and a constant while a line of 1 GiB goes by.
#[test]
fn p19_a_gibibyte_without_a_newline() {
    for (policy, len) in [(Policy::Error, 1 << 26), (Policy::Skip, 1 << 30), (Policy::Truncate, 1 << 26)] {
        let rules = Rules::limited(1000, policy);
        let source = Long { left: len, piece: usize::MAX, reads: 0 }.chain(&b"ok\n"[..]);
        let mut reader = rules.builder(65536).build(source);
        match policy {
            Policy::Error => {
                let error = reader.next_line().unwrap_err();
                let too_long = Failure::TooLong { offset: 0, number: 1, limit: 1000 };
                assert_eq!(Failure::from(&error), too_long);
            }
            Policy::Skip => {}
            Policy::Truncate => assert_eq!(reader.next_line().unwrap().unwrap().as_bytes(), [b'z'; 1000]),
        }
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.as_bytes(), line.offset(), line.number()), (&b"ok"[..], len, 2));
        assert!(reader.capacity() <= 65536 + 1000 + 64, "{} bytes of buffer", reader.capacity());
    }
}

/// The limit alone decides how far a small buffer grows.
#[test]
fn p19_memory_for_a_small_buffer() {
    for (capacity, limit, len) in
        [(1, 8, 10_000), (16, 100, 10_000), (100, 16, 10_000), (64, 100_000, 1_000_000), (1, 0, 1000)]
    {
        for terminator in [Terminator::LF, Terminator::CrLf, Terminator::Universal] {
            for policy in POLICIES {
                let rules = Rules { terminator, ..Rules::limited(limit, policy) };
                let long = Long { left: len, piece: 1460, reads: 0 };
                let mut reader = rules.builder(capacity).build(long);
                // An error or the beginning of the line, if the policy gives any; then the end.
                for _ in 0..2 {
                    let _ = reader.next_line();
                }
                assert!(reader.next_line().unwrap().is_none());
                assert_eq!(reader.offset(), len);
                let most = capacity + limit + 64;
                assert!(reader.capacity() <= most, "{} > {most}", reader.capacity());
            }
        }
    }
}

#[test]
fn p20_offsets_with_crlf_and_odd_crs() {
    let input = "a\r\nbb\r\n\r\nccc\nd\re\r\nlast\r";
    let want = [
        line("a", 0, 1),
        line("bb", 3, 2),
        line("", 7, 3),
        line("ccc", 9, 4),
        line("d\re", 13, 5),
        last("last\r", 18, 6),
    ];
    check(input, CRLF, &want);
    for capacity in sweep::CAPACITIES {
        let mut reader = CRLF.builder(capacity).build(Source::whole(input.as_bytes()));
        reader.for_each_line(|_| {}).unwrap();
        assert_eq!(reader.offset(), 23);
        assert_eq!(reader.terminator(), T::CRLF);
    }
}

/// Wherever a line says it begins, there it stands in the input.
#[test]
fn p20_offsets_are_where_the_lines_are() {
    for bytes in strings(b"ab\r\n", 6).step_by(7) {
        for rules in [LF, CRLF, UNIVERSAL] {
            for capacity in [1, 3, 64] {
                let mut reader = rules.builder(capacity).build(&bytes[..]);
                let mut before = reader.offset();
                while let Some(line) = reader.next_line().unwrap() {
                    let line = Line::from(line);
                    let at = line.offset as usize;
                    assert!(bytes[at..].starts_with(&line.whole));
                    assert!(line.offset >= before);
                    before = line.offset + line.whole.len() as u64;
                    assert_eq!(reader.offset(), before);
                }
                assert_eq!(split(rules.terminator, &bytes).len() as u64, reader.line_number() - 1);
            }
        }
    }
}
