package pubmed

import (
	"fmt"
	"io"
)

// RecordError is one record that could not be read: it is passed over and the
// scan goes on with the next one. PMID is empty where the fault comes before it.
type RecordError struct {
	PMID   string
	Offset int64 // of the record in the unpacked stream, in bytes
	Reason string
}

func (e *RecordError) Error() string {
	if e.PMID == "" {
		return fmt.Sprintf("PubMed record at byte %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("PubMed record %s: %s", e.PMID, e.Reason)
}

// FormatError says that the input is not PubMed XML in UTF-8 at all. It is final.
type FormatError struct {
	Found string // what it is: "an HTML page", "JSON", "an empty input", ...
}

func (e *FormatError) Error() string { return "this is not PubMed XML but " + e.Found }

// ReplyError is NCBI's own error in the place of records, the text of an <ERROR>
// element, which NCBI sends with HTTP status 200. It is final. The text is NCBI's
// and may repeat what was sent, an API key too.
type ReplyError struct {
	Message string
}

func (e *ReplyError) Error() string { return "NCBI answered: " + e.Message }

// TruncatedError says that the input ended before its last element did. It is
// final and matches io.ErrUnexpectedEOF. The records before the cut were good.
type TruncatedError struct {
	PMID    string // of the record that was cut, where known
	Offset  int64  // length of the input in bytes
	Records int    // whole records before the cut, deletions included
}

func (e *TruncatedError) Error() string {
	in := ""
	if e.PMID != "" {
		in = " in record " + e.PMID
	}
	return fmt.Sprintf("PubMed XML is cut short at byte %d%s, after %d records", e.Offset, in, e.Records)
}

func (e *TruncatedError) Unwrap() error { return io.ErrUnexpectedEOF }
