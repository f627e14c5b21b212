//! Writes the named part of the corpus.

fn main() -> std::io::Result<()> {
    for seed in wholeline_fuzz::seeds::all() {
        let path = seed.path();
        std::fs::create_dir_all(path.parent().expect("a folder for each target"))?;
        std::fs::write(path, seed.input)?;
    }
    Ok(())
}
