//! Modes of files: as numbers, and as chmod reads them (`0777`, `a=rwx`, `u+s,o-r`).

use crate::effect::Flags;

/// The rights of a directory that is as open as can be: what is taken away shows best there.
const OPEN: u32 = 0o777;

/// The meaning of a mode, as a number or as clauses.
pub(crate) fn mode(text: &str) -> Flags {
    if let Ok(bits) = u32::from_str_radix(text, 8) {
        return mode_bits(bits);
    }
    let left = text.split(',').fold(OPEN, after_clause);
    text.split(',').map(clause).fold(shut(left), |all, flags| all | flags)
}

/// The meaning of a mode that is a number. The sticky bit makes a world-writable directory safe to share, as `/tmp` is.
pub(crate) fn mode_bits(bits: u32) -> Flags {
    given(&[
        (bits & 0o002 != 0 && bits & 0o1000 == 0, Flags::WORLD_WRITABLE),
        (bits & 0o6000 != 0, Flags::SETUID),
        (bits & 0o111 != 0, Flags::EXECUTABLE),
    ]) | shut(bits)
}

/// The flags of a mode that leaves the owner these rights.
fn shut(bits: u32) -> Flags {
    given(&[(bits & 0o400 == 0, Flags::NO_ACCESS), (bits & 0o100 == 0, Flags::NO_SEARCH)])
}

fn given(flags: &[(bool, Flags)]) -> Flags {
    flags.iter().filter(|(given, _)| *given).fold(Flags::NONE, |all, (_, flag)| all | *flag)
}

/// Splits a clause into whom it is for and what happens.
fn parts(clause: &str) -> (&str, &str) {
    let end = clause.find(|c| !"ugoa".contains(c)).unwrap_or(clause.len());
    clause.split_at_checked(end).unwrap_or((clause, ""))
}

/// What a clause gives: a right that it only takes away gives nothing.
fn clause(text: &str) -> Flags {
    let (who, actions) = parts(text);
    let everyone = who.contains('a');
    let (mut flags, mut sign) = (Flags::NONE, ' ');
    for letter in actions.chars() {
        match letter {
            '+' | '-' | '=' => sign = letter,
            _ if sign == '-' => {}
            'w' => flags |= given(&[(everyone || who.contains('o'), Flags::WORLD_WRITABLE)]),
            's' => flags |= given(&[(who != "o", Flags::SETUID)]),
            'x' | 'X' => flags |= Flags::EXECUTABLE,
            _ => {}
        }
    }
    flags
}

/// The rights of a directory after a clause. Where nobody is named, everybody is meant, the umask aside.
fn after_clause(bits: u32, clause: &str) -> u32 {
    let (who, actions) = parts(clause);
    let whom = who.chars().fold(0, |all, c| all | class(c));
    let whom = if whom == 0 { OPEN } else { whom };
    let (mut bits, mut sign) = (bits, ' ');
    for letter in actions.chars() {
        match (letter, sign) {
            ('=', _) => {
                bits &= !whom;
                sign = letter;
            }
            ('+' | '-', _) => sign = letter,
            (_, '-') => bits &= !(whom & right(letter)),
            _ => bits |= whom & right(letter),
        }
    }
    bits
}

/// The bits of a class of users.
fn class(letter: char) -> u32 {
    match letter {
        'u' => 0o700,
        'g' => 0o070,
        'o' => 0o007,
        _ => OPEN,
    }
}

/// The bits of a right, or those that a class of users may have.
fn right(letter: char) -> u32 {
    match letter {
        'r' => 0o444,
        'w' => 0o222,
        'x' | 'X' => 0o111,
        'u' | 'g' | 'o' => OPEN,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_writable_in_every_spelling() {
        for open in ["777", "0777", "666", "a=rwx", "a+w", "o+w", "ugo+rwx", "u=rw,o=rw", "1777,o+w"] {
            assert!(mode(open).has(Flags::WORLD_WRITABLE), "{open}");
        }
        for shut in ["755", "644", "+x", "+w", "u+w", "g+w", "o-w", "a+x", "1777", "u=rwx,go=rx", "a-w"] {
            assert!(!mode(shut).has(Flags::WORLD_WRITABLE), "{shut}");
        }
    }

    #[test]
    fn setuid_in_every_spelling() {
        for setuid in ["4755", "u+s", "g+s", "+s", "6755", "ug+s"] {
            assert!(mode(setuid).has(Flags::SETUID), "{setuid}");
        }
        assert!(!mode("u-s").has(Flags::SETUID));
    }

    #[test]
    fn mode_without_read_for_the_owner_leaves_no_access() {
        for none in
            ["000", "0", "300", "100", "a-rwx", "a=", "=", "u=", "u-r", "u-rwx", "-r", "a=x", "u=wx,go=r"]
        {
            assert!(mode(none).has(Flags::NO_ACCESS), "{none}");
        }
        for some in ["400", "755", "go-rwx", "go=", "a-r,u+r", "u-w", "u=rwx,go=", "u+r"] {
            assert!(!mode(some).has(Flags::NO_ACCESS), "{some}");
        }
    }

    #[test]
    fn mode_without_search_for_the_owner_shuts_a_directory() {
        for shut in ["644", "600", "u-x", "a-x", "-x", "u=rw", "a=r"] {
            assert!(mode(shut).has(Flags::NO_SEARCH), "{shut}");
        }
        for open in ["755", "700", "a-x,a+X", "go-x", "u=rwx,go=r", "+x", "g=u"] {
            assert!(!mode(open).has(Flags::NO_SEARCH), "{open}");
        }
    }
}
