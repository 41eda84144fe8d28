//! What kinds of character there are, as far as disguises go.

/// Embeds, overrides or isolates a direction.
pub(crate) fn turns_direction(letter: char) -> bool {
    matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Marks a direction; of use in right-to-left text only.
pub(crate) fn marks_direction(letter: char) -> bool {
    matches!(letter, '\u{200E}' | '\u{200F}' | '\u{061C}')
}

/// A letter of a script that is written from right to left.
pub(crate) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{061B}' | '\u{061D}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// Takes no room, or looks empty.
pub(crate) fn is_invisible(letter: char) -> bool {
    is_joiner(letter)
        || is_variation(letter)
        || is_tag(letter)
        || matches!(
            letter,
            '\u{00AD}'
                | '\u{034F}'
                | '\u{115F}'
                | '\u{1160}'
                | '\u{17B4}'
                | '\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'
                | '\u{2060}'..='\u{2064}'
                | '\u{206A}'..='\u{206F}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{1D173}'..='\u{1D17A}'
        )
}

/// Joins or parts letters: at home in emoji and in Arabic and Indic scripts.
pub(crate) fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200C}' | '\u{200D}')
}

/// Chooses between forms of the character before it.
pub(crate) fn is_variation(letter: char) -> bool {
    matches!(letter, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// The invisible twins of ASCII; at home in the flags of regions.
pub(crate) fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{E0000}'..='\u{E007F}')
}

/// Looks like a space, but no shell takes it for one.
pub(crate) fn is_odd_space(letter: char) -> bool {
    matches!(
        letter,
        '\u{00A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

/// The scripts that can be mistaken for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Armenian,
    Cherokee,
    Cyrillic,
    Greek,
    Latin,
}

/// The script of a letter, if it is one of those.
pub(crate) fn script(letter: char) -> Option<Script> {
    match letter {
        'a'..='z' | 'A'..='Z' | '\u{00C0}'..='\u{024F}' => Some(Script::Latin),
        '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}' => Some(Script::Greek),
        '\u{0400}'..='\u{052F}' => Some(Script::Cyrillic),
        '\u{0531}'..='\u{0587}' => Some(Script::Armenian),
        '\u{13A0}'..='\u{13FF}' | '\u{AB70}'..='\u{ABBF}' => Some(Script::Cherokee),
        _ => None,
    }
}

/// A character's number and, where it has a known one, its name.
pub(crate) fn name(letter: char) -> String {
    let name = match letter {
        '\u{1B}' => "escape",
        '\u{7F}' => "delete",
        '\u{8}' => "backspace",
        '\r' => "carriage return",
        '\0' => "null",
        '\u{A0}' => "no-break space",
        '\u{AD}' => "soft hyphen",
        '\u{200B}' => "zero-width space",
        '\u{200C}' => "zero-width non-joiner",
        '\u{200D}' => "zero-width joiner",
        '\u{2060}' => "word joiner",
        '\u{202A}' => "left-to-right embedding",
        '\u{202B}' => "right-to-left embedding",
        '\u{202C}' => "end of a change of direction",
        '\u{202D}' => "left-to-right override",
        '\u{202E}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "end of an isolate",
        '\u{3000}' => "ideographic space",
        '\u{FEFF}' => "byte-order mark",
        _ if is_tag(letter) => "tag character",
        _ if is_variation(letter) => "variation selector",
        _ => "",
    };
    let number = format!("U+{:04X}", u32::from(letter));
    if name.is_empty() { number } else { format!("{number} ({name})") }
}
