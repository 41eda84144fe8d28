//! x
use herm_sandbox::native::Confinement;
use herm_sandbox::process::*;
use std::time::Duration;
struct Out;
impl Output for Out {
    fn stdout(&mut self, b: &[u8]) {
        use std::io::Write;
        std::io::stdout().write_all(b).unwrap();
    }
    fn stderr(&mut self, b: &[u8]) {
        use std::io::Write;
        std::io::stderr().write_all(b).unwrap();
    }
}
fn main() {
    let mut a: Vec<_> = std::env::args_os().skip(1).collect();
    let program = a.remove(0);
    let env: Vec<_> = std::env::vars_os().collect();
    let cwd = std::env::current_dir().unwrap();
    let home = std::path::PathBuf::from(std::env::var("HOME").unwrap());
    let t = std::time::Instant::now();
    let c = Confinement::to_workspace(&cwd, &home, &env).unwrap();
    eprintln!("{:?} {:?}", t.elapsed(), c.view.tools);
    let spec = Spec {
        program,
        arguments: a,
        cwd,
        environment: env,
        time: Duration::from_secs(600),
        grace: Duration::from_secs(1),
        input: Input::Empty,
        confinement: Some(c),
    };
    let t = std::time::Instant::now();
    match run(spec, Mode::Captured, &Cancel::new().unwrap(), &mut Out) {
        Ok(e) => eprintln!("{e:?} {:?}", t.elapsed()),
        Err(e) => eprintln!("ERR {e}"),
    }
}
