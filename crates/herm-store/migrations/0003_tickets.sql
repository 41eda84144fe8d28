-- What a hook has released so that herm itself runs it. Whoever runs it must know a secret, of which only the hash is here. It serves one
-- run. A missed one was not run by herm though whoever it was given to says that it ran.
CREATE TABLE tickets (
    secret   TEXT    NOT NULL PRIMARY KEY,
    session  TEXT    NOT NULL,
    issued   INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    redeemed INTEGER,
    missed   INTEGER,
    terms    TEXT    NOT NULL,
    CHECK (redeemed IS NULL OR missed IS NULL)
) STRICT;
CREATE INDEX tickets_by_expiry ON tickets (expires);
CREATE INDEX tickets_missed ON tickets (session) WHERE missed IS NOT NULL;
