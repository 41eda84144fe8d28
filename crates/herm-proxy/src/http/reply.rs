//! What a client is told when there is no answer from where it wanted to go.

use std::io;

use crate::route::Refusal;
use crate::wire::Wire;

/// Tells a client why there is no connection, and says goodbye.
pub(crate) async fn refusal(client: &mut Wire, refusal: &Refusal) -> io::Result<()> {
    match refusal {
        Refusal::Refused(objection) => {
            respond(client, "403 Forbidden", Some(objection.rule), &refusal.to_string()).await
        }
        Refusal::Failed(why) => respond(client, "502 Bad Gateway", None, why).await,
    }
}

/// Sends a short text, after which the connection ends.
pub(crate) async fn respond(
    client: &mut Wire,
    status: &str,
    rule: Option<&str>,
    text: &str,
) -> io::Result<()> {
    let rule = rule.map(|rule| format!("X-Herm-Rule: {rule}\r\n")).unwrap_or_default();
    let body = format!("herm: {text}\n");
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n{rule}Connection: close\r\n\r\n",
        body.len()
    );
    client.send(format!("{head}{body}").as_bytes()).await
}
