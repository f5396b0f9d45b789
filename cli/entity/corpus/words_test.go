package corpus

import (
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag/intake"
	"biomcp/store"
)

func TestNumbersOfFiles(t *testing.T) {
	for text, want := range map[string][2]int{"": {0, 0}, "7": {7, 7}, "1-20": {1, 20}, "1300-": {1300, 0}} {
		t.Run(text, func(t *testing.T) {
			if from, to, err := fileNumbers(text); err != nil || [2]int{from, to} != want {
				t.Errorf("%q: %d to %d, %v", text, from, to, err)
			}
		})
	}
	for _, text := range []string{"0", "x", "20-1", "1-99999", "-5"} {
		t.Run(text, func(t *testing.T) {
			if _, _, err := fileNumbers(text); err == nil {
				t.Errorf("%q is accepted", text)
			}
		})
	}
}

func TestWordsOfAPlan(t *testing.T) {
	if got := planText(intake.Plan{Before: 1200, Year: 26}); got != "All 1200 files of 2026 are imported." {
		t.Error(got)
	}
	const want = "2 files of 2026 to download from baseline on, 1.0 MB (3 imported before); about 60000 records.\nThe disk needs about 2.1 MB of 9.4 MB free, and the import less than a minute, besides the time of the download."
	got := planText(intake.Plan{Files: 2, Year: 26, First: "baseline", Download: 1 << 20, Before: 3, Records: 60_000, Disk: 2 << 20, Free: 9 << 20, Import: 30 * time.Second})
	if got != want {
		t.Error(got)
	}
	for d, want := range map[time.Duration]string{time.Second: "less than a minute"} {
		if got := about(d); got != want {
			t.Errorf("%s: %q", d, got)
		}
	}
}

func TestWordsOfProgress(t *testing.T) {
	for want, p := range map[string]intake.Progress{
		"5 records, 2 a second":              {Records: 5},
		"5 of 9 records, 2 a second":         {Records: 5, TotalRecords: 9},
		"4 of 8 vectors":                     {Records: 5, Vectors: 4, TotalVectors: 8},
		"5 records, 2 a second, made-up.xml": {Records: 5, File: "made-up.xml"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := progressLine(p, 2*time.Second); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestWordsOfWhatWasLost(t *testing.T) {
	lost := store.Lost{PMIDs: []record.PMID{1, 2}, Records: 5}
	if got := pmidsText(lost); got != "1, 2, and 3 more" {
		t.Error(got)
	}
}
