//! What every probe and every solver does all the time: position to number and back, and the
//! squares that men attack.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::{
    board::{Bitboard, Group, Movement, Square},
    index::{Index, Material},
};

const COUNT: usize = 4096;

/// Numbers all over a range.
fn numbers(below: u64) -> impl Iterator<Item = u64> {
    let mut state: u64 = 1;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) % below
    })
}

fn numbering(c: &mut Criterion) {
    let mut group = c.benchmark_group("index");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, symmetries) in [
        ("KQvKR", Group::FULL),
        // Like men are one set, and pawns a structure.
        ("KRRvKR", Group::FULL),
        ("KRPvKP", Group::MIRROR),
    ] {
        let material: Material = name.parse().expect("a material");
        let index = Index::new(&material, symmetries);
        let men = index.men().len();
        let placed: Vec<_> = numbers(index.len())
            .filter_map(|number| Some((number, index.decode(number)?)))
            .take(COUNT)
            .collect();
        for (_, squares) in &placed {
            assert!(index.encode(&squares[..men]).is_some());
        }
        group.bench_function(format!("encode {name}"), |b| {
            b.iter(|| {
                let numbers = placed.iter().map(|(_, squares)| index.encode(&squares[..men]));
                numbers.fold(0, |sum: u64, number| sum.wrapping_add(number.unwrap_or(0)))
            });
        });
        group.bench_function(format!("decode {name}"), |b| {
            b.iter(|| {
                for &(number, _) in &placed {
                    black_box(index.decode(number));
                }
            });
        });
    }
    group.finish();
}

fn attacking(c: &mut Criterion) {
    let boards: Vec<(Square, Bitboard)> = numbers(u64::MAX)
        .zip(numbers(u64::MAX).skip(COUNT))
        .map(|(a, b)| (Square::new((a % 64) as u8), Bitboard(a & b)))
        .take(COUNT)
        .collect();
    let mut group = c.benchmark_group("attacks");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, movement) in [
        ("king", Movement::King),
        // A pair of lines, and two.
        ("rook", Movement::Rook),
        ("queen", Movement::Queen),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let movement = black_box(movement);
                let sets = boards.iter().map(|&(from, all)| movement.attacks(from, all));
                sets.fold(Bitboard::EMPTY, |union, set| union | set)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, numbering, attacking);
criterion_main!(benches);
