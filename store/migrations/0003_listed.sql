-- The PMIDs that PubMed's numbered files of a year hold, of those that were imported:
-- one bit each, 65,536 a row. id = year * 65536 + PMID / 65536.
CREATE TABLE listed (id INTEGER PRIMARY KEY, bits BLOB NOT NULL);
