-- Documents that debates and checks may cite. Not from the journal: what a debate was given of them is in
-- its own records, and the files themselves are the users'.
CREATE TABLE evidence (
    name     TEXT NOT NULL PRIMARY KEY, -- the path under which it was given
    hash     TEXT NOT NULL,             -- of the file's bytes: what has not changed is not read again
    passages INTEGER NOT NULL,
    body     TEXT NOT NULL              -- JSON
) STRICT, WITHOUT ROWID;
