//! scratch
use finale::{probe::Tablebase, rules::*, solve::{*, scratch::Budget}};
fn main() {
    let mats: Vec<String> = std::env::args().skip(1).collect();
    let dir = "/tmp/finale-try";
    let tb = Tablebase::new(Orthodox, dir);
    let budget = Budget::new(16 << 30, "/tmp");
    let bench = Workbench { shelf: tb.shelf(), budget: &budget, options: Default::default(), progress: &Silent };
    for m in mats {
        let (name, verify) = match m.strip_suffix('!') { Some(n) => (n.to_string(), true), None => (m.clone(), false) };
        let plan = Plan::new(&Orthodox, &[name.parse().unwrap()], tb.shelf()).unwrap();
        let mut t = std::time::Instant::now();
        plan.build(&Orthodox, &bench, |p| {
            let size = std::fs::metadata(tb.shelf().path(&p.id)).unwrap().len();
            println!("{} {:?} {} bytes", p.id.material, t.elapsed(), size); t = std::time::Instant::now();
        }).unwrap();
        if verify { let t = std::time::Instant::now();
            let v = tb.verify(&name.parse::<finale::index::Material>().unwrap(), &Silent).unwrap();
            println!("  verify {name}: {} positions, {} wrong {:?} {:?}", v.positions, v.wrong, v.example, t.elapsed()); }
    }
}
