//! `herm init`

use clap::ArgMatches;
use herm_runtime::doctor::held_off;
use herm_runtime::observe;
use herm_runtime::wiring::{Agent, Places, Plan, Problem, Purpose, Scope, Step, wiring};
use serde_json::{Value, json};

use super::wire::{self, Voice, told};
use super::{answer, complain};
use crate::exit::Exit;
use crate::render::diff::unified;

/// Has agents ask herm.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let places = match wire::places(matches, "wire agents") {
        Ok(places) => places,
        Err(exit) => return exit,
    };
    let scope = wire::scope(matches);
    let agents = chosen(matches, &places, scope);
    if agents.is_empty() {
        complain("herm", "no agent was found that could be wired");
        complain("hint", "name one: `herm init claude-code`; `herm init --help` lists them");
        return Exit::Deny;
    }
    let mut voice = Voice::new(matches);
    let guards = agents.iter().map(|agent| places.guard_of(&places.call(*agent, scope).line()));
    if let Some(end) = guards.filter_map(|guard| observe::of_hook(&guard)).max() {
        let what = format!("agents are only observed until {end}: they ask herm, and nothing is stopped");
        voice.complain(&what, Some("say `herm observe off` if it is time"));
    }
    if let Some(spot) = places.weak_spot().filter(|_| scope == Scope::System) {
        let what = format!(
            "others than root can change `{}`, and so what everybody's agents would ask",
            spot.display()
        );
        voice.complain(&what, Some("install herm where only root can write, and wire it from there"));
    }
    let outcomes: Vec<Outcome> = agents
        .iter()
        .map(|agent| Work { matches, places: &places }.wire(*agent, scope, &mut voice))
        .collect();
    let is_well = outcomes.iter().all(|outcome| outcome.is_well);
    let exit = if is_well { Exit::Allow } else { Exit::Deny };
    if matches.get_flag("json") {
        let agents: Vec<_> = outcomes.into_iter().map(|outcome| outcome.json).collect();
        return answer(&format!("{:#}\n", json!({ "ok": is_well, "agents": agents })), exit);
    }
    voice.advise(is_well);
    exit
}

/// Those that were named, or all that are there and can be wired.
fn chosen(matches: &ArgMatches, places: &Places, scope: Scope) -> Vec<Agent> {
    let named = wire::named(matches);
    if !named.is_empty() {
        return named;
    }
    let can_be = |agent: &Agent| scope == Scope::User || wiring(*agent).system.is_some();
    places.agents().into_iter().map(|found| found.agent).filter(can_be).collect()
}

/// What came of one agent.
struct Outcome {
    is_well: bool,
    json: Value,
}

struct Work<'a> {
    matches: &'a ArgMatches,
    places: &'a Places,
}

impl Work<'_> {
    fn wire(&self, agent: Agent, scope: Scope, voice: &mut Voice<'_>) -> Outcome {
        let plan = Plan::new(self.places, agent, scope);
        if plan.steps.is_empty() {
            voice.say(&format!(
                "{}: there is no place for the whole machine that repositories cannot change\n",
                agent.word()
            ));
            return Outcome {
                is_well: false,
                json: json!({ "agent": agent.word(), "scope": scope.word(), "files": [] }),
            };
        }
        voice.say(&format!("{} ({})\n", agent.word(), scope.word()));
        let hooks = self.purpose(&plan, Purpose::Hook, voice);
        // A hook that is not there cannot be trusted.
        let trust = if hooks.is_ok() { self.purpose(&plan, Purpose::Trust, voice) } else { Ok(Done::No) };
        let trusts = plan.steps.iter().any(|step| step.purpose == Purpose::Trust);
        if trusts && hooks.is_ok() && !matches!(trust, Ok(Done::Yes)) {
            let how = wiring(agent).consent.unwrap_or_default();
            voice.say(&format!("  it asks herm only after you have consented: {how}\n"));
        }
        let off = if hooks.is_ok() { held_off(self.places, &plan) } else { Vec::new() };
        for row in &off {
            let what = format!("{} does not ask herm all the same: {}", agent.word(), row.detail);
            voice.complain(&what, row.advice.as_deref());
        }
        let is_done = matches!(hooks, Ok(Done::Yes)) && trust.is_ok() || self.is_dry() && hooks.is_ok();
        let mut json = Self::json(&plan, &hooks, &trust);
        if let Some(fields) = json.as_object_mut() {
            fields.insert("switched_off".to_owned(), off.iter().map(|row| row.detail.as_str()).collect());
        }
        Outcome { is_well: is_done && off.is_empty(), json }
    }

    fn is_dry(&self) -> bool {
        self.matches.get_flag("dry-run")
    }

    /// Shows what would change for this purpose, and changes it if that is wanted.
    fn purpose(&self, plan: &Plan, purpose: Purpose, voice: &mut Voice<'_>) -> Result<Done, String> {
        let steps: Vec<&Step> = plan.steps.iter().filter(|step| step.purpose == purpose).collect();
        let refused: Vec<&Problem> = steps.iter().filter_map(|step| step.change.as_ref().err()).collect();
        for step in &steps {
            show(step, voice);
        }
        if let Some(problem) = refused.first() {
            return Err(problem.to_string());
        }
        if steps.iter().all(|step| step.is_done()) {
            return Ok(Done::Yes);
        }
        let is_wanted = match purpose {
            Purpose::Hook => !self.is_dry() && voice.wants("Write this?"),
            Purpose::Trust => !self.is_dry() && self.consents(voice),
        };
        if !is_wanted {
            return Ok(Done::No);
        }
        match plan.carry_out(self.places, purpose) {
            Ok(()) => {
                voice.say("  written\n");
                Ok(Done::Yes)
            }
            Err(problem) => {
                voice.complain(&problem.to_string(), problem.hint());
                Err(problem.to_string())
            }
        }
    }

    /// Consent to a hook is a person's own: `--yes` alone does not give it.
    fn consents(&self, voice: &mut Voice<'_>) -> bool {
        self.matches.get_flag("trust")
            || !self.matches.get_flag("yes") && voice.asks("Consent to the hook in the agent's place?")
    }

    fn json(plan: &Plan, hooks: &Result<Done, String>, trust: &Result<Done, String>) -> Value {
        let file = |step: &Step| {
            let done = if step.purpose == Purpose::Hook { hooks } else { trust };
            let written = matches!(done, Ok(Done::Yes)) && !step.is_done();
            let mut value = told(&step.file, &step.change, written);
            if let Some(map) = value.as_object_mut() {
                let purpose = if step.purpose == Purpose::Hook { "hook" } else { "trust" };
                map.insert("purpose".to_owned(), purpose.into());
                if step.change.is_err() {
                    map.insert("by_hand".to_owned(), step.by_hand.clone().into());
                }
            }
            value
        };
        let files: Vec<_> = plan.steps.iter().map(file).collect();
        json!({ "agent": plan.agent.word(), "scope": plan.scope.word(), "files": files })
    }
}

/// Whether the files say what they should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    No,
    Yes,
}

fn show(step: &Step, voice: &mut Voice<'_>) {
    match &step.change {
        Ok(change) if change.is_none() => {
            voice.say(&format!("  {}: nothing to change\n", step.file.display()));
        }
        Ok(change) => voice.say(&unified(&step.file, change.before.as_deref(), change.after.as_deref())),
        Err(problem) => {
            voice.complain(&problem.to_string(), problem.hint());
            voice.say(&format!("  to add by hand to {}:\n\n{}\n", step.file.display(), step.by_hand));
        }
    }
}
