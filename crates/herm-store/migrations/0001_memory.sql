-- Moments are milliseconds since the beginning of 1970. What is not looked into here is kept as JSON.

-- What a person allowed beforehand. No session: every session. No number of uses: any number.
CREATE TABLE grants (
    id        TEXT    NOT NULL PRIMARY KEY,
    session   TEXT,
    rule      TEXT    NOT NULL,
    scope     TEXT    NOT NULL,
    created   INTEGER NOT NULL,
    expires   INTEGER,
    uses_left INTEGER CHECK (uses_left >= 0),
    note      TEXT    NOT NULL,
    revoked   INTEGER
) STRICT;
CREATE INDEX grants_by_session ON grants (session, rule) WHERE revoked IS NULL;
CREATE INDEX grants_by_rule ON grants (rule);

-- What a person refused, so that it is refused however it is spelt.
CREATE TABLE denials (
    number  INTEGER NOT NULL PRIMARY KEY,
    session TEXT    NOT NULL,
    rule    TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    shown   TEXT    NOT NULL,
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX denials_by_session ON denials (session, rule);

-- Questions to people. The number gives the order in which they were asked. A late answer came after the question had
-- expired. A taken answer has served the one call that it serves.
CREATE TABLE questions (
    number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    session     TEXT    NOT NULL,
    asked       INTEGER NOT NULL,
    expires     INTEGER NOT NULL,
    pid         INTEGER NOT NULL,
    started     INTEGER NOT NULL,
    uid         INTEGER NOT NULL,
    binding     TEXT    NOT NULL,
    shown       TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('pending', 'answered', 'expired', 'withdrawn')),
    answer      TEXT    CHECK (answer IN ('always', 'deny', 'once', 'session')),
    answered_by TEXT,
    answered    INTEGER,
    late        INTEGER NOT NULL DEFAULT 0,
    taken       INTEGER,
    CHECK ((state = 'answered') = (answer IS NOT NULL))
) STRICT;
CREATE INDEX questions_pending ON questions (session, number) WHERE state = 'pending';
CREATE INDEX questions_due ON questions (expires) WHERE state = 'pending';
CREATE INDEX questions_expired ON questions (session, binding) WHERE state = 'expired';
CREATE INDEX questions_answered ON questions (session, binding) WHERE state = 'answered' AND taken IS NULL;

CREATE TABLE sessions (
    id      TEXT    NOT NULL PRIMARY KEY,
    profile TEXT    NOT NULL,
    yolo    INTEGER NOT NULL CHECK (yolo IN (0, 1)),
    started INTEGER NOT NULL,
    summary TEXT    NOT NULL
) STRICT;

-- Whether a hook may run, as it was when somebody decided: a changed file asks again.
CREATE TABLE consents (
    command TEXT    NOT NULL,
    sha256  TEXT    NOT NULL,
    decided INTEGER NOT NULL,
    allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    PRIMARY KEY (command, sha256)
) STRICT, WITHOUT ROWID;

-- Where to find a receipt in the ledger. Made from the ledger, and made again whenever it does not fit it.
CREATE TABLE receipts (
    id        TEXT    NOT NULL PRIMARY KEY,
    seq       INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    session   TEXT,
    decision  TEXT,
    exit_code INTEGER
) STRICT;
CREATE INDEX receipts_by_seq ON receipts (seq);
CREATE INDEX receipts_by_session ON receipts (session, seq);

CREATE TABLE receipt_rules (
    rule    TEXT NOT NULL,
    receipt TEXT NOT NULL REFERENCES receipts (id) ON DELETE CASCADE,
    PRIMARY KEY (rule, receipt)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_rules_by_receipt ON receipt_rules (receipt);

-- The last line of the ledger that was looked at: where it begins and ends, and its hash.
CREATE TABLE ledger_position (
    one   INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    start INTEGER NOT NULL,
    end   INTEGER NOT NULL,
    hash  TEXT    NOT NULL
) STRICT;
