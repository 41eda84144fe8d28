//! Names for programs that ignore proxy settings: each gets an address that nobody has, which leads back here.

mod message;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};

use herm::host::Host;
use tokio::net::UdpSocket;

use message::{Answer, Kind};

/// The addresses that were handed out, and for which names. They are from a range that is kept for measurements, and that
/// no host of the internet has.
#[derive(Debug, Default)]
pub(crate) struct Names {
    handed_out: Mutex<HandedOut>,
}

#[derive(Debug, Default)]
struct HandedOut {
    names: Vec<String>,
    places: HashMap<String, u32>,
}

/// The first address that is handed out: 198.18.0.1.
const FIRST: u32 = 0xC612_0001;

/// The most names; the range would hold eight times as many.
const MOST: usize = 16 * 1024;

impl Names {
    /// The address that stands for a name. `None` once there are too many.
    pub(crate) fn address(&self, name: &str) -> Option<Ipv4Addr> {
        let mut handed_out = self.handed_out.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = handed_out.places.get(name) {
            return Some(Ipv4Addr::from(FIRST + place));
        }
        let place = u32::try_from(handed_out.names.len()).ok().filter(|_| handed_out.names.len() < MOST)?;
        handed_out.names.push(name.to_owned());
        handed_out.places.insert(name.to_owned(), place);
        Some(Ipv4Addr::from(FIRST + place))
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
    pub(crate) async fn serve(&self, socket: &UdpSocket) -> std::io::Result<()> {
        let mut buffer = vec![0; message::LONGEST];
        loop {
            let (length, from) = match socket.recv_from(&mut buffer).await {
                Ok(received) => received,
                // The answer before found nobody there any more; the next question may come from somebody else.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => continue,
                Err(error) => return Err(error),
            };
            let answer = buffer.get(..length).and_then(|question| self.answer(question));
            if let Some(answer) = answer {
                // Whoever asked asks again if it gets lost.
                let _ = socket.send_to(&answer, from).await;
            }
        }
    }

    fn answer(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let question = message::read(bytes)?;
        let answer = match (question.kind, Host::read(&question.name)) {
            (Kind::Address, Ok(Host::Name(name))) if is_here(&name) => Answer::Address(Ipv4Addr::LOCALHOST),
            (Kind::Address, Ok(Host::Name(name))) => {
                self.address(&name).map_or(Answer::Failed, Answer::Address)
            }
            (Kind::Other, Ok(_)) => Answer::Nothing,
            (Kind::Address, Ok(Host::Address(_))) | (Kind::Malformed, _) | (_, Err(_)) => Answer::Refused,
        };
        Some(message::write(bytes, &question, answer))
    }
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
        for kind in [2, 12, 15, 16, 28, 65, 255] {
            assert_eq!(asked(&names, "example.com", kind), (0, vec![]), "{kind}");
        }
        assert_eq!(asked(&names, "localhost", 1), (0, vec![127, 0, 0, 1]));
        assert_eq!(asked(&names, "127.1", 1), (5, vec![]));
        assert_eq!(asked(&names, "b*d.example", 1), (5, vec![]));
    }

    #[test]
    fn what_is_no_question_gets_no_answer() {
        let names = Names::default();
        let whole = question("example.com", 1);
        for length in 0..12 {
            assert_eq!(names.answer(&whole[..length]), None, "{length}");
        }
        for length in 12..whole.len() {
            assert_eq!(names.answer(&whole[..length]).map(|answer| answer[3] & 15), Some(5), "{length}");
        }
        let mut reply = whole.clone();
        reply[2] |= 0x80;
        assert_eq!(names.answer(&reply), None);
        let mut two = whole.clone();
        two[5] = 2;
        assert_eq!(names.answer(&two).map(|answer| answer[3] & 15), Some(5));
        let mut pointer = question("", 1);
        pointer.splice(12..13, [0xC0, 12]);
        assert_eq!(names.answer(&pointer).map(|answer| answer[3] & 15), Some(5));
    }

    #[test]
    fn there_is_an_end_to_names() {
        let names = Names::default();
        for number in 0..MOST {
            assert!(names.address(&format!("{number}.example")).is_some());
        }
        assert_eq!(names.address("one-more.example"), None);
        assert_eq!(names.address("0.example"), Some(Ipv4Addr::from(FIRST)));
    }
}
