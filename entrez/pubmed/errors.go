package pubmed

import (
	"fmt"
	"io"
)

// A RecordError reports one record that could not be read. The scan skips the record and continues.
// PMID is empty if the fault precedes it.
type RecordError struct {
	PMID   string
	Offset int64 // offset in bytes in the decompressed stream
	Reason string
}

func (e *RecordError) Error() string {
	if e.PMID == "" {
		return fmt.Sprintf("PubMed record at byte %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("PubMed record %s: %s", e.PMID, e.Reason)
}

// A FormatError reports input that is not PubMed XML in UTF-8. It ends the scan.
type FormatError struct {
	Found string // description of the input: "an HTML page", "JSON", "an empty input", ...
}

func (e *FormatError) Error() string { return "this is not PubMed XML but " + e.Found }

// A ReplyError is an error message of NCBI instead of records: the text of an <ERROR> element,
// which NCBI sends with HTTP status 200. It ends the scan. The text may repeat parts of the
// request, such as an API key.
type ReplyError struct {
	Message string
}

func (e *ReplyError) Error() string { return "NCBI answered: " + e.Message }

// A TruncatedError reports input that ends before its last element does. It ends the scan and
// matches io.ErrUnexpectedEOF. The records before the cut are valid.
type TruncatedError struct {
	PMID    string // PMID of the truncated record, if known
	Offset  int64  // length of the input in bytes
	Records int    // number of complete records before the cut, including deletions
}

func (e *TruncatedError) Error() string {
	in := ""
	if e.PMID != "" {
		in = " in record " + e.PMID
	}
	return fmt.Sprintf("PubMed XML is cut short at byte %d%s, after %d records", e.Offset, in, e.Records)
}

func (e *TruncatedError) Unwrap() error { return io.ErrUnexpectedEOF }
