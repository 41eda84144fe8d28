//! Names for programs that ignore proxy settings: each gets an address that nobody has, which leads back here.

mod message;

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use herm::host::Host;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

use message::{Answer, Kind};

/// The addresses that were handed out, and for which names. They are from a range that is kept for measurements, and that
/// no host of the internet has.
///
/// An address means the same whichever proxy stands at the doors, until there are so many names that the oldest makes room for a new one:
/// whoever asks for very many must not leave none to those who come later.
#[derive(Debug, Default)]
pub struct Names {
    handed_out: Mutex<HandedOut>,
}

#[derive(Debug, Default)]
struct HandedOut {
    names: Vec<String>,
    places: HashMap<String, usize>,
    /// The place that the next name gets.
    next: usize,
}

/// The first address that is handed out: 198.18.0.1.
const FIRST: u32 = 0xC612_0001;

/// The most names; the range would hold eight times as many.
const MOST: usize = 16 * 1024;

impl Names {
    /// The address that stands for a name.
    pub(crate) fn address(&self, name: &str) -> Option<Ipv4Addr> {
        let place = self.handed_out.lock().unwrap_or_else(PoisonError::into_inner).place(name);
        Some(Ipv4Addr::from(FIRST.checked_add(u32::try_from(place).ok()?)?))
    }

    /// What an address means: the name that it was handed out for, or itself. `None` for one that was not handed out yet.
    pub(crate) fn meant(&self, address: IpAddr) -> Option<Host> {
        let IpAddr::V4(v4) = address.to_canonical() else { return Some(Host::Address(address)) };
        let [198, 18 | 19, ..] = v4.octets() else { return Some(Host::Address(IpAddr::V4(v4))) };
        let place = usize::try_from(u32::from(v4).checked_sub(FIRST)?).ok()?;
        let handed_out = self.handed_out.lock().unwrap_or_else(PoisonError::into_inner);
        handed_out.names.get(place).cloned().map(Host::Name)
    }

    /// Answers questions until the socket breaks.
    pub(crate) async fn serve(&self, socket: &UdpSocket) -> io::Result<()> {
        // One byte more than is read: a message that was cut off can be told from a whole one.
        let mut buffer = vec![0; message::LONGEST + 1];
        loop {
            let (length, from) = match socket.recv_from(&mut buffer).await {
                Ok(received) => received,
                // The answer before found nobody there any more; the next question may come from somebody else.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => continue,
                Err(error) => return Err(error),
            };
            let question = buffer.get(..length).filter(|_| length <= message::LONGEST);
            if let Some(answer) = question.and_then(|question| self.answer(question)) {
                // Whoever asked asks again if it gets lost.
                let _ = socket.send_to(&answer, from).await;
            }
        }
    }

    /// Answers questions on a connection, one after the other, each after its length. Whoever says something else, or
    /// nothing for a while, is left.
    pub(crate) async fn converse(&self, mut stream: TcpStream, patience: Duration) -> io::Result<()> {
        let mut buffer = vec![0; message::LONGEST];
        loop {
            let question = timeout(patience, next(&mut stream, &mut buffer)).await;
            let Some(answer) = question.ok().transpose()?.and_then(|question| self.answer(question)) else {
                return Ok(());
            };
            let length = u16::try_from(answer.len()).unwrap_or_default();
            let written = [&length.to_be_bytes()[..], &answer].concat();
            timeout(patience, stream.write_all(&written)).await.map_err(|_| io::ErrorKind::TimedOut)??;
        }
    }

    fn answer(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let question = match message::read(bytes)? {
            Ok(question) => question,
            Err(flaw) => return Some(message::write_flaw(bytes, flaw)),
        };
        let answer = match (question.kind, Host::read(&question.name)) {
            (Kind::Address, Ok(Host::Name(name))) if is_here(&name) => Answer::Address(Ipv4Addr::LOCALHOST),
            (Kind::Address, Ok(Host::Name(name))) => {
                self.address(&name).map_or(Answer::Failed, Answer::Address)
            }
            // Which name an address has is nothing that a program could rely on here.
            (Kind::Address, Ok(Host::Address(_)) | Err(_)) | (Kind::Reverse, _) => Answer::NoName,
            // Names of services are no names of hosts, and have none of these either.
            (Kind::Other, _) => Answer::Nothing,
        };
        Some(message::write(bytes, &question, answer))
    }
}

impl HandedOut {
    /// The place of a name. Where there is none left, the oldest name loses its own.
    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.next;
        self.next = (place + 1) % MOST;
        match self.names.get_mut(place) {
            Some(oldest) => drop(self.places.remove(&std::mem::replace(oldest, name.to_owned()))),
            None => self.names.push(name.to_owned()),
        }
        self.places.insert(name.to_owned(), place);
        place
    }
}

async fn next<'a>(stream: &mut TcpStream, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
    let mut length = [0; 2];
    stream.read_exact(&mut length).await?;
    let length = usize::from(u16::from_be_bytes(length));
    let question = buffer.get_mut(..length).ok_or(io::ErrorKind::InvalidData)?;
    stream.read_exact(question).await?;
    Ok(question)
}

fn is_here(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(name: &str, kind: u16) -> Vec<u8> {
        let labels = name.split('.').filter(|label| !label.is_empty());
        let name: Vec<u8> = labels
            .flat_map(|label| [&[u8::try_from(label.len()).unwrap()], label.as_bytes()].concat())
            .chain([0])
            .collect();
        [&[0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0][..], &name, &kind.to_be_bytes(), &[0, 1]].concat()
    }

    fn asked(names: &Names, name: &str, kind: u16) -> (u8, Vec<u8>) {
        let answer = names.answer(&question(name, kind)).unwrap();
        assert_eq!(answer[..2], [0xAB, 0xCD]);
        let has_address = answer[7] == 1;
        (answer[3] & 15, if has_address { answer[answer.len() - 4..].to_vec() } else { Vec::new() })
    }

    #[test]
    fn a_name_gets_an_address_that_leads_back_to_it() {
        let names = Names::default();
        assert_eq!(asked(&names, "Example.com", 1), (0, vec![198, 18, 0, 1]));
        assert_eq!(asked(&names, "other.example", 1), (0, vec![198, 18, 0, 2]));
        assert_eq!(asked(&names, "example.COM.", 1), (0, vec![198, 18, 0, 1]));
        let meant = |text: &str| names.meant(text.parse().unwrap()).map(|host| host.to_string());
        assert_eq!(meant("198.18.0.1").as_deref(), Some("example.com"));
        assert_eq!(meant("::ffff:198.18.0.2").as_deref(), Some("other.example"));
        assert_eq!(meant("198.18.0.3"), None);
        assert_eq!(meant("198.18.0.0"), None);
        assert_eq!(meant("198.19.0.1"), None);
        assert_eq!(meant("93.184.216.34").as_deref(), Some("93.184.216.34"));
    }

    #[test]
    fn only_addresses_are_handed_out() {
        let names = Names::default();
        for kind in [2, 15, 16, 28, 33, 64, 65, 255, 41, 0xFFFF] {
            assert_eq!(asked(&names, "example.com", kind), (0, vec![]), "{kind}");
        }
        assert_eq!(asked(&names, "_postgresql._tcp.example.com", 33), (0, vec![]));
        assert_eq!(asked(&names, "1.0.18.198.in-addr.arpa", 12), (3, vec![]));
        assert_eq!(asked(&names, "localhost", 1), (0, vec![127, 0, 0, 1]));
        for name in ["127.1", "b*d.example", "", "0x7f.1", "a b.example"] {
            assert_eq!(asked(&names, name, 1), (3, vec![]), "{name}");
        }
        assert_eq!(names.meant("198.18.0.1".parse().unwrap()), None, "something was handed out");
    }

    /// The code of an answer, and how many questions, answers and further records it says that it has.
    fn summary(answer: &[u8]) -> (u8, u8, u8, u8) {
        (answer[3] & 15, answer[5], answer[7], answer[11])
    }

    /// The same question from somebody who knows of extensions, with options that nobody has heard of.
    fn extended(question: &[u8], version: u8) -> Vec<u8> {
        let mut bytes =
            [question, &[0, 0, 41, 0x10, 0, 0, version, 0x80, 0, 0, 6, 0xFD, 0xE9, 0, 2, 1, 2]].concat();
        bytes[11] += 1;
        bytes
    }

    #[test]
    fn extensions_are_answered_with_extensions() {
        let names = Names::default();
        let answer = names.answer(&extended(&question("example.com", 1), 0)).unwrap();
        assert_eq!(summary(&answer), (0, 1, 1, 1));
        assert!(answer.ends_with(&[198, 18, 0, 1, 0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0]), "{answer:?}");
        let answer = names.answer(&question("example.com", 1)).unwrap();
        assert_eq!(summary(&answer), (0, 1, 1, 0));
        // Version 1 is unknown: code 16, whose upper part stands in the extension.
        let answer = names.answer(&extended(&question("example.com", 1), 1)).unwrap();
        assert_eq!(summary(&answer), (0, 0, 0, 1));
        assert!(answer.ends_with(&[0, 0, 41, 0x10, 0, 1, 0, 0, 0, 0, 0]), "{answer:?}");
        let twice = extended(&extended(&question("example.com", 1), 0), 0);
        assert_eq!(names.answer(&twice).map(|answer| summary(&answer)), Some((1, 0, 0, 0)));
    }

    #[test]
    fn what_is_no_question_gets_no_answer() {
        let names = Names::default();
        let whole = question("example.com", 1);
        for length in 0..12 {
            assert_eq!(names.answer(&whole[..length]), None, "{length}");
        }
        let code = |bytes: &[u8]| names.answer(bytes).map(|answer| answer[3] & 15);
        for length in 12..whole.len() {
            assert_eq!(code(&whole[..length]), Some(1), "{length}");
        }
        let changed = |place: usize, value: u8| {
            let mut bytes = whole.clone();
            bytes[place] = value;
            bytes
        };
        assert_eq!(code(&changed(2, 0x81)), None, "an answer");
        assert_eq!(code(&changed(2, 0x28)), Some(4), "an update");
        for (place, value) in [(5, 0), (5, 2), (4, 1), (7, 1), (9, 1), (11, 1), (10, 0xFF)] {
            assert_eq!(code(&changed(place, value)), Some(1), "{place} {value}");
        }
        assert_eq!(code(&changed(whole.len() - 1, 3)), Some(5), "another class");
        assert_eq!(code(&[&whole[..], b"more"].concat()), Some(1));
    }

    #[test]
    fn names_that_lead_in_circles_or_nowhere_are_left() {
        let names = Names::default();
        let code = |bytes: &[u8]| names.answer(bytes).map(|answer| (answer.len(), answer[3] & 15));
        for name in
            [&[0xC0, 12][..], &[1, b'a', 0xC0, 12], &[0xC0, 0xFF], &[0x40, b'a'], &[63, b'a'], &[0xFF; 300]]
        {
            let mut bytes = question("", 1);
            bytes.splice(12..13, name.iter().copied());
            assert_eq!(code(&bytes), Some((12, 1)), "{name:?}");
        }
        let long = question(&"abcdefg.".repeat(32), 1);
        assert_eq!(code(&long), Some((12, 1)));
        let longest = question(&format!("{}abc", "abcdefg.".repeat(31)), 1);
        assert_eq!(names.answer(&longest).map(|answer| answer[3] & 15), Some(0));
        // A pointer in what comes along is not followed either.
        let mut along =
            [&question("example.com", 1)[..], &[0xC0, 12, 0, 41, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
        along[11] = 1;
        assert_eq!(code(&along), Some((12, 1)));
    }

    /// Whatever comes in, what goes out is an answer to it, and short.
    #[test]
    fn noise_is_survived() {
        let names = Names::default();
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u8::try_from(state & 0xFF).unwrap()
        };
        let whole = extended(&question("www.example.com", 28), 0);
        for _ in 0..50_000 {
            let mut bytes = whole.clone();
            for _ in 0..random() % 6 {
                let place = usize::from(random()) % bytes.len();
                bytes[place] = random();
            }
            bytes.truncate(usize::from(random()));
            if let Some(answer) = names.answer(&bytes) {
                assert!(
                    answer.len() <= 512 && answer[..2] == bytes[..2] && answer[2] & 0x80 != 0,
                    "{bytes:?}"
                );
            }
        }
    }

    #[test]
    fn the_oldest_name_makes_room_for_a_new_one() {
        let names = Names::default();
        for number in 0..MOST {
            assert!(names.address(&format!("{number}.example")).is_some());
        }
        let first = Ipv4Addr::from(FIRST);
        assert_eq!(names.address("0.example"), Some(first));
        assert_eq!(names.address("one-more.example"), Some(first));
        let meant = |address: Ipv4Addr| names.meant(IpAddr::V4(address)).map(|host| host.to_string());
        assert_eq!(meant(first).as_deref(), Some("one-more.example"));
        let second = names.address("0.example").unwrap();
        assert_eq!((second, meant(second).as_deref()), (Ipv4Addr::from(FIRST + 1), Some("0.example")));
        assert_eq!(names.handed_out.lock().unwrap().places.len(), MOST);
    }
}
