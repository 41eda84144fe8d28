//! The numbers that stand for variants.

use super::super::schema::{Naming, Role, Source, Syntax};
use crate::effect::Verb;
use crate::lang::Lang;

/// Numbers for the variants that hold nothing, both ways. A variant that is missing does not compile.
macro_rules! codes {
    ($code:ident, $decoded:ident, $type:ident { $($variant:ident = $number:literal),* } $(, except $($other:ident)|*)?) => {
        pub(super) const fn $code(value: &$type) -> Option<u8> {
            match value {
                $($type::$variant => Some($number),)*
                $($($type::$other { .. })|* => None,)?
            }
        }

        pub(super) fn $decoded(code: u8) -> Option<$type> {
            match code {
                $($number => Some($type::$variant),)*
                _ => None,
            }
        }
    };
}

codes!(syntax, syntax_of, Syntax {
    Expression = 0, FirstOperandEnds = 1, Gnu = 2, KeyValue = 3, SingleDash = 4, TarBundle = 5, Words = 6
});

codes!(naming, naming_of, Naming { Short = 0, Whole = 1 });

codes!(source, source_of, Source {
    Input = 0, Decoded = 1, Network = 2, Nothing = 3, Secret = 4, Settings = 5, Unknown = 6, Computed = 7
});

codes!(verb, verb_of, Verb {
    Account = 0, ChangeAttributes = 1, ChangeMode = 2, ChangeOwner = 3, Configure = 4, Connect = 5, Delete = 6,
    Destroy = 7, Disable = 8, Discard = 9, Escalate = 10, Execute = 11, Exhaust = 12, Format = 13, Install = 14,
    Kill = 15, Link = 16, Listen = 17, Load = 18, Login = 19, Mount = 20, Persist = 21, Power = 22, Publish = 23,
    Read = 24, Rewrite = 25, Send = 26, Service = 27, Uninstall = 28, Write = 29
});

codes!(lang, lang_of, Lang {
    Awk = 0, Cmd = 1, Debugger = 2, Ex = 3, JavaScript = 4, Lua = 5, Make = 6, Perl = 7, Php = 8, PowerShell = 9,
    Python = 10, R = 11, Ruby = 12, Sed = 13, Shell = 14, Sql = 15, Tcl = 16
}, except Other);

codes!(role, role_of, Role {
    Append = 0, Argv = 1, ArgvText = 2, Directory = 3, Delete = 4, Expanded = 5, Environment = 6, Host = 7, Inert = 8,
    Library = 9, Link = 10, MoveFrom = 11, ChangeMode = 12, ChangeOwner = 13, Program = 14, Read = 15, Send = 16,
    SendFile = 17, TransferFrom = 18, TransferTo = 19, Url = 20, Write = 21,
    Options = 22, Setting = 23
}, except AtFile | Code | Interact | Plugin | Prefixed | Script);

/// What stands for variants that hold something; above all others.
pub(super) const AT_FILE: u8 = 0xf0;
pub(super) const CODE: u8 = 0xf1;
pub(super) const PREFIXED: u8 = 0xf2;
pub(super) const SCRIPT: u8 = 0xf3;
pub(super) const OTHER: u8 = 0xf4;
pub(super) const PLUGIN: u8 = 0xf5;
pub(super) const INTERACT: u8 = 0xf6;
