//! scratch
use finale::{
    probe::Tablebase,
    rules::*,
    solve::{scratch::Budget, *},
};
fn main() {
    if std::env::args().nth(1).as_deref() == Some("high") {
        run(High::default(), 2)
    } else {
        run(Orthodox, 1)
    }
}
fn run<G: Solve>(game: G, skip: usize) {
    let mats: Vec<String> = std::env::args().skip(skip).collect();
    let dir = "/tmp/finale-try";
    let tb = Tablebase::new(game.clone(), dir);
    let budget = Budget::new(16 << 30, "/tmp");
    let bench = Workbench {
        shelf: tb.shelf(),
        budget: &budget,
        options: Default::default(),
        progress: &Silent,
    };
    for m in mats {
        let (name, verify) = match m.strip_suffix('!') {
            Some(n) => (n.to_string(), true),
            None => (m.clone(), false),
        };
        let plan = Plan::new(&game, &[name.parse().unwrap()], tb.shelf()).unwrap();
        let mut t = std::time::Instant::now();
        plan.build(&game, &bench, |p| {
            let size = std::fs::metadata(tb.shelf().path(&p.id)).unwrap().len();
            println!("{} {:?} {} bytes", p.id.material, t.elapsed(), size);
            t = std::time::Instant::now();
        })
        .unwrap();
        if verify {
            let t = std::time::Instant::now();
            let v = tb.verify(&name.parse::<finale::index::Material>().unwrap(), &Silent).unwrap();
            println!(
                "  verify {name}: {} positions, {} wrong {:?} {:?}",
                v.positions,
                v.wrong,
                v.example,
                t.elapsed()
            );
        }
    }
}
