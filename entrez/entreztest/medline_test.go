package entreztest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var medlineLine = regexp.MustCompile(`^(?:([A-Z]{2,4}) *- | {6}\S)`)

// tagOrder returns the tags of each record of a MEDLINE text in order, and checks the form of every
// line.
func tagOrder(t *testing.T, text string) [][]string {
	t.Helper()
	var out [][]string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if line == "" {
			out = append(out, nil)
			continue
		}
		m := medlineLine.FindStringSubmatch(line)
		if m == nil || len(out) == 0 {
			t.Fatalf("no MEDLINE line: %q", line)
		}
		if m[1] != "" {
			if m[1] != strings.TrimSpace(line[:4]) || line[4:6] != "- " {
				t.Fatalf("tag columns: %q", line)
			}
			out[len(out)-1] = append(out[len(out)-1], m[1])
		}
	}
	return out
}

func TestMedlineHasTheFormOfTheCaptures(t *testing.T) {
	// before[a][b] is true if tag a precedes tag b in a capture.
	before := map[string]map[string]bool{}
	known := map[string]bool{}
	widest := 0
	for _, file := range []string{"medline_pubmed_result1.txt", "medline_pubmed_result2.txt", "medline_pubmed_result3.txt"} {
		text := read(t, shared(t, "eutils/"+file))
		for _, line := range strings.Split(text, "\n") {
			widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, " ")))
		}
		for _, tags := range tagOrder(t, text) {
			tags = slices.Compact(tags)
			for i, a := range tags {
				known[a] = true
				for _, b := range tags[i+1:] {
					if before[a] == nil {
						before[a] = map[string]bool{}
					}
					before[a][b] = true
				}
			}
		}
	}
	if len(known) < 25 {
		t.Fatalf("only %d tags in the captures", len(known))
	}
	s := New(t, File(shared(t, "pubmed/efetch-163.xml.gz")), File("testdata/synthetic.xml"), NoLimit(), WithoutNetwork())
	ids := look(t, s, "all[sb]", "retmax", "1000").IDs
	text := ask(t, s, "efetch.fcgi?rettype=medline&retmode=text&id="+strings.Join(ids, ","))
	records := tagOrder(t, text)
	if len(records) != len(ids) {
		t.Fatalf("%d records, want %d", len(records), len(ids))
	}
	seen := map[string]bool{}
	for i, tags := range records {
		if tags[0] != "PMID" || tags[len(tags)-1] != "SO" {
			t.Errorf("%s: from %s to %s", ids[i], tags[0], tags[len(tags)-1])
		}
		tags = slices.Compact(tags)
		for j, a := range tags {
			seen[a] = true
			for _, b := range tags[j+1:] {
				if before[b][a] && !before[a][b] && a != b {
					t.Errorf("%s: %s comes before %s, never so in the captures", ids[i], a, b)
				}
			}
		}
	}
	for _, tag := range strings.Fields("PMID OWN STAT DCOM LR IS VI IP DP TI PG LID AB AD FAU AU AUID CN LA GR PT DEP PL TA JT JID RN SB CIN RIN EIN MH PMC OT COIS EDAT MHDA CRDT PHST AID PST SO TT") {
		if !seen[tag] {
			t.Errorf("no record has the tag %s", tag)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > medlineWidth && strings.Contains(strings.TrimSpace(line[6:]), " ") {
			t.Errorf("a line of %d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	if widest > medlineWidth {
		t.Errorf("the captures reach %d columns", widest)
	}
}

func TestMedlineOfATrial(t *testing.T) {
	got := ask(t, imaginary(t), "efetch.fcgi?rettype=medline&retmode=text&id=80000001")
	for _, want := range []string{
		"PMID- 80000001\n", "STAT- MEDLINE\n", "IS  - 9999-0001 (Electronic)\n", "DP  - 2021 Mar 4\n",
		"LID - 10.99999/imag.2021.101 [doi]\n", "FAU - Müller, Johanna Anna\nAU  - Müller JA\nAUID- ORCID: 0000-0002-1825-0097\nAD  - Department",
		"FAU - Smith, John Jr\nAU  - Smith J Jr\n", "CN  - Imaginary Asthma Group\n", "DEP - 20201230\n",
		"GR  - X00 99999/Fund of Nowhere/Nowhere\n", "RN  - 451W47IQ8X (Sodium Chloride)\n",
		"MH  - Asthma/*drug therapy\nMH  - Sodium Chloride/therapeutic use\n", "PMC - PMC8000001\n",
		"EDAT- 2021/01/02 06:00\nMHDA- 2021/03/11 06:00\nCRDT- 2021/01/01 20:15\n", "PHST- 2020/10/01 [received]\n",
		"AID - imag-101 [pii]\n", "PST - ppublish\n",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		})
	}
}

func TestAbstractText(t *testing.T) {
	got := ask(t, imaginary(t), "efetch.fcgi?rettype=abstract&retmode=text&id=80000001,80000002")
	for _, want := range []string{
		"1. Imag J Lung Res. 2021 Mar 4;12(3):101-9. doi: 10.99999/imag.2021.101. Epub\n2020 Dec 30.\n\nInhaled sodium",
		"Müller JA(1), Smith J Jr, Imaginary Asthma Group.\n\nAuthor information:\n(1)Department of Dreams, University of Nowhere.\n\n",
		"DOI: 10.99999/imag.2021.101\nPMCID: PMC8000001\nPMID: 80000001 [Indexed for MEDLINE]\n",
		"\n\n\n2. Ann Imag Mice. 2022;7.\n\n", "Retraction in\n    Ann Imag Mice. 2023;8:1\n\n",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		})
	}
}
