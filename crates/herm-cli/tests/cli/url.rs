use crate::test::Test;

const METADATA: &str = "deny: 1 finding

deny: cloud metadata service [metadata-service]
    http://2852039166/latest
    ^^^^^^^^^^^^^^^^^^^^^^^^
  asks `169.254.169.254`, which hands out credentials
  why: It hands out the machine's credentials to whoever asks.
  instead: Ask the person for the credentials that the task needs.
";

#[test]
fn a_refusal_shows_where_the_link_leads_and_why() {
    Test::new(&["url", "http://2852039166/latest"]).answers(1, METADATA);
}

#[test]
fn what_nothing_minds_is_allowed() {
    Test::new(&["url", "--no-dns", "https://example.com"]).answers(0, "allow\n");
    Test::new(&["url", "https://93.184.216.34/"]).answers(0, "allow\n");
}

#[test]
fn a_name_without_an_address_is_refused_unless_none_is_looked_for() {
    assert_eq!(Test::new(&["url", "https://no-such-host.invalid/"]).code(), Some(1));
    assert_eq!(Test::new(&["url", "--no-dns", "https://no-such-host.invalid/"]).code(), Some(0));
}

#[test]
fn of_several_links_the_strictest_decides() {
    let code = |links: &[&str]| Test::new(&[&["url", "--no-dns"], links].concat()).code();
    assert_eq!(code(&["https://a.example", "http://[::1]/", "https://github.com@b.example/"]), Some(1));
    assert_eq!(code(&["https://a.example", "https://github.com@b.example/"]), Some(2));
    let shown = Test::new(&["url", "--no-dns", "https://a.example", "https://b.example"]).stdout();
    assert_eq!(shown, "https://a.example\nallow\n\nhttps://b.example\nallow\n");
}

#[test]
fn json_is_a_line_for_each_link() {
    let shown =
        Test::new(&["url", "--no-dns", "--json", "https://a.example", "http://10.0.0.1:8080/"]).stdout();
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[0], r#"{"decision":"allow","findings":[],"url":"https://a.example"}"#);
    assert!(
        lines[1].starts_with(r#"{"decision":"deny","findings":[{"effect":"connect `http://10.0.0.1:8080/`""#),
        "{}",
        lines[1]
    );
    assert!(
        lines[1].contains(r#""reason":"`10.0.0.1` is in a private network","rule":"private-address""#),
        "{}",
        lines[1]
    );
}

#[test]
fn a_batch_is_answered_line_by_line() {
    let input = "{\"id\":7,\"input\":\"https://a.example\"}\n\n{\"id\":\"b\",\"input\":\"file:///etc/passwd\"}\n{\"id\":1}\nx\n";
    let shown = Test::new(&["url", "--batch", "--no-dns"]).input(input).stdout();
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[0], r#"{"decision":"allow","findings":[],"id":7}"#);
    assert!(
        lines[1].contains(r#""id":"b""#) && lines[1].contains(r#""rule":"foreign-scheme""#),
        "{}",
        lines[1]
    );
    assert_eq!(lines[2], r#"{"decision":"deny","error":"`input` must be a text","findings":[],"id":1}"#);
    assert!(lines[3].contains("not valid JSON") && lines.len() == 4, "{shown}");
}

#[test]
fn shared_files_of_the_blocklist_are_read_every_time() {
    let config = "security: {website_blocklist: {enabled: true, shared_files: [sites.txt]}}";
    let run = |sites: &str| {
        Test::new(&["url", "--no-dns", "https://www.bad.example/"])
            .config(config)
            .file("sites.txt", sites)
            .code()
    };
    assert_eq!(run("# none\n"), Some(0));
    assert_eq!(run("bad.example\n"), Some(1));
    assert_eq!(run("b*d.example\n"), Some(2));
    assert_eq!(Test::new(&["url", "--no-dns", "https://www.bad.example/"]).config(config).code(), Some(2));
}

#[test]
fn a_service_is_exempt_by_name() {
    let config = "egress: {endpoints: ['localhost:8080']}";
    assert_eq!(Test::new(&["url", "http://localhost:8080/"]).config(config).code(), Some(0));
    assert_eq!(Test::new(&["url", "http://localhost:8081/"]).config(config).code(), Some(1));
}

#[test]
fn without_a_link_there_is_nothing_to_judge() {
    assert_eq!(Test::new(&["url"]).code(), Some(3));
    assert_eq!(Test::new(&["url", "--batch", "https://a.example"]).code(), Some(3));
}
