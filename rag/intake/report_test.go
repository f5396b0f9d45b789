package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The JSON of a report follows the schema for every outcome of a sync.
func TestReportSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../cli/testdata/schemas/sync_pubmed.response.json")
	if err != nil {
		t.Fatal(err)
	}
	good := write(t, map[string]string{"a.xml": set(many(1, 3), 2)})
	bad := write(t, map[string]string{"a.xml": "no XML"})
	for name, folder := range map[string]string{"good": good, "bad": bad, "none": filepath.Join(good, "none")} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			report, err := Import(t.Context(), options(t), folder)
			text, failed := json.Marshal(report)
			if failed != nil {
				t.Fatal(failed)
			}
			v, failed := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if failed != nil {
				t.Fatal(failed)
			}
			if failed := schema.Validate(v); failed != nil {
				t.Errorf("%s (%v): %s: %v", name, err, text, failed)
			}
		})
	}
}

func TestReportJSON(t *testing.T) {
	edat := "2024-05-11T06:00:00Z"
	for want, r := range map[string]Report{
		`{"job_id":"","inserted":0,"updated":0,"skipped":0,"pmids_processed":0,"max_edat_seen":null,"warnings":[]}`: {Warnings: []string{}},
		`{"job_id":"sync_2026-01-20T13:00:00Z","inserted":1,"updated":2,"skipped":3,"pmids_processed":6,"max_edat_seen":"2024-05-11T06:00:00Z","warnings":["w"]}`: {
			JobID: "sync_2026-01-20T13:00:00Z", Inserted: 1, Updated: 2, Skipped: 3, Processed: 6, MaxEDAT: &edat, Warnings: []string{"w"},
			Deleted: 1, Broken: 1, Files: 1, Watermark: edat, Vectors: "v"},
	} {
		t.Run(fmt.Sprintf("%.60s", want), func(t *testing.T) {
			if got, err := json.Marshal(r); err != nil || string(got) != want {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
}

func TestIncompleteUnwrapsItsCauses(t *testing.T) {
	cause := &FileError{Name: "a.xml", Reason: "it is cut short", Err: os.ErrClosed}
	var err error = &Incomplete{Causes: []error{cause, &RecordsError{Broken: 1, Missing: 2}}}
	if got, want := err.Error(), "the sync is incomplete: a.xml: it is cut short (further causes: 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var file *FileError
	var records *RecordsError
	if !errors.As(err, &file) || !errors.As(err, &records) || !errors.Is(err, os.ErrClosed) {
		t.Error("a cause cannot be found")
	}
	if got, want := records.Error(), "1 record could not be read, and 2 records that the search promised were not returned"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (&RecordsError{Missing: 1}).Error(), "1 record that the search promised was not returned"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLineOfProgress(t *testing.T) {
	for want, p := range map[string]Progress{
		"5 records stored, 2 a second":        {Stored: 5},
		"5 of 9 records stored, 2 a second":   {Stored: 5, TotalRecords: 9},
		"4 of 8 vectors":                      {Records: 5, Vectors: 4, TotalVectors: 8},
		"5 records stored, 2 a second, a.xml": {Stored: 5, File: "a.xml"},
		"3 of 7 parts of the corpus checked":  {Parts: 3, TotalParts: 7},
	} {
		t.Run(want, func(t *testing.T) {
			if got := p.Line(2 * time.Second); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
