//! What must go because of what stands beside it where there is neither a name nor a sign, and what only looks like it.

use herm_scan::Redactor;

/// Texts, and what of them must go.
const TEXTS: &[(&str, &str)] = &[
    // Rows without a heading, by an address beside them.
    ("7|https://git.example.net|builder|Garten#Zaun84|2023-11-02\n", "Garten#Zaun84"),
    ("https://shop.example.net\tann\tKettle7Marmot\tprivate\n", "Kettle7Marmot"),
    ("\"Shop\",\"ann@example.net\",\"Walfisch!82\",\"\"\n", "Walfisch!82"),
    // Fields in order.
    ("localhost:5434:dev:ann:thim\\:bleWood\n", "thim\\:bleWood"),
    ("machine ftp.example.net login web password pickle&Jar77\n", "pickle&Jar77"),
    // The hashes of passwords, whatever made them.
    (
        "admin = $pbkdf2-sha512$25000$T0xtZ3BXb2JyQ2xz$qKx8Rz2mVt7LwPbN4sYc1JhDf6GaUe3QoXi9MkTl5A",
        "qKx8Rz2mVt7Lw",
    ),
    ("ann,pbkdf2_sha256$600000$kJ2mV9xQ$Wb7tRz4LnPqYs8Hd1GcEj6AuOi3MfXvK5NyTlBkU2aQ=,1\n", "Wb7tRz4LnPqYs8"),
    ("| 1 | ann | $P$BqKx8Rz2mVt7LwPbN4sYc1JhDf6Ga.3 |", "BqKx8Rz2mVt7Lw"),
    ("hash: scrypt:32768:8:1$kJ2mV9xQ$8f14e45fceea167a5a36dedd4bea2543f7d1c0b2", "8f14e45fceea167a"),
    (
        "user ann on sanitize-payload #3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6 ~* +@all\n",
        "3b1d0c8e7f5a29",
    ),
    // Options of commands.
    ("openssl enc -aes-256-cbc -pass pass:\"three blue kettles\" -in a -out b\n", "three blue kettles"),
    ("openssl pkcs12 -export -passout 'pass:Marmot-Tea' -in a.pem\n", "Marmot-Tea"),
    (
        "curl https://api.example.net/2010/Messages.json -u AC0f1e2d3c4b5a69788796a5b4c3d2e1f0:7b2e9d4c1f8a3605e9d8c7b6a5f40312",
        "7b2e9d4c1f8a36",
    ),
    // Addresses that are keys.
    ("url: \"https://sepolia.infura.io/v3/7b2e9d4c1f8a3605e9d8c7b6a5f40312\"", "7b2e9d4c1f8a36"),
    ("curl -fsS https://hc-ping.com/2f1c7a90-5b3e-4d86-9a17-c0e8b4d6f325", "2f1c7a90-5b3e"),
    ("POST https://ci.example.net/api/webhooks/incoming/Rt7Lw4pBzK9xvQ2mYs8Hd1", "Rt7Lw4pBzK9x"),
    (
        "curl 'https://api.openweathermap.org/data/2.5/weather?q=Oslo&appid=7b2e9d4c1f8a3605e9d8c7b6a5f40312'",
        "7b2e9d4c1f8a36",
    ),
    // Cookies.
    ("Set-Cookie: app.rememberme=20417%3Aq7Rk2vXz9LmT4wPs8Ny3Hd6Bc1; Path=/\n", "q7Rk2vXz9LmT4"),
    ("Cookie: theme=dark; __Host-id=q7Rk2vXz9LmT4wPs8Ny3Hd6Bc1; lang=en\n", "q7Rk2vXz9LmT4"),
    // Codes.
    ("Your verification code is 604218. It expires soon.", "604218"),
    ("604218 is your confirmation code.", "604218"),
    ("Use the code 604 218 to sign in", "604 218"),
    ("The gate code is 5190#, ring twice", "5190#"),
    ("Le code de la porte est le A5190.", "A5190"),
    ("Der Code für das Haustürschloss ist 5190.", "5190"),
    ("El código de la alarma es 5190", "5190"),
    // Sentences.
    (
        "The password for the router is Pickle-jar7.\nThe one for the printer is zaungast8 (change it).\n",
        "zaungast8",
    ),
    ("Das Passwort fürs WLAN ist Pickle-jar7,\ndas für den Gast ist zaungast8.\n", "zaungast8"),
    ("Open the page and log in with `ann` / `Saddle+Kettle9`", "Saddle+Kettle9"),
    ("{\"text\": \"sure, its reviewer / rhubarb-Kettle5\"}", "rhubarb-Kettle5"),
    // Names and values on other lines.
    ("    name  = \"MAIL_PASSWORD\"\n  ~ value = \"reed-Heron-17\" -> \"kJ2mV9xQ8tRz\"\n", "reed-Heron-17"),
    (
        "\"Jwt\": {\n  \"Issuer\": \"x\",\n  \"Key\": \"otter-Lantern-2020-sign\"\n}\n",
        "otter-Lantern-2020-sign",
    ),
    (
        "cfg := NewStaticCredentials(\n\t\"ann\",\n\t\"kJ2m+V9xQ8tRz4LnPqYs8Hd1GcEj6AuOi3MfXvK5\", \"\"),\n",
        "kJ2m+V9xQ8tRz4",
    ),
    ("snmp_rw_community: zaun-garten-x\n", "zaun-garten-x"),
    ("set enabled=yes ipsec-secret=walfisch_im_meer\n", "walfisch_im_meer"),
    (
        "wallet backup (12 words, on paper):\nkettle ticket orbit saddle wheat oyster glide fabric tenant pupil rebel marmot\n",
        "oyster glide",
    ),
    // Bytes of keys.
    ("  key: Buffer.from(\"3b1d0c8e7f5a2946b8d7c0e1f2a39485\", \"hex\"),\n", "3b1d0c8e7f5a29"),
    ("AES_KEY = bytes.fromhex('3b1d0c8e7f5a2946b8d7c0e1f2a39485')\n", "3b1d0c8e7f5a29"),
    ("accounts: [\"0x3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6\"],", "3b1d0c8e7f5a29"),
    // What is answered to who asks, in the open and encoded.
    ("USER ann\n331 Password required\nPASS Rhubarb!9kettle\n230 ok\n", "Rhubarb!9kettle"),
    ("S: 334 UGFzc3dvcmQ6\nC: UmhvdWJhcmI5\nS: 235 ok\n", "UmhvdWJhcmI5"),
    // Options that stand for something, proxies, pictures of networks.
    (
        "parser.add_argument(\"--password\", default=\"rhubarb-Kettle-9\", help=\"of the store\")",
        "rhubarb-Kettle-9",
    ),
    ("cache_peer proxy.example.net parent 3128 0 login=ann:Rt7Lw4pBzK9x no-query\n", "Rt7Lw4pBzK9x"),
    ("socks5 10.1.1.1 1080 ann Rt7Lw4pBzK9x\n", "Rt7Lw4pBzK9x"),
    ("WIFI:T:WPA;S:attic;P:rhubarb tea;;", "rhubarb tea"),
    ("createUser ops SHA \"Rhubarb*kettle9\" AES \"pickle-Jar-77\"\n", "pickle-Jar-77"),
    // Codes whose names are one word.
    ("Der Türcode ist 5190#, bitte merken.", "5190#"),
    ("Uw toegangscode is 5190.", "5190"),
    ("Ihre TAN lautet 604218.", "604218"),
    ("la contraseña del wifi es Rt7Lw4pBzK9xvQ2m ok?", "Rt7Lw4pBzK9xvQ2m"),
    // One value behind several names.
    ("a --password=token=Rt7Lw4pBzK9xvQ2m b", "Rt7Lw4pBzK9xvQ2m"),
    // What calls take that sign or encrypt.
    ("sig = hmac.new(b\"Rt7Lw4pBzK9xvQ2mYs8Hd1GcEj6Au\", body).hexdigest()", "Rt7Lw4pBzK9x"),
    (
        "createCipheriv(\"aes-256-cbc\", Buffer.from(\"3b1d0c8e7f5a2946b8d7c0e1f2a39485\", \"hex\"), iv)",
        "3b1d0c8e7f5a29",
    ),
    (
        "new ethers.Wallet(\"0x3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6\")",
        "3b1d0c8e7f5a29",
    ),
    // Values on the next line, as what a call takes.
    ("x := getenvOr(\n\t\"DB_PASSWORD\",\n\t\"rhubarb-Kettle-9\",\n)\n", "rhubarb-Kettle-9"),
    ("Client(\n    password=(\n        \"rhubarb-Kettle-9\"\n    ),\n)\n", "rhubarb-Kettle-9"),
    // Commands of Windows and against it, boot loaders, files of cookies, phrases with numbers.
    ("net user ann Rt7Lw4pBzK9x /add\n", "Rt7Lw4pBzK9x"),
    ("impacket-psexec corp/ann:Rhubarb+kettle9@10.0.0.5\n", "Rhubarb+kettle9"),
    ("example.net\tFALSE\t/\tTRUE\t1750000000\tsession_id\tq7Rk2vXz9LmT4wPs8Ny3Hd6Bc1\n", "q7Rk2vXz9LmT4"),
    ("Your recovery phrase:\n 1. kettle  2. ticket  3. orbit\n 4. saddle  5. wheat  6. oyster\n", "oyster"),
    ("You can log in as ann with password Rhubarb!kettle9.", "Rhubarb!kettle9"),
    ("<li>Password: <code>Rt7Lw4pBzK9xvQ2m</code></li>", "Rt7Lw4pBzK9xvQ2m"),
    (
        "user ann on #3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6 #4b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6 +@all\n",
        "4b1d0c8e7f5a29",
    ),
    // Cards.
    ("exp 04/27, CVV: 128\n", "128"),
    (
        "{\"card\": {\"brand\": \"Visa\", \"number\": \"4539148803436467\", \"expYear\": \"2029\", \"code\": \"8213\"}}",
        "4539148803436467",
    ),
    (
        "{\"card\": {\"brand\": \"Visa\", \"number\": \"4539148803436467\", \"expYear\": \"2029\", \"code\": \"8213\"}}",
        "8213",
    ),
];

#[test]
fn what_stands_beside_says_enough() {
    let outputs = TEXTS.iter().map(|(text, secret)| (Redactor::new().redact(text), secret));
    let leaks: Vec<_> =
        outputs.filter(|(out, secret)| out.contains(*secret) || !out.contains("[REDACTED]")).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn what_stands_beside_says_so_however_the_text_is_cut() {
    for (text, _) in TEXTS {
        let whole = Redactor::new().redact(text);
        for size in [1, 5, 17] {
            let (mut redactor, mut out) = (Redactor::new(), Vec::new());
            text.as_bytes().chunks(size).for_each(|piece| redactor.feed(piece, &mut out));
            redactor.finish(&mut out);
            assert_eq!(String::from_utf8_lossy(&out), whole, "{size}");
        }
        assert_eq!(Redactor::new().redact(&whole), whole);
    }
}

const PLAIN: &[&str] = &[
    // Digests under names that hold a word for a secret.
    "SHA512 (keys.img) = 3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6",
    "    checksum/secret: 3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6\n",
    "kernel: Loaded X.509 cert 'Build time autogenerated kernel key: 3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9ca'",
    // Names of resources.
    "created [id=arn:aws:secretsmanager:eu-west-1:123456789012:secret:mail-token-8gJd3K]",
    // Codes that open nothing.
    "the process ended with exit code 1374 in section 2",
    "HTTP status code 4041 came back from the gate",
    "Authentication code contributed by Ann <ann@example.net> June 1998.",
    "Access was denied with error code 5190.",
    "zip code 90210, country code 4711",
    // Rows without passwords.
    "3|https://git.example.net/a/b|v1.2.3-rc4|2024-01-30T07:44:12Z|main\n",
    "ann@example.net,Ann Example,2024-06-14,Zürich-8001,ok\n",
    "https://example.net/Page1,200,Chapter-3.html,12ms\n",
    // Cookies that count visits.
    "Cookie: _ga=GA1.2.1374829901.1718354022; theme=dark; lang=en-GB\n",
    // Addresses with numbers and names.
    "https://api.example.net/repos/a/b/hooks/412345678",
    "https://example.net/webhooks/stripe/events",
    "https://docs.infura.io/v3/getting-started-2024",
    // Programs and calls.
    "password = password.encode(\"latin1\")",
    "use Rails / Node18 for it",
    "docker run mysql:8 -p 3306:3306 https://example.net -u 1000:1000",
    "PASS tests/login_2.test.js",
    "PASS test_login_2\n",
    "a slice of values closes the session of its author, who passed",
    "\"keyHash\": \"3b1d0c8e7f5a2946b8d7c0e1f2a3948576a8b9cadbecfd0e1f203142536475f6\"",
    "fields = [\n    \"password\",\n    \"username\",\n    \"line_2\",\n]\n",
    // Numbers that are no cards.
    "\"card\": {\"order\": \"4539148803436461\"}",
];

#[test]
fn what_only_looks_like_it_stays() {
    let changed: Vec<_> = PLAIN
        .iter()
        .map(|text| (text, Redactor::new().redact(text)))
        .filter(|(text, out)| out != *text)
        .collect();
    assert!(changed.is_empty(), "{changed:#?}");
}
