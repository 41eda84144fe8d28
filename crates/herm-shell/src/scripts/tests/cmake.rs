//! What scripts of `CMake` must be seen to do.

use super::recorder::said;
use crate::lang::Lang;

const LANG: Lang = Lang::Other("cmake");

#[test]
fn commands_of_cmake_are_found() {
    let rows = [
        ("file(REMOVE_RECURSE $ENV{HOME})", "Delete /home/ada [recursive] [forced]"),
        (
            "set(X \"$ENV{HOME}\")\nfile(REMOVE_RECURSE \"${X}/src\")",
            "Delete /home/ada/src [recursive] [forced]",
        ),
        ("set(WORDS rm -rf a)\nexecute_process(COMMAND ${WORDS})", "run rm -rf a"),
        ("execute_process(COMMAND [[rm]] -rf \"a b\" OUTPUT_VARIABLE x)", "run rm -rf a b"),
        ("# x\nif(NOT x)\n  execute_process(COMMAND a COMMAND b c)\nendif()", "run b c"),
        ("cmake_language(EVAL CODE \"file(REMOVE a)\")", "Delete a"),
        ("cmake_language(CALL file REMOVE a)", "Delete a"),
        ("#[[ file(REMOVE a) ]] file(WRITE b \"x\" y)", "Write b = xy [emptying]"),
        ("include(${CMAKE_CURRENT_LIST_DIR}/x.cmake)", "script cmake"),
    ];
    for (code, line) in rows {
        let lines = said(LANG, code);
        assert!(lines.iter().any(|said| said.starts_with(line)), "{code}: {lines:?}");
    }
}

#[test]
fn what_a_block_sets_is_not_known() {
    let lines = said(LANG, "set(X a)\nif(Y)\nset(X /)\nendif()\nfile(REMOVE ${X})");
    assert!(!lines.iter().any(|line| line == "Delete a" || line == "Delete /"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Delete ")), "{lines:?}");
}

#[test]
fn everyday_commands_do_nothing() {
    let code = "cmake_minimum_required(VERSION 3.20)\nproject(x C)\nfind_package(Threads REQUIRED)\nadd_executable(x main.c)\nmessage(STATUS \"file(REMOVE a)\")\n# file(REMOVE b)\n";
    assert!(said(LANG, code).is_empty());
}
