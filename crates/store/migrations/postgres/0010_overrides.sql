-- What the votes had come to, where a moderator overrode them; the rows are made anew (see 0009).
ALTER TABLE debates ADD COLUMN overrode TEXT;
