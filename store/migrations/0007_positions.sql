-- Positions of words take fewer bytes from now on (package postings). Segments up to the
-- number "rewrite" are of before; they are read, and written once more after the next
-- commit.
INSERT OR REPLACE INTO meta SELECT 'rewrite', coalesce(max(id), 0) FROM segment;
