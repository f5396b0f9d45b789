-- The number of the PubMed file that brought a record, 0 where it came otherwise.
ALTER TABLE document ADD COLUMN file INTEGER NOT NULL DEFAULT 0;

-- Deletions, also older ones than the record that is stored: revised and file date
-- one (a record of the same revision is deleted where its file is not a later one),
-- undated is the last file that deletes without giving a date. State.Delete says
-- what follows from them.
CREATE TABLE deletion (
  pmid    INTEGER PRIMARY KEY,
  revised INTEGER NOT NULL,
  file    INTEGER NOT NULL,
  undated INTEGER NOT NULL);
INSERT INTO deletion SELECT pmid, max(lr, 1), 0, 0 FROM document WHERE body IS NULL;
