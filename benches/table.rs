//! Reading single cells: the table in the cache, out of it, and many threads.

use std::{hint::black_box, time::Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::table::{BlockCache, CellSpec, Description, Table, TableWriter, Width, WriterOptions};

/// The size of a 4-man table without pawns, both sides.
const ENTRIES: u64 = 4 << 20;

fn value(index: u64) -> u32 {
    // Slow waves with some noise pack about as well as distances do.
    let noise = (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as u32;
    ((index >> 7) % 60) as u32 + noise / 7
}

fn write(path: &std::path::Path, width: Width, options: WriterOptions) {
    let mut writer =
        TableWriter::create(path, Description::new("orthodox", "bench", "distance"), options)
            .expect("the temporary directory can be written");
    let palette = (0..256).collect();
    let spec = CellSpec::new("cells", ENTRIES, width);
    let spec = match width {
        Width::One => spec.with_palette(palette),
        _ => spec,
    };
    let written = writer.cells(spec, |entries, bytes| {
        for (entry, bytes) in entries.zip(bytes.chunks_exact_mut(width.bytes())) {
            bytes.copy_from_slice(&value(entry).to_le_bytes()[..width.bytes()]);
        }
    });
    written.expect("cells can be written");
    writer.finish().expect("the table can be finished");
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % ENTRIES
}

fn gets(c: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let options = WriterOptions { level: 3, ..WriterOptions::default() };
    for (name, width) in [("1 byte, palette", Width::One), ("2 bytes", Width::Two)] {
        let path = dir.path().join("bench.ftb");
        write(&path, width, options);
        let table = Table::open(&path).expect("the table is whole");
        let cells = table.cells("cells").expect("it has cells");
        for index in (0..ENTRIES).step_by(4096) {
            assert_eq!(cells.get(index).ok(), Some(value(index)));
        }
        let mut state = 1;
        c.bench_function(&format!("get, warm, {name}"), |b| {
            b.iter(|| cells.get(black_box(random(&mut state))).ok());
        });
        let mut next = 0;
        c.bench_function(&format!("get in order, warm, {name}"), |b| {
            b.iter(|| {
                next = (next + 1) % ENTRIES;
                cells.get(black_box(next)).ok()
            });
        });
        c.bench_function(&format!("get, warm, {name}, 2 threads"), |b| {
            b.iter_custom(|times| {
                let start = Instant::now();
                std::thread::scope(|scope| {
                    for thread in 0..2 {
                        let cells = &cells;
                        scope.spawn(move || {
                            let mut state = thread;
                            for _ in 0..times {
                                black_box(cells.get(random(&mut state)).ok());
                            }
                        });
                    }
                });
                start.elapsed()
            });
        });
        let none = BlockCache::new(0);
        let cold = Table::open_with(&path, &none).expect("the table is whole");
        let cold = cold.cells("cells").expect("it has cells");
        c.bench_function(&format!("get, cold, {name}"), |b| {
            b.iter(|| cold.get(black_box(random(&mut state))).ok());
        });
        let mut group = c.benchmark_group(name);
        group.sample_size(20).throughput(Throughput::Bytes(ENTRIES * width.bytes() as u64));
        group.bench_function("read all", |b| b.iter(|| cells.read_all().ok()));
        group.finish();
    }
}

criterion_group!(benches, gets);
criterion_main!(benches);
