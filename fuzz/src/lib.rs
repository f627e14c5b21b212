//! What the fuzz targets run, how an input's bytes become a case, and the inputs they start from.

pub mod backends;
pub mod config;
pub mod exact;
mod format;
pub mod packed_refs;
pub mod ranges;
pub mod reader;
pub mod scan;
pub mod seeds;
pub mod sorted;

#[path = "../../tests/support/stdio.rs"]
mod stdio;
// The model and the driver that the crate's own tests use.
#[path = "../../tests/support/mod.rs"]
mod support;

// What `exact` has besides.
#[path = "../../tests/support/descriptors.rs"]
mod descriptors;
#[path = "../../tests/support/exact.rs"]
mod exactly;
#[path = "../../tests/support/pipe.rs"]
mod pipe;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use arbitrary::{Arbitrary, Unstructured};

    use super::{
        backends::Backends, config::Config, exact::Exact, packed_refs::PackedRefs, ranges::Ranges,
        reader::Reader, scan::Scan, seeds, sorted::Sorted,
    };

    #[test]
    fn seeds_are_committed_as_the_format_has_them() {
        for seed in seeds::all() {
            let path = seed.path();
            let committed = std::fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert!(committed == seed.input, "{path:?} is not up to date: cargo run --example seeds");
        }
    }

    fn each_input<T: for<'a> Arbitrary<'a>>(target: &str, check: impl Fn(&T)) {
        let corpus = Path::new(seeds::CORPUS).join(target);
        for entry in std::fs::read_dir(corpus).expect("a corpus") {
            let path = entry.expect("an entry").path();
            println!("{}", path.display());
            let input = std::fs::read(&path).expect("a file");
            check(&T::arbitrary_take_rest(Unstructured::new(&input)).expect("every input is a case"));
        }
    }

    #[test]
    fn backends_hold_the_corpus() {
        each_input("backends", Backends::check);
    }

    #[test]
    fn scan_holds_the_corpus() {
        each_input("scan", Scan::check);
    }

    #[test]
    fn exact_holds_the_corpus() {
        each_input("exact", Exact::check);
    }

    #[test]
    fn config_holds_the_corpus() {
        each_input("config", Config::check);
    }

    #[test]
    fn reader_holds_the_corpus() {
        each_input("reader", Reader::check);
    }

    #[test]
    fn ranges_holds_the_corpus() {
        each_input("ranges", Ranges::check);
    }

    #[test]
    fn packed_refs_holds_the_corpus() {
        each_input("packed_refs", PackedRefs::check);
    }

    #[test]
    fn sorted_holds_the_corpus() {
        each_input("sorted", Sorted::check);
    }
}
