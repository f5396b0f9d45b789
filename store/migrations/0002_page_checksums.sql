-- Each page of a file of this layout ends with a checksum of its number and contents (package
-- pagesum). A program that knows only layout 1 would not write it, and rejects this layout. A file
-- of layout 1 keeps its layout, without page checksums, until a Repair rebuilds it.
CREATE VIEW page_checksums AS SELECT 8 AS bytes;
