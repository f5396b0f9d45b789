package skills

import (
	"strings"
	"testing"
	"time"
)

// A question about reclassified variants leads to the comparison of releases, with its gene and its date.
func TestReclassified(t *testing.T) {
	machine := testHere
	machine.Now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for question, want := range map[string]string{
		"which BRCA1 variants were reclassified since June?":                "--gene BRCA1 --reclassified-since 2026-06",
		"Which variants in BRCA2 have been reclassified since December?":    "--gene BRCA2 --reclassified-since 2025-12",
		"which MLH1 variants changed classification since 2026-06-01":       "--gene MLH1 --reclassified-since 2026-06-01",
		"reclassified MSH2 variants since 1 June 2026":                      "--gene MSH2 --reclassified-since 2026-06-01",
		"MSH6 variants reclassified after March 5th, 2026":                  "--gene MSH6 --reclassified-since 2026-03-05",
		"have any BRCA1 VUS been upgraded in the last 6 months?":            "--gene BRCA1 --reclassified-since 2026-05-21",
		"which MLH1 VUS were upgraded to likely pathogenic since June?":     "--gene MLH1 --reclassified-since 2026-06 --significance likely-pathogenic",
		"pathogenic BRCA2 variants reclassified as benign since March 2026": "--gene BRCA2 --reclassified-since 2026-03 --significance benign",
		"were any TP53 variants downgraded since 2025":                      "--gene TP53 --reclassified-since 2025",
		"which variants were reclassified since last month":                 "--reclassified-since 2026-10-21",
		"which PALB2 variants were reclassified in ClinVar":                 "--gene PALB2 --reclassified-since 2025-11-21",
		"did ClinVar reclassify anything in LDLR since September 2026":      "--gene LDLR --reclassified-since 2026-09",
	} {
		m, sure := Route(question, machine)
		line := strings.TrimSuffix(strings.Join(m[0].Commands[0], " "), " --limit 10")
		if words := strings.TrimPrefix(line, "search variant "); !sure || words != want {
			t.Errorf("%q: got %q, sure %t, want search variant %s", question, line, sure, want)
		}
		for _, w := range m[0].UnusedWords {
			if strings.ContainsAny(w, "0123456789") || strings.Contains("since June December March September", w) {
				t.Errorf("%q: %q is reported as left out, want it in the date", question, w)
			}
		}
	}
	for question, want := range map[string]string{ // one variant, and articles
		"has BRAF V600E been reclassified":                                "get variant",
		"papers on reclassification of variants in cardiology since 2020": "search article",
	} {
		m, _ := Route(question, machine)
		if line := strings.Join(m[0].Commands[0], " "); !strings.HasPrefix(line, want) {
			t.Errorf("%q: got %q, want %s", question, line, want)
		}
	}
}
