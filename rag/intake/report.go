package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez/record"
)

// Report describes what a sync did. Its JSON is schemas/sync_pubmed.response.json and
// nothing else; the fields without a name in JSON are for showing.
type Report struct {
	JobID     string   `json:"job_id"` // sync_<RFC 3339 UTC start>, one for each run
	Inserted  int      `json:"inserted"`
	Updated   int      `json:"updated"`
	Skipped   int      `json:"skipped"`
	Processed int      `json:"pmids_processed"` // Inserted + Updated + Skipped
	MaxEDAT   *string  `json:"max_edat_seen"`   // RFC 3339, nil if no record had one
	Warnings  []string `json:"warnings"`        // never nil

	Deleted   int    `json:"-"` // documents removed
	Broken    int    `json:"-"` // records that could not be read
	Files     int    `json:"-"` // read to their end
	Watermark string `json:"-"` // of the query key after a delta, "" if it has none
	Vectors   string `json:"-"` // what was done about vectors, "" if nothing was
	News      News   `json:"-"` // of a delta, since the last one that came to its end
}

// MarshalJSON is the report with what is new, for which the schema has no member, among
// the warnings.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	r.Warnings = slices.Clone(r.Warnings)
	for _, kind := range []struct {
		name  string
		pmids []record.PMID
	}{{"added", r.News.Added}, {"changed", r.News.Changed}, {"retracted", r.News.Retracted}} {
		if len(kind.pmids) > 0 {
			r.warn("%s since the last sync (%d): %s", kind.name, len(kind.pmids), strings.Join(texts(kind.pmids), ", "))
		}
	}
	return json.Marshal(plain(r))
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// seen notes the EDAT of a record.
func (r *Report) seen(edat string) {
	if edat != "" && (r.MaxEDAT == nil || edat > *r.MaxEDAT) {
		r.MaxEDAT = &edat
	}
}

// Incomplete says that a sync did not do all it was asked. What it stored stays
// stored, and the next run goes on from there; no watermark was moved. It unwraps
// to every cause, the gravest first, so errors.As finds the one that decides.
type Incomplete struct {
	Report Report
	Causes []error
}

func (e *Incomplete) Error() string {
	text := "the sync is incomplete: " + e.Causes[0].Error()
	if more := len(e.Causes) - 1; more > 0 {
		text += fmt.Sprintf(" (further causes: %d)", more)
	}
	return text
}

func (e *Incomplete) Unwrap() []error { return e.Causes }

// FileError is a file that could not be imported, or not to its end. It names
// the file without its folder, and no path is in its text.
type FileError struct {
	Name   string
	Reason string
	Err    error // the cause, may be nil
}

func (e *FileError) Error() string { return e.Name + ": " + e.Reason }

func (e *FileError) Unwrap() error { return e.Err }

// RecordsError says that records of a window are not stored: NCBI's answers held
// some that could not be read or lacked some that its search had named, or the
// counts of search, fetch and storage differ.
type RecordsError struct {
	Broken  int // could not be read
	Missing int // named by the search and not given out

	Promised, Named int // by the search
	Uneven          int // replies of the search whose count is not the number of records in them
	Unstored        int // fetched and not stored

	Names []string // the PMIDs of Broken and Missing, if they are known
	// Skip is the watermark that goes on without these records, and Key its query
	// key, if all else of the window is stored; "" if it is not.
	Key, Skip string
}

func (e *RecordsError) Error() string {
	var parts []string
	if e.Broken > 0 {
		parts = append(parts, english.Plural(e.Broken, "record", "")+" could not be read")
	}
	if e.Missing > 0 {
		parts = append(parts, english.Plural(e.Missing, "record", "")+" that the search promised did not come")
	}
	if e.Promised != e.Named {
		parts = append(parts, fmt.Sprintf("the search promised %d %s and named %d", e.Promised, english.PluralWord(e.Promised, "record", ""), e.Named))
	} else if e.Uneven > 0 {
		parts = append(parts, "an answer of the search names other records than it counts")
	}
	if e.Unstored != 0 {
		parts = append(parts, fmt.Sprintf("of the records fetched, %d were not stored", e.Unstored))
	}
	text := strings.Join(parts, ", and ")
	if len(e.Names) > 0 {
		text += " (PMID " + named(e.Names) + ")"
	}
	if e.Skip != "" {
		text += fmt.Sprintf("; all else of the window is stored: run the sync again, and if that does not help, set the watermark of %q to %s to go on without", e.Key, e.Skip)
	}
	return text
}

// InputError is something the caller asked for that cannot be done: an empty
// term, a folder without a PubMed file.
type InputError struct{ Message string }

func (e *InputError) Error() string { return e.Message }

// namesKept is how many names a warning holds.
const namesKept = 10

// named lists the first few of many names.
func named(list []string) string {
	if len(list) <= namesKept {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:namesKept], ", ") + " and more"
}
