-- Where a row of vector_code belongs: 0: it holds the chunks of its PMIDs that are in
-- no partition; -1: the keys alone of those that are in one, and of those that have no
-- vector (data is empty); else the partition of which it holds chunks.
ALTER TABLE vector_code ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
DROP INDEX vector_code_lo;
CREATE INDEX vector_code_part ON vector_code(model, part, lo, id, gen, n);
-- The partitions of a model's codes. mean is that of the codes that were in it when it
-- was made, turned as they are (package vectors), as half-precision numbers. A number
-- is never given again.
CREATE TABLE vector_partition (
  model INTEGER NOT NULL,
  part  INTEGER NOT NULL,
  mean  BLOB NOT NULL,
  PRIMARY KEY (model, part)) WITHOUT ROWID;
