// The crate uuid with its fast-rng: a ChaCha generator of each thread, seeded by the system.
mod measure;

use std::hint::black_box;

use measure::{check_rising, check_uuids, Codec, Program, MADE};
use uuid::Uuid;

fn hex(id: &Uuid) -> String {
    id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The version that the manifest pins.
fn version() -> &'static str {
    let manifest = include_str!("../Cargo.toml");
    let pin = manifest.split("\nuuid = { version = \"=").nth(1).unwrap_or("");
    pin.split('"').next().unwrap_or("")
}

fn main() {
    let mut program = Program::new(format!("Rust uuid {}", version()));
    let codec = Codec {
        read: |text| Uuid::parse_str(text).ok(),
        write: |id| id.hyphenated().to_string(),
        meaning: hex,
    };
    let (ids, texts) = program.checked("uuid", codec);
    let made = |make: fn() -> Uuid| (0..MADE).map(|_| make().to_string()).collect::<Vec<_>>();
    check_uuids(&made(Uuid::new_v4), b'4');
    let rising = made(Uuid::now_v7);
    check_uuids(&rising, b'7');
    check_rising(&rising);

    program.repeat("uuid4", || {
        black_box(Uuid::new_v4());
    });
    program.repeat("uuid7", || {
        black_box(Uuid::now_v7());
    });
    program.over("uuid_write", ids, |id| {
        let mut text = [0u8; 36];
        black_box(black_box(id).hyphenated().encode_lower(&mut text));
    });
    program.over("uuid_parse", texts, |text| {
        black_box(Uuid::parse_str(black_box(text)).ok());
    });
    program.run();
}
