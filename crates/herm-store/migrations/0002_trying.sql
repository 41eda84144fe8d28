-- A question can be answered with a try. What may stand in a column cannot be changed, so the table is made anew.
CREATE TABLE questions_with_tries (
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
    answer      TEXT    CHECK (answer IN ('always', 'deny', 'once', 'session', 'try')),
    answered_by TEXT,
    answered    INTEGER,
    late        INTEGER NOT NULL DEFAULT 0,
    taken       INTEGER,
    CHECK ((state = 'answered') = (answer IS NOT NULL))
) STRICT;
INSERT INTO questions_with_tries SELECT * FROM questions ORDER BY number;
DROP TABLE questions;
ALTER TABLE questions_with_tries RENAME TO questions;
CREATE INDEX questions_pending ON questions (session, number) WHERE state = 'pending';
CREATE INDEX questions_due ON questions (expires) WHERE state = 'pending';
CREATE INDEX questions_expired ON questions (session, binding) WHERE state = 'expired';
CREATE INDEX questions_answered ON questions (session, binding) WHERE state = 'answered' AND taken IS NULL;
