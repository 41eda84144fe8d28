//! The terminal that a person sits at.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use herm_runtime::asked::Asked;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{self, LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios};

use super::choice::{Choice, Occasion, Pressed, Typed};
use super::keys::{Key, keys};
use super::words::{self, Look};
use crate::render::colour;

/// How often it is looked whether somebody else has answered.
const PULSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// How long nobody must have typed before what is typed counts as an answer to a question that came up by itself.
const QUIET: Duration = Duration::from_secs(1);

/// Undoes what a program may have done to a terminal so that a question is not seen as it is: a sequence that has no end, another
/// character set, colours, margins, a screen that is not redrawn. What follows begins on a new line at the bottom, over nothing
/// that stands there.
const PLAIN: &str = concat!(
    "\x18\x1b\\",
    "\x1b[!p\x1b[0m",
    "\x1b[?2026l\x1b[?69l\x1b[?6l\x1b[4l\x1b[?7h\x1b[?25h",
    "\x0f\x1b(B",
    "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\",
    "\x1b[r\x1b[9999;1H",
);

/// The terminal that a person sits at.
#[derive(Debug)]
pub(crate) struct Terminal {
    device: File,
}

impl Terminal {
    /// The terminal, if a person started herm from one: an agent that shares it must not be answered for.
    pub(crate) fn open() -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let device = File::options().read(true).write(true).open("/dev/tty").ok()?;
        herm_runtime::is_in_foreground().then_some(Self { device })
    }

    /// Asks, until there is an answer, the time is over or somebody else has answered. What was typed before the
    /// question was shown does not count; nor, while something runs, what is still being typed to that.
    pub(crate) fn ask(
        &mut self,
        asked: &Asked,
        occasion: Occasion,
        deadline: Instant,
        elsewhere: &AtomicBool,
    ) -> Option<Typed> {
        let look = self.look();
        let mut choice = Choice::of(asked, occasion);
        let raw = Raw::enter(&self.device)?;
        termios::tcflush(&self.device, QueueSelector::IFlush).ok()?;
        let plain = match occasion {
            Occasion::Before => "",
            Occasion::During => PLAIN,
        };
        let text = format!(
            "{plain}\n{}{}{}",
            words::question(asked, look),
            words::reach(asked, look),
            words::answers(&choice, look),
        );
        self.write(&text)?;
        let is_over = || elsewhere.load(Ordering::Relaxed) || Instant::now() >= deadline;
        if occasion == Occasion::During {
            self.hush(is_over)?;
        }
        self.write(&words::line(&choice))?;
        let typed = self.hear(&mut choice, is_over)?;
        drop(raw);
        self.write("\n")?;
        Some(typed)
    }

    /// Hears what is chosen.
    fn hear(&mut self, choice: &mut Choice<'_>, is_over: impl Fn() -> bool) -> Option<Typed> {
        while !is_over() {
            let pressed = self.keys();
            let led = pressed.iter().map(|key| choice.press(*key)).find(|led| *led != Pressed::More);
            match led.unwrap_or(Pressed::More) {
                Pressed::End(typed) => return Some(typed),
                Pressed::Again => self.hush(&is_over)?,
                Pressed::More if pressed.is_empty() => continue,
                Pressed::More => {}
            }
            self.write(&format!("\r\x1b[K{}", words::line(choice)))?;
        }
        Some(Typed::Nothing)
    }

    /// Waits until nobody types any more, and forgets what was typed until then. `None` when the terminal has gone.
    fn hush(&mut self, is_over: impl Fn() -> bool) -> Option<()> {
        let mut since = Instant::now();
        while since.elapsed() < QUIET && !is_over() {
            if !self.pressed()?.is_empty() {
                since = Instant::now();
            }
        }
        termios::tcflush(&self.device, QueueSelector::IFlush).ok()
    }

    /// Asks a question, and hears whether the answer is yes. What was typed before does not count.
    pub(crate) fn confirm(&mut self, question: &str) -> bool {
        let asked = self.write(&format!("{question} [y/N]: ")).is_some()
            && termios::tcflush(&self.device, QueueSelector::IFlush).is_ok();
        let mut line = String::new();
        asked
            && BufReader::new(&self.device).read_line(&mut line).is_ok()
            && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
    }

    /// Whether the person leaves within so much time.
    pub(crate) fn wants_to_leave(&mut self, within: Duration) -> bool {
        let Some(_raw) = Raw::enter(&self.device) else { return true };
        let end = Instant::now() + within;
        while Instant::now() < end {
            if self.keys().contains(&Key::Cancel) {
                return true;
            }
        }
        false
    }

    /// Tells the person something.
    pub(crate) fn tell(&mut self, text: &str) {
        // Whoever cannot be told anything will notice.
        let _ = self.write(text);
    }

    fn look(&self) -> Look {
        let columns = termios::tcgetwinsize(&self.device).map_or(80, |size| usize::from(size.ws_col));
        Look { columns: if columns == 0 { 80 } else { columns }, colour: colour::wanted() }
    }

    /// In raw mode a line feed does not return the carriage.
    fn write(&mut self, text: &str) -> Option<()> {
        self.device.write_all(text.replace('\n', "\r\n").as_bytes()).ok()
    }

    /// What is pressed within a pulse. A terminal that has gone cancels.
    fn keys(&mut self) -> Vec<Key> {
        self.pressed().map_or_else(|| vec![Key::Cancel], |bytes| keys(&bytes))
    }

    /// The bytes of it. `None` when the terminal has gone.
    fn pressed(&mut self) -> Option<Vec<u8>> {
        if poll(&mut [PollFd::new(&self.device, PollFlags::IN)], Some(&PULSE)).ok()? == 0 {
            return Some(Vec::new());
        }
        let mut bytes = [0; 64];
        let read = self.device.read(&mut bytes).ok().filter(|read| *read > 0)?;
        bytes.get(..read).map(<[u8]>::to_vec)
    }
}

/// Raw mode, for as long as it lives.
struct Raw {
    device: File,
    usual: Termios,
}

impl Raw {
    fn enter(device: &File) -> Option<Self> {
        let usual = termios::tcgetattr(device.as_fd()).ok()?;
        let mut raw = usual.clone();
        raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcsetattr(device.as_fd(), OptionalActions::Now, &raw).ok()?;
        Some(Self { device: device.try_clone().ok()?, usual })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that has gone needs no restoring.
        let _ = termios::tcsetattr(self.device.as_fd(), OptionalActions::Now, &self.usual);
    }
}

/// How long to wait for an answer.
pub(crate) fn deadline(seconds: u32) -> Instant {
    Instant::now() + Duration::from_secs(u64::from(seconds))
}
