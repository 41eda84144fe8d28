//! Names with letters outside ASCII, as the domain name system writes them (RFC 3492).

/// The longest label that a name can have.
const LONGEST: usize = 63;

/// A host with its `xn--` labels decoded; those that cannot be stay as they are.
pub(crate) fn decoded(host: &str) -> String {
    let label = |label: &str| {
        let code =
            label.get(..4).filter(|mark| mark.eq_ignore_ascii_case("xn--")).and_then(|_| label.get(4..));
        code.and_then(decode).unwrap_or_else(|| label.to_owned())
    };
    host.split('.').map(label).collect::<Vec<_>>().join(".")
}

fn decode(label: &str) -> Option<String> {
    if label.len() > LONGEST {
        return None;
    }
    let (plain, code) = label.rsplit_once('-').unwrap_or(("", label));
    let mut letters: Vec<char> = plain.chars().collect();
    let (mut letter, mut place, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = code.chars();
    while !digits.as_str().is_empty() {
        let before = place;
        let (mut weight, mut base) = (1_u32, 36_u32);
        loop {
            let digit = digits.next()?.to_digit(36).map(|digit| (digit + 26) % 36)?;
            place = place.checked_add(digit.checked_mul(weight)?)?;
            let threshold = base.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            base += 36;
        }
        let count = u32::try_from(letters.len()).ok()? + 1;
        bias = adapt(place - before, count, before == 0);
        letter = letter.checked_add(place / count)?;
        place %= count;
        letters.insert(usize::try_from(place).ok()?, char::from_u32(letter)?);
        place += 1;
    }
    Some(letters.into_iter().collect())
}

/// A host in lower case with its labels as the domain name system writes them. `None` where one is too long for it.
#[must_use]
pub fn encoded(host: &str) -> Option<String> {
    let label = |label: &str| {
        let label = label.to_lowercase();
        let whole = if label.is_ascii() { label } else { format!("xn--{}", encode(&label)?) };
        (whole.len() <= LONGEST).then_some(whole)
    };
    host.split('.').map(label).collect::<Option<Vec<_>>>().map(|labels| labels.join("."))
}

fn encode(label: &str) -> Option<String> {
    if label.len() > 4 * LONGEST {
        return None;
    }
    let letters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut code: String = label.chars().filter(char::is_ascii).collect();
    let plain = u32::try_from(code.len()).ok()?;
    if plain > 0 {
        code.push('-');
    }
    let (mut done, mut letter, mut delta, mut bias) = (plain, 128_u32, 0_u32, 72_u32);
    let total = u32::try_from(letters.len()).ok()?;
    while done < total {
        let next = letters.iter().copied().filter(|other| *other >= letter).min()?;
        delta = delta.checked_add((next - letter).checked_mul(done + 1)?)?;
        letter = next;
        for other in &letters {
            if *other < letter {
                delta = delta.checked_add(1)?;
            }
            if *other == letter {
                write_number(delta, bias, &mut code)?;
                bias = adapt(delta, done + 1, done == plain);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        letter += 1;
    }
    Some(code)
}

fn write_number(mut number: u32, bias: u32, code: &mut String) -> Option<()> {
    let mut base = 36_u32;
    loop {
        let threshold = base.saturating_sub(bias).clamp(1, 26);
        if number < threshold {
            code.push(digit(number)?);
            return Some(());
        }
        code.push(digit(threshold + (number - threshold) % (36 - threshold))?);
        number = (number - threshold) / (36 - threshold);
        base += 36;
    }
}

/// `a` to `z`, then `0` to `9`.
fn digit(number: u32) -> Option<char> {
    char::from_digit((number + 10) % 36, 36)
}

fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut base = 0;
    while delta > 455 {
        delta /= 35;
        base += 36;
    }
    base + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_decoded() {
        assert_eq!(decoded("xn--mnchen-3ya.de"), "münchen.de");
        assert_eq!(decoded("www.xn--80ak6aa92e.com"), "www.аррӏе.com");
        assert_eq!(decoded("xn--fsqu00a.xn--0zwm56d"), "例子.测试");
        assert_eq!(decoded("example.com"), "example.com");
        assert_eq!(decoded("xn--99999999999"), "xn--99999999999");
        assert_eq!(decoded("xn--"), "");
    }

    #[test]
    fn labels_are_encoded() {
        for host in
            ["münchen.de", "www.аррӏе.com", "例子.测试", "example.com", "例え.jp", "ü-b.de", "παράδειγμα.gr"]
        {
            assert_eq!(encoded(host).as_deref().map(decoded).as_deref(), Some(host));
        }
        assert_eq!(encoded("MÜNCHEN.de").as_deref(), Some("xn--mnchen-3ya.de"));
        assert_eq!(encoded("例え.jp").as_deref(), Some("xn--r8jz45g.jp"));
        assert_eq!(encoded("例子.测试").as_deref(), Some("xn--fsqu00a.xn--0zwm56d"));
        assert_eq!(encoded(&"ü".repeat(300)), None);
        assert_eq!(encoded(&"a".repeat(64)), None);
    }
}
