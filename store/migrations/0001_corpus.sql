-- The definitions of all tables fit into the first page of the file, so that a Repair
-- can make that page again: comments stand between the statements.

-- A later script must change the definition of a table: a file whose tables are those of one
-- layout and whose number is another's is taken for damaged.

-- Every row has the CRC-32C of the name of its table and its values (package rows), which
-- SQLite computes.

-- What the corpus knows of itself: key, value.
CREATE TABLE meta (key TEXT PRIMARY KEY, value, sum INTEGER AS (crc32c('meta',key,value)) STORED);

-- Codes by which bodies are compressed (package textcode), made from this corpus. They
-- are never removed: a stored body has the number of its code.
CREATE TABLE code (id INTEGER PRIMARY KEY, sum INTEGER AS (crc32c('code',id,data)) STORED, data BLOB NOT NULL);

-- One row for each PMID. A body that is NULL marks a deleted record, which only a newer
-- one brings back. lr is the revision date as the number yyyymmddhhmm, file the number of
-- the PubMed file that brought the record, 0 where none did.
CREATE TABLE document (
  pmid INTEGER PRIMARY KEY, version INTEGER NOT NULL, pmid_version INTEGER NOT NULL, lr INTEGER NOT NULL,
  hash INTEGER NOT NULL, file INTEGER NOT NULL, sum INTEGER AS (crc32c('document',pmid,version,pmid_version,lr,hash,file,body)) STORED, body BLOB);

-- Deletions, also those older than the record that is stored: revised and file date
-- one (a record of the same revision is deleted if its file is not a later one),
-- undated is the last file that deletes without a date. State.Delete says what follows.
CREATE TABLE deletion (pmid INTEGER PRIMARY KEY, revised INTEGER NOT NULL, file INTEGER NOT NULL, undated INTEGER NOT NULL,
  sum INTEGER AS (crc32c('deletion',pmid,revised,file,undated)) STORED);

-- The PMIDs in PubMed's numbered files of a year, of the files that were imported: one
-- bit each, 65,536 in a row. id = year * 65536 + PMID / 65536, and is negative in the second
-- copy of a row.
CREATE TABLE listed (id INTEGER PRIMARY KEY, sum INTEGER AS (crc32c('listed',id,bits)) STORED, bits BLOB NOT NULL);

-- Which query or file brought which document, and when it last did (Unix seconds).
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sum INTEGER AS (crc32c('source',id,name)) STORED);
CREATE TABLE provenance (
  pmid INTEGER NOT NULL, source INTEGER NOT NULL, at INTEGER NOT NULL,
  sum INTEGER AS (crc32c('provenance',pmid,source,at)%127) STORED, PRIMARY KEY (pmid, source)) WITHOUT ROWID;

-- The documents of each query key, by the number of its source: the content that its last
-- sync saw, and the rounds (job) in which it was added, changed last and found retracted, 0
-- for none.
CREATE TABLE kept (
  source INTEGER NOT NULL, pmid INTEGER NOT NULL, hash INTEGER NOT NULL, added INTEGER NOT NULL, changed INTEGER NOT NULL, retracted INTEGER NOT NULL,
  sum INTEGER AS (crc32c('kept',source,pmid,hash,added,changed,retracted)) STORED, PRIMARY KEY (source, pmid)) WITHOUT ROWID;

-- Watermarks, and an audit of the watermarks that people set by hand.
CREATE TABLE checkpoint (key TEXT PRIMARY KEY, last_edat TEXT NOT NULL, sum INTEGER AS (crc32c('checkpoint',key,last_edat)) STORED);
CREATE TABLE audit (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, key TEXT NOT NULL, old TEXT, new TEXT NOT NULL,
  sum INTEGER AS (crc32c('audit',id,at,key,old,new)) STORED);

-- Syncs: what each was asked for and how far it came. A round is a sync of a key with those
-- that go on where it stopped: the Unix time at which it began, or one more than the round
-- before, if that is later. A lease says who syncs a key.
CREATE TABLE job (
  id TEXT PRIMARY KEY, key TEXT NOT NULL, term TEXT NOT NULL, "from" TEXT NOT NULL, "to" TEXT NOT NULL,
  started TEXT NOT NULL, finished TEXT, report TEXT, round INTEGER NOT NULL,
  sum INTEGER AS (crc32c('job',id,key,term,"from","to",started,finished,report,round)) STORED);
CREATE TABLE job_slice (job TEXT NOT NULL, slice TEXT NOT NULL, sum INTEGER AS (crc32c('job_slice',job,slice)) STORED, PRIMARY KEY (job, slice)) WITHOUT ROWID;
CREATE TABLE file (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL,
  sum INTEGER AS (crc32c('file',path,size,mtime,hash,at)) STORED);
CREATE TABLE lease (
  key TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL,
  sum INTEGER AS (crc32c('lease',key,pid,host,since)) STORED) WITHOUT ROWID;

-- The word index: immutable segments, each a set of streams cut into pages.
-- state: 0 being written, 1 in use, 2 replaced and waiting to be removed. chunks counts
-- the removed ones too, dead those removed since it was written; length is the sum of the
-- lengths of those left; lo and hi are the smallest and the greatest PMID.
CREATE TABLE segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, chunks INTEGER NOT NULL, dead INTEGER NOT NULL,
  length INTEGER NOT NULL, lo INTEGER NOT NULL, hi INTEGER NOT NULL, bytes INTEGER NOT NULL,
  sum INTEGER AS (crc32c('segment',id,state,chunks,dead,length,lo,hi,bytes)) STORED);
-- id = segment * 2^32 + stream * 2^26 + page
CREATE TABLE page (id INTEGER PRIMARY KEY, sum INTEGER AS (crc32c('page',id,data)) STORED, data BLOB NOT NULL);
-- Removed chunks of a segment: one bit each, 65,536 in a row. gen is the generation that
-- changed the row last.
CREATE TABLE dead (
  segment INTEGER NOT NULL, page INTEGER NOT NULL, gen INTEGER NOT NULL,
  sum INTEGER AS (crc32c('dead',segment,page,gen,bits)) STORED, bits BLOB NOT NULL, PRIMARY KEY (segment, page));

-- Models of vectors. state: 0 being computed, 1 in use, 2 replaced, 3 in use next to the
-- one of state 1.
CREATE TABLE model (
  id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL, name TEXT NOT NULL, dim INTEGER NOT NULL,
  vectors INTEGER NOT NULL, created TEXT NOT NULL,
  sum INTEGER AS (crc32c('model',id,state,name,dim,vectors,created)) STORED);
-- What belongs to a model; its number is negative in the second copy of a row.
CREATE TABLE model_row (
  model INTEGER NOT NULL, key TEXT NOT NULL, sum INTEGER AS (crc32c('model_row',model,key,data)) STORED, data BLOB NOT NULL,
  PRIMARY KEY (model, key)) WITHOUT ROWID;
-- Codes for the first comparisons, in the order of PMID and ordinal. part says where a row
-- belongs: 0: it has the chunks of its PMIDs, from lo up to the lo of the next row, that are
-- in no partition; -1: it has only the keys, of chunks that are in a partition or have no
-- vector (data is empty); else the partition of which it has chunks. keys is n PMIDs of four
-- bytes, then n ordinals of two; data is n coarse and n fine scales (float32), then
-- the signs of all n and their large components, in words of 64 bits. The scale of
-- a chunk that has no vector is NaN. All numbers are little-endian. gen is the generation
-- that changed the row last.
CREATE TABLE vector_code (
  id INTEGER PRIMARY KEY, model INTEGER NOT NULL, part INTEGER NOT NULL, lo INTEGER NOT NULL, gen INTEGER NOT NULL,
  n INTEGER NOT NULL, keysum INTEGER AS (crc32c('vector_code',model,part,lo,gen,n,keys)) STORED, keys BLOB NOT NULL,
  sum INTEGER AS (crc32c('vector_code',id,data)) STORED, data BLOB NOT NULL);
CREATE INDEX vector_code_part ON vector_code(model, part, lo, id, gen, n);
-- The partitions of a model's codes. mean is the mean of the codes that were in it when it
-- was made, turned as they are (package vectors), as float32: the codes in a partition are
-- relative to it, those in none are of whole vectors. A number is never given again.
CREATE TABLE vector_partition (
  model INTEGER NOT NULL, part INTEGER NOT NULL, sum INTEGER AS (crc32c('vector_partition',model,part,mean)) STORED, mean BLOB NOT NULL,
  PRIMARY KEY (model, part)) WITHOUT ROWID;
-- The vectors: id = model * 2^32 + PMID; of each chunk that has one its ordinal in two
-- bytes, a scale (float32), and a byte for each component of the turned vector (package
-- vectors).
CREATE TABLE vector (id INTEGER PRIMARY KEY, sum INTEGER AS (crc32c('vector',id,data)) STORED, data BLOB NOT NULL);
