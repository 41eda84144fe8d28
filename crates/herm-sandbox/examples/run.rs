//! Runs a program as `herm run` does, and says on standard error how it ended.
//!
//! `run [interactive] [inherit] [signals] [harden] [peak] [time=SECONDS] [grace=SECONDS] -- PROGRAM ARGUMENT…`

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    return linux::main();
    #[cfg(not(target_os = "linux"))]
    std::process::ExitCode::FAILURE
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::io::{self, Write};
    use std::process::ExitCode;
    use std::time::Duration;

    use herm_sandbox::process::{Cancel, Input, Mode, Output, Spec, run};

    pub(super) fn main() -> ExitCode {
        match perform() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(io::stderr(), "{error}");
                ExitCode::FAILURE
            }
        }
    }

    fn perform() -> Result<(), Box<dyn std::error::Error>> {
        let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        let options: Vec<&str> =
            arguments.iter().map_while(|one| one.to_str()).take_while(|one| *one != "--").collect();
        let has = |wanted: &str| options.contains(&wanted);
        let seconds = |name: &str, usual: f64| {
            let text = options.iter().find_map(|one| one.strip_prefix(name));
            Duration::from_secs_f64(text.and_then(|text| text.parse().ok()).unwrap_or(usual))
        };
        if has("harden") {
            herm_sandbox::harden()?;
        }
        let mut words = arguments.iter().skip(options.len() + 1).cloned();
        let spec = Spec {
            program: words.next().ok_or("no program")?,
            arguments: words.collect(),
            cwd: "/".into(),
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            time: seconds("time=", 20.0),
            grace: seconds("grace=", 1.0),
            input: if has("inherit") { Input::Inherited } else { Input::Empty },
            confinement: None,
        };
        let mode = if has("interactive") { Mode::Interactive } else { Mode::Captured };
        let cancel = if has("signals") { Cancel::on_signals()? } else { Cancel::new()? };
        let execution = run(spec, mode, &cancel, &mut Through)?;
        writeln!(
            io::stderr(),
            "{:?} survivors={} signal={:?}",
            execution.ending,
            execution.survivors,
            cancel.signal()
        )?;
        if has("peak") {
            writeln!(io::stderr(), "{}", peak()?)?;
        }
        Ok(())
    }

    struct Through;

    impl Output for Through {
        fn stdout(&mut self, bytes: &[u8]) {
            let _ = io::stdout().write_all(bytes).and_then(|()| io::stdout().flush());
        }

        fn stderr(&mut self, bytes: &[u8]) {
            let _ = io::stderr().write_all(bytes);
        }
    }

    /// The most memory that this process has ever had, as the kernel writes it.
    #[expect(clippy::disallowed_methods, reason = "an example has nobody to hand it files")]
    fn peak() -> io::Result<String> {
        let status = std::fs::read_to_string("/proc/self/status")?;
        Ok(status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned())
    }
}
