-- Who runs a debate. Nothing here follows from the journal: a lease that is lost costs a wait.
CREATE TABLE leases (
    stream   TEXT NOT NULL PRIMARY KEY,
    epoch    BIGINT NOT NULL, -- raised whenever it is acquired, so that who held it before is fenced off
    renewals BIGINT NOT NULL, -- counted up while its holder lives
    process  BIGINT NOT NULL,
    host     TEXT NOT NULL,
    identity TEXT NOT NULL,    -- of machine and process, to tell whether the process still lives
    since    BIGINT NOT NULL, -- microseconds since 1970 by the database's clock
    renewed  BIGINT NOT NULL,
    expires  BIGINT NOT NULL  -- 0: released
);
