-- What the corpus knows of itself: key, value.
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- Shared dictionaries of the compressor, trained on this corpus. Never removed:
-- a stored body names the one it needs.
CREATE TABLE dictionary (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- One row a PMID. body is zstd; NULL marks a deleted record, which only a newer
-- one lifts. lr is the revision date as the number yyyymmddhhmm.
CREATE TABLE document (
  pmid         INTEGER PRIMARY KEY,
  version      INTEGER NOT NULL,
  pmid_version INTEGER NOT NULL,
  lr           INTEGER NOT NULL,
  hash         INTEGER NOT NULL,
  body         BLOB);

-- Which query or file brought which document, and when it last did.
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE provenance (
  pmid   INTEGER NOT NULL,
  source INTEGER NOT NULL,
  at     INTEGER NOT NULL, -- Unix seconds
  PRIMARY KEY (pmid, source)) WITHOUT ROWID;

-- Watermarks, and what people set by hand.
CREATE TABLE checkpoint (key TEXT PRIMARY KEY, last_edat TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE audit (
  id  INTEGER PRIMARY KEY,
  at  TEXT NOT NULL,
  key TEXT NOT NULL,
  old TEXT,
  new TEXT NOT NULL);

-- Syncs: what each was asked and how far it came.
CREATE TABLE job (
  id       TEXT PRIMARY KEY,
  key      TEXT NOT NULL,
  term     TEXT NOT NULL,
  "from"   TEXT NOT NULL,
  "to"     TEXT NOT NULL,
  started  TEXT NOT NULL,
  finished TEXT,
  report   TEXT);
CREATE TABLE job_slice (
  job   TEXT NOT NULL,
  slice TEXT NOT NULL,
  PRIMARY KEY (job, slice)) WITHOUT ROWID;
CREATE TABLE file (
  path  TEXT PRIMARY KEY,
  size  INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  hash  TEXT NOT NULL,
  at    TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lease (
  key   TEXT PRIMARY KEY,
  pid   INTEGER NOT NULL,
  host  TEXT NOT NULL,
  since TEXT NOT NULL) WITHOUT ROWID;

-- The word index: immutable segments, each a set of streams cut into pages.
-- state: 0 being written, 1 in use, 2 replaced and waiting to be removed.
CREATE TABLE segment (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  state  INTEGER NOT NULL,
  chunks INTEGER NOT NULL, -- with the removed ones
  dead   INTEGER NOT NULL, -- removed since it was written
  length INTEGER NOT NULL, -- sum of the lengths of those left
  lo     INTEGER NOT NULL, -- smallest and greatest PMID
  hi     INTEGER NOT NULL,
  bytes  INTEGER NOT NULL);
-- id = segment * 2^32 + stream * 2^26 + page
CREATE TABLE page (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
-- Removed chunks of a segment: one bit each, 65,536 a row.
CREATE TABLE dead (
  segment INTEGER NOT NULL,
  page    INTEGER NOT NULL,
  gen     INTEGER NOT NULL, -- the generation that changed it last
  bits    BLOB NOT NULL,
  PRIMARY KEY (segment, page));

-- Vectors. state: 0 being computed, 1 in use, 2 replaced, 3 in use next to the one of state 1.
CREATE TABLE model (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  state   INTEGER NOT NULL,
  name    TEXT NOT NULL,
  dim     INTEGER NOT NULL,
  vectors INTEGER NOT NULL,
  created TEXT NOT NULL);
CREATE TABLE model_row (
  model INTEGER NOT NULL,
  key   TEXT NOT NULL,
  data  BLOB NOT NULL,
  PRIMARY KEY (model, key)) WITHOUT ROWID;
-- Codes for the first comparisons, in the order of PMID and ordinal: each row
-- holds those of the PMIDs from lo up to the next row's. keys is n PMIDs of four
-- bytes, then n ordinals of two; data is n coarse and n fine scales (float32), then
-- the signs of all n and their large components, in words of 64 bits. The scale of
-- a chunk that has no vector is NaN. All numbers are little-endian.
CREATE TABLE vector_code (
  id    INTEGER PRIMARY KEY,
  model INTEGER NOT NULL,
  lo    INTEGER NOT NULL,
  gen   INTEGER NOT NULL, -- the generation that changed it last
  n     INTEGER NOT NULL,
  keys  BLOB NOT NULL,
  data  BLOB NOT NULL);
CREATE INDEX vector_code_lo ON vector_code(model, lo, id, gen, n);
-- The vectors: id = model * 2^32 + PMID; for each chunk that has one its ordinal
-- in two bytes and the components as half-precision numbers.
CREATE TABLE vector (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
