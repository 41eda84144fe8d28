//! Works with a try and is killed at a step, for tests of what is left then: `tries HOME ID keep|recover|undo STEP`.

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    return linux::main();
    #[cfg(not(target_os = "linux"))]
    std::process::ExitCode::FAILURE
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{self, Write};
    use std::path::Path;
    use std::process::ExitCode;

    use herm_sandbox::changes::{Error, Tries};

    pub(super) fn main() -> ExitCode {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let [home, id, action, step] = arguments.as_slice() else { return ExitCode::from(2) };
        let Ok(last) = step.parse() else { return ExitCode::from(2) };
        match work(Path::new(home), id, action, last) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(io::stderr(), "{error}");
                ExitCode::FAILURE
            }
        }
    }

    fn work(home: &Path, id: &str, action: &str, last: usize) -> Result<(), Error> {
        let mut step = 0;
        let mut steps = || {
            if step == last {
                let _ =
                    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
            }
            step += 1;
        };
        let tries = Tries::open(home)?;
        match action {
            "keep" => {
                let attempt = tries.resume(id)?;
                attempt.keep(&attempt.compare()?, &mut steps)
            }
            "undo" => tries.undo(id, &mut steps).map(drop),
            _ => tries.recover(&mut steps)?.into_iter().try_for_each(|(_, answer)| answer.map(drop)),
        }
    }
}
