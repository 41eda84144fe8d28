//! The page about what was tried.

use herm_sandbox::native::Layer;

use super::{Control, GROUPS, Group, Held, OPEN_WHEN_NESTED, Probe, all};

/// The reference of what the sandbox was tried with, as Markdown.
#[must_use]
pub fn page() -> String {
    let open: Vec<String> = OPEN_WHEN_NESTED.iter().map(|name| code(name)).collect();
    let mut page = format!("{}\n{}", HEAD.replace("OPEN", &open.join(", ")), layers());
    for group in GROUPS {
        page.push_str(&table(group));
    }
    page
}

const HEAD: &str = "# The sandbox, tried from inside

`cargo nextest run -p herm-test --test sandbox` tries each of these ways out, as root and as an ordinary user:

1. **without a sandbox**, where it must get out: by itself, as root, or when root has prepared something for it. So a probe that does
   nothing is noticed. Nothing is harmed: it goes for stand-ins, or makes calls with arguments that cannot work and looks at
   whether it is the permission that is missing.
2. **in the sandbox**, where it must be refused. What a machine or a user cannot have is said in the receipt of each run.
3. **in the sandbox without the layers that hold it**, where it must get out again. So each layer is shown to matter. As an
   ordinary user only what does not need root is tried that way, and not what being that user holds.
4. **in the sandbox with only one of them**, each in turn, where it must be refused. So each layer that is named holds it by itself. As
   root only.

With doors to the network that nobody stands at (`guarded`) the same is refused. With the `nested` profile, for programs that
sandbox themselves, all is refused but OPEN.

The probes are in `crates/herm-test/probes/`, and what is said about them in `crates/herm-test/src/probe/table/`.

## Layers

Without this one layer, and with all others, the probe gets out.
";

fn layers() -> String {
    let mut text = "| layer | what it is | what gets out without it |\n|---|---|---|\n".to_owned();
    for layer in Layer::ALL {
        let alone = |probe: &&Probe| probe.held.layers(true).is_some_and(|held| held == [*layer]);
        let names: Vec<String> = all().filter(alone).map(|probe| code(probe.name)).collect();
        text.push_str(&row(&[&code(layer.word()), what(*layer), &names.join(", ")]));
    }
    text
}

const fn what(layer: Layer) -> &'static str {
    match layer {
        Layer::Clocks => "clocks that began with the program",
        Layer::ControlGroups => "a namespace of control groups",
        Layer::Files => "Landlock",
        Layer::Groups => "limits for all processes together, by control groups",
        Layer::Limits => "limits for each process",
        Layer::Messages => "a namespace of messages and shared memory",
        Layer::Names => "a host name of its own",
        Layer::Network => "a namespace of networks",
        Layer::Processes => "a namespace of processes",
        Layer::Rights => "no capabilities, and no way to gain any",
        Layer::SystemCalls => "a seccomp filter",
        Layer::Users => "a namespace of users; for root, being somebody who owns nothing",
        Layer::View => "a file system of its own",
    }
}

fn table(group: &Group) -> String {
    let mut text = format!(
        "\n## {}\n\n| probe | tries to | without a sandbox | in the sandbox | held by |\n|---|---|---|---|---|\n",
        group.title
    );
    for probe in group.probes {
        let cells = [code(probe.name), probe.tries.to_owned(), control(probe), confined(probe), held(probe)];
        text.push_str(&row(&cells.each_ref().map(String::as_str)));
    }
    text
}

fn control(probe: &Probe) -> String {
    let who = match probe.control {
        Control::Anyone => "anyone",
        Control::Prepared => "anyone, once root has prepared it",
        Control::Root => "root",
    };
    probe.unless.map_or_else(|| who.to_owned(), |lack| format!("{who}, unless {lack}"))
}

fn confined(probe: &Probe) -> String {
    probe.needs.map_or_else(
        || "refused".to_owned(),
        |measure| format!("refused where the receipt says {}", code(measure.word())),
    )
}

fn held(probe: &Probe) -> String {
    match probe.held {
        Held::Always(what) => what.to_owned(),
        Held::By(layers) | Held::ForRoot(layers) => {
            let words: Vec<String> = layers.iter().map(|layer| code(layer.word())).collect();
            words.join(", ")
        }
    }
}

fn code(word: &str) -> String {
    format!("`{word}`")
}

fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}
