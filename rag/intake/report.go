package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez/fault"
	"biomcp/entrez/record"
)

// A Report describes the results of a sync. Its JSON follows schemas/sync_pubmed.response.json
// exactly; the fields without a JSON name are for display.
type Report struct {
	JobID     string   `json:"job_id"` // sync_<RFC 3339 UTC start>; different for each run
	Inserted  int      `json:"inserted"`
	Updated   int      `json:"updated"`
	Skipped   int      `json:"skipped"`
	Processed int      `json:"pmids_processed"` // Inserted + Updated + Skipped
	MaxEDAT   *string  `json:"max_edat_seen"`   // RFC 3339; nil if no record had an EDAT
	Warnings  []string `json:"warnings"`        // never nil

	Deleted   int    `json:"-"` // number of documents removed
	Broken    int    `json:"-"` // number of records that could not be read
	Files     int    `json:"-"` // number of files stored to their end
	Watermark string `json:"-"` // watermark of the query key after a delta, or ""
	Vectors   string `json:"-"` // summary of the vectors made, or ""
	News      News   `json:"-"` // changes since the last complete delta
	Unlisted  int    `json:"-"` // minimum number of documents that a query no longer finds; 0 if they are known
}

// MarshalJSON encodes the report. It adds News to the warnings, because the schema has no
// member for it.
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

// updateMaxEDAT updates MaxEDAT with the EDAT of a record.
func (r *Report) updateMaxEDAT(edat string) {
	if edat != "" && (r.MaxEDAT == nil || edat > *r.MaxEDAT) {
		r.MaxEDAT = &edat
	}
}

// Incomplete is the error of a sync that did not do everything. The stored records stay stored,
// and the next run continues from there. No watermark was moved. It unwraps to every cause, the
// most serious first, so errors.As finds that one first.
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

// Meaning returns the code and the next command of the first cause. The report and the texts of all causes are the
// details.
func (e *Incomplete) Meaning() fault.Meaning {
	causes := []string{}
	for _, err := range e.Causes {
		if text := err.Error(); !slices.Contains(causes, text) {
			causes = append(causes, text)
		}
	}
	first := fault.Of(e.Causes[0])
	m := fault.Meaning{Code: first.Code, Party: first.Party, Next: first.Next, Partial: true,
		Details: map[string]any{"report": e.Report, "causes": causes}}
	if m.Code == fault.Validation {
		m.Party = fault.Service // the command line was right
	}
	return m
}

// A FileError reports a file that was not imported, or not completely. It names the file
// without its folder; its text contains no path.
type FileError struct {
	Name   string
	Reason string
	Err    error // cause, or nil
}

func (e *FileError) Error() string { return e.Name + ": " + e.Reason }

func (e *FileError) Unwrap() error { return e.Err }

// Meaning returns the code Store.
func (e *FileError) Meaning() fault.Meaning { return fault.Meaning{Code: fault.Store} }

// An IndexError reports that the file server's list of files lacks some, so that not all of
// PubMed can be imported. The listed files are.
type IndexError struct{ Reason string }

func (e *IndexError) Error() string {
	return e.Reason + "; the watermark stays until the server lists every file"
}

// Meaning returns the code Upstream and the command that reads the list again.
func (e *IndexError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Upstream, Next: []string{"sync", "pubmed", "--all"}}
}

// A RecordsError reports records of a window that are not stored, because NCBI's answers
// contained unreadable records or lacked some that its search had listed, or because the counts
// of search, fetch and storage differ.
type RecordsError struct {
	Broken  int // records that could not be read
	Missing int // records that the search listed and EFetch did not return

	Promised, Named int // counts of the search: promised in its header, and listed
	Uneven          int // search replies whose count differs from their number of records
	Unstored        int // records that were fetched and not stored

	Names []string // PMIDs of the broken and missing records, if known
	// Skip is the watermark to set for the query key Key to continue without these records. It
	// is set only if everything else of the window is stored.
	Key, Skip string
}

func (e *RecordsError) Error() string {
	var parts []string
	if e.Broken > 0 {
		parts = append(parts, english.Plural(e.Broken, "record", "")+" could not be read")
	}
	if e.Missing > 0 {
		parts = append(parts, english.Plural(e.Missing, "record", "")+" that the search promised "+
			english.PluralWord(e.Missing, "was", "were")+" not returned")
	}
	if e.Promised != e.Named {
		parts = append(parts, fmt.Sprintf("the search promised %d %s and listed %d",
			e.Promised, english.PluralWord(e.Promised, "record", ""), e.Named))
	} else if e.Uneven > 0 {
		parts = append(parts, "a reply of the search lists other records than it counts")
	}
	if e.Unstored != 0 {
		parts = append(parts, fmt.Sprintf("of the records fetched, %d were not stored", e.Unstored))
	}
	text := strings.Join(parts, ", and ")
	if len(e.Names) > 0 {
		text += " (PMID " + joinNames(e.Names) + ")"
	}
	if e.Skip != "" {
		text += fmt.Sprintf("; everything else of the window is stored: run the sync again, and if that does not help, "+
			"set the watermark of %q to %s to continue without them", e.Key, e.Skip)
	}
	return text
}

// Meaning returns the code Upstream, and the command that continues without the records if nothing else is missing.
func (e *RecordsError) Meaning() fault.Meaning {
	m := fault.Meaning{Code: fault.Upstream}
	if e.Skip != "" {
		m.Next = []string{"sync", "checkpoint", e.Key, e.Skip}
	}
	return m
}

// An InputError reports an invalid request, such as an empty term or a folder without a PubMed
// file.
type InputError struct{ Message string }

func (e *InputError) Error() string { return e.Message }

// Meaning returns the code Validation.
func (e *InputError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Validation, Next: []string{"sync", "pubmed", "--help"}}
}

// maxNames is the maximum number of names in a warning.
const maxNames = 10

// joinNames joins the first few names of a list.
func joinNames(list []string) string {
	if len(list) <= maxNames {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:maxNames], ", ") + " and more"
}
