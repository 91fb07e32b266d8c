-- Who runs a debate. Nothing here follows from the journal: a lease that is lost costs a wait.
CREATE TABLE leases (
    stream   TEXT NOT NULL PRIMARY KEY,
    epoch    INTEGER NOT NULL, -- raised whenever it is acquired, so that who held it before is fenced off
    renewals INTEGER NOT NULL, -- counted up while its holder lives
    process  INTEGER NOT NULL,
    host     TEXT NOT NULL,
    identity TEXT NOT NULL,    -- of machine and process, to tell whether the process still lives
    since    INTEGER NOT NULL, -- microseconds since 1970 by the database's clock
    renewed  INTEGER NOT NULL,
    expires  INTEGER NOT NULL  -- 0: released
) STRICT, WITHOUT ROWID;
