//! Tries ways out of the sandbox: `sandbox-probe alone|confined|control|without UID [PROBE…]`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    {
        use std::io::Write;

        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let finished = herm_test::probe::drive(&arguments, &mut std::io::stdout());
        if let Err(error) = finished {
            let _ = writeln!(std::io::stderr(), "{error}");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
