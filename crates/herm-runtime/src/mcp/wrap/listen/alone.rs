//! Requests that stand for themselves. They share a server, where each has a name that no other has: clients do not know of one another.

use herm_adapters::jsonrpc::{Id, Message, Notification, Request, Response};
use herm_adapters::mcp::protocol::SUBSCRIPTION;
use serde_json::Value;

/// A request under the name that it has on the server.
#[derive(Debug)]
pub(super) struct Alone<'a> {
    pub(super) id: Id,
    request: &'a Request,
    /// What its client calls its progress.
    progress: Option<Value>,
}

impl<'a> Alone<'a> {
    pub(super) fn new(request: &'a Request, number: u64) -> Self {
        let progress = request.params.as_ref().and_then(|params| params.get("_meta")?.get(PROGRESS)).cloned();
        Self { id: Id::Text(format!("stateless-{number}")), request, progress }
    }

    /// What the server is told.
    pub(super) fn line(&self) -> Vec<u8> {
        let mut request = Request { id: self.id.clone(), ..self.request.clone() };
        let meta = request.params.as_mut().and_then(|params| params.get_mut("_meta"));
        if let Some(token) = meta.and_then(|meta| meta.get_mut(PROGRESS)) {
            *token = self.id.value();
        }
        Message::Request(request).line().trim_ascii_end().to_vec()
    }

    /// Turns a line of the server into what the client understands. Says whether it is the answer.
    pub(super) fn translate(&self, line: &mut Vec<u8>) -> Option<Response> {
        match Message::read(line.trim_ascii_end()) {
            Ok(Message::Response(mut response)) if response.id.as_ref() == Some(&self.id) => {
                response.id = Some(self.request.id.clone());
                if let Some(name) = response.outcome.as_mut().ok().and_then(subscription) {
                    *name = self.request.id.value();
                }
                *line = Message::Response(response.clone()).line();
                Some(response)
            }
            Ok(Message::Notification(mut said)) if addressee(&said) == Some(self.id.clone()) => {
                let params = said.params.as_mut();
                if let Some(params) = params {
                    if let (Some(token), Some(own)) = (params.get_mut(PROGRESS), &self.progress) {
                        *token = own.clone();
                    }
                    if let Some(name) = subscription(params) {
                        *name = self.request.id.value();
                    }
                }
                *line = Message::Notification(said).line();
                None
            }
            _ => None,
        }
    }
}

const PROGRESS: &str = "progressToken";

/// Which subscription something belongs to.
fn subscription(params: &mut Value) -> Option<&mut Value> {
    params.get_mut("_meta")?.get_mut(SUBSCRIPTION)
}

/// Whose request something is about that the server says by itself, where it says so.
pub(super) fn addressee(said: &Notification) -> Option<Id> {
    let params = said.params.as_ref()?;
    let name = params.get(PROGRESS).or_else(|| params.get("_meta")?.get(SUBSCRIPTION))?;
    name.as_str().map(|name| Id::Text(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_client_hears_of_nothing_but_its_own_names() {
        let params = json!({"_meta": {"progressToken": 7, "x": 1}, "name": "t"});
        let request = Request { id: 1.into(), method: "tools/call".to_owned(), params: Some(params) };
        let alone = Alone::new(&request, 4);
        let told: Value = serde_json::from_slice(&alone.line()).unwrap();
        assert_eq!(
            (&told["id"], &told["params"]["_meta"]),
            (&json!("stateless-4"), &json!({"progressToken": "stateless-4", "x": 1}))
        );
        let turned = |said: Value| {
            let mut line = said.to_string().into_bytes();
            let last = alone.translate(&mut line).is_some();
            (last, serde_json::from_slice::<Value>(&line).unwrap())
        };
        let progress = |token: Value| json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}});
        assert_eq!(turned(progress(json!("stateless-4"))), (false, progress(json!(7))));
        let tagged = |name: Value| json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": {SUBSCRIPTION: name}}});
        assert_eq!(turned(tagged(json!("stateless-4"))), (false, tagged(json!(1))));
        let answer = |id: Value| json!({"jsonrpc": "2.0", "id": id, "result": {"_meta": {SUBSCRIPTION: id}}});
        assert_eq!(turned(answer(json!("stateless-4"))), (true, answer(json!(1))));
        assert!(!turned(answer(json!("stateless-5"))).0);
    }
}
