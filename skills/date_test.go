package skills

import (
	"slices"
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
		"MSH6 variants reclassified after March 5th, 2026":                  "--gene MSH6 --reclassified-since 2026-03-06",
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

// A date that begins or ends a period fills the date flags. "after" and "before" exclude it; the other words include
// it. A word that only begins as a month does, or a date that does not exist, is no date.
func TestDatesOfQuestions(t *testing.T) {
	machine := testHere
	machine.Now = time.Date(2026, 10, 15, 0, 0, 0, 0, time.UTC)
	for question, want := range map[string]string{
		"articles published before 2020 on asthma":                      "search article asthma --date-to 2019",
		"asthma papers after 2022":                                      "search article asthma --date-from 2023",
		"asthma papers since 2022":                                      "search article asthma --date-from 2022",
		"papers on asthma until 2020":                                   "search article asthma --date-to 2020",
		"papers on asthma by 2020":                                      "search article asthma --date-to 2020",
		"papers on asthma through 2020":                                 "search article asthma --date-to 2020",
		"papers on asthma before the end of 2020":                       "search article asthma --date-to 2020",
		"papers on asthma before March 2021":                            "search article asthma --date-to 2021-02",
		"papers on asthma before January 2021":                          "search article asthma --date-to 2020-12",
		"papers on asthma after December 2021":                          "search article asthma --date-from 2022-01",
		"papers on asthma before 1 March 2024":                          "search article asthma --date-to 2024-02-29",
		"papers on asthma after 31 December 2021":                       "search article asthma --date-from 2022-01-01",
		"papers on asthma after 5 March 2021 and before 2022-06":        "search article asthma --date-from 2021-03-06 --date-to 2022-05",
		"papers on asthma between March 2020 and June 2021":             "search article asthma --date-from 2020-03 --date-to 2021-06",
		"papers on asthma from March to June 2021":                      "search article asthma --date-from 2021-03 --date-to 2021-06",
		"papers on asthma in March 2021":                                "search article asthma --date-from 2021-03 --date-to 2021-03",
		"papers on asthma from 2019 to 2021":                            "search article asthma --date-from 2019 --date-to 2021",
		"papers on asthma since 5 March 2021 until 2021":                "search article asthma --date-from 2021-03-05 --date-to 2021",
		"trials of imatinib since 2019":                                 "search trial imatinib --date-from 2019",
		"trials of imatinib before March 2021":                          "search trial imatinib --date-to 2021-02",
		"recruiting trials of imatinib after 5 June 2024":               "search trial imatinib --date-from 2024-06-06 --status RECRUITING",
		"papers on asthma since 29 February":                            "search article asthma --date-from 2024-02-29",
		"asthma papers since may and surgery":                           "search article asthma surgery --date-from 2026-05",
		"articles on nanoplastics published in 2019":                    "search article nanoplastics --date-from 2019 --date-to 2019",
		"papers on asthma since 31 February 2026":                       "search article asthma|since 31 February 2026",
		"latest articles on nanoplastics":                               "search article nanoplastics --sort date",
		"papers by Muster J since 2020":                                 "search article --date-from 2020 --author Muster J",
		"publications by Muster J":                                      "search article --author Muster J",
		"variants in FBN1 reclassified from Marfan syndrome":            "search variant --gene FBN1 --reclassified-since 2025-10-15|Marfan syndrome",
		"which BRCA1 variants were reclassified after sepsis":           "search variant --gene BRCA1 --reclassified-since 2025-10-15|sepsis",
		"which BRCA1 variants were reclassified since 20 October":       "search variant --gene BRCA1 --reclassified-since 2025-10-20",
		"which BRCA1 variants were reclassified since 10 October":       "search variant --gene BRCA1 --reclassified-since 2026-10-10",
		"which BRCA1 variants were reclassified since 31 February 2026": "search variant --gene BRCA1 --reclassified-since 2025-10-15|since 31 February 2026",
		"which BRCA1 variants were reclassified from 2020 to 2022":      "search variant --gene BRCA1 --reclassified-since 2020|from 2020 to 2022",
		"which BRCA1 variants were reclassified in 2023":                "search variant --gene BRCA1 --reclassified-since 2023|in 2023",
		"which BRCA1 variants were reclassified before 2023":            "search variant --gene BRCA1 --reclassified-since 2025-10-15|before 2023",
	} {
		m, sure := Route(question, machine)
		got := strings.TrimSuffix(strings.Join(m[0].Commands[0], " "), " --limit 10")
		if len(m[0].UnusedWords) > 0 {
			got += "|" + strings.Join(m[0].UnusedWords, " ")
		}
		if !sure || got != want {
			t.Errorf("%q: got %q, sure %t, want %q", question, got, sure, want)
		}
		if _, lost, _ := strings.Cut(want, "|"); strings.ContainsAny(lost, "0123456789") && !m[0].Unsure {
			t.Errorf("%q: certain, although %q is left out", question, lost)
		}
		if strings.Contains(want, "--author") && m[0].Unsure {
			t.Errorf("%q: uncertain, want certain: only texts have authors", question)
		}
	}
}

// Two limits that leave nothing between them are not swapped into a period. They are reported as left out.
func TestLimitsWithoutAPeriod(t *testing.T) {
	machine := testHere
	machine.Now = time.Date(2026, 10, 15, 0, 0, 0, 0, time.UTC)
	m, _ := Route("asthma papers before 2003 and after 2010", machine)
	if line := strings.Join(m[0].Commands[0], " "); strings.Contains(line, "--date") {
		t.Errorf("got %s, want no dates", line)
	}
	if !m[0].Unsure {
		t.Error("got a sure reading, want an unsure one")
	}
	for _, limit := range []string{"before 2003", "after 2010"} {
		if !slices.Contains(m[0].UnusedWords, limit) {
			t.Errorf("got the unused words %q, want %s among them", m[0].UnusedWords, limit)
		}
	}
}
