package cli_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// largeServer simulates NCBI with a record in each database whose summary ESummary refuses to send,
// as it does for a copy number of over a thousand genes.
func largeServer(t *testing.T) *entreztest.Server {
	t.Helper()
	srv := commandtest.EverySource(t, entreztest.SummaryBytes(100_000))
	large := strings.Repeat("A large summary. ", 10_000)
	add := func(db, uid string, summary map[string]any, terms map[string][]string) {
		summary["uid"], summary["filler"] = uid, large
		srv.SetEntry(db, entreztest.Entry{UID: uid, Summary: summary, Terms: terms})
	}
	add("clinvar", "90800001", map[string]any{"accession": "VCV090800001"}, map[string][]string{
		"GENE": {"BRAF"}, "DIS": {"Noonan syndrome 7"}, "PROP": {"clinsig pathogenic"}, "ACCN": {"VCV090800001"},
		"VRID": {"rs90800001"},
	})
	add("gene", "90800002", map[string]any{"name": "BIGG1"}, map[string][]string{
		"PREF": {"BIGG1"}, "GENE": {"BIGG1"}, "TID": {"9606"}, "PROP": {"alive"}, "GFN": {"big gene"},
	})
	add("medgen", "90800003", map[string]any{"conceptid": "CN980003", "title": "Bigg syndrome"}, map[string][]string{
		"TITL": {"Bigg syndrome"}, "WORD": {"Bigg syndrome", "CN980003", "MONDO:0980003"}, "GENE": {"BRAF"},
		"CLIN": {"Large feature"},
	})
	add("snp", "90800004", map[string]any{"snp_id": 90800004}, map[string][]string{"RS": {"90800004"}})
	add("snp", "387907272", map[string]any{"snp_id": 387907272}, map[string][]string{"RS": {"387907272"}})
	add("gtr", "90800005", map[string]any{"accession": "GTR090800005"}, map[string][]string{
		"SYMB": {"BRCA1"}, "ALL": {"GTR090800005"},
	})
	if err := srv.SetHeading(entreztest.Heading{UI: "D980006", Terms: []string{"Biggine"}, ScopeNote: large,
		TreeNumbers: []string{"D03.1"}}); err != nil {
		t.Fatal(err)
	}
	return srv
}

// A record whose summary is too large is a gap that the answer names, by a notice; an ID of one is
// unavailable. It is never said to be not found, and the other records are shown.
func TestSummaryThatIsTooLargeIsANamedGap(t *testing.T) {
	t.Parallel()
	srv := largeServer(t)
	app := commandtest.NCBI(t, srv)
	const cannot = "NCBI E-utilities cannot send the summary of "
	for line, want := range map[string]struct {
		exit int
		uid  string
		with string // beside the gap
	}{
		"get gene BRAF variants":                         {0, "90800001", "VCV000013961"},
		"get gene BRAF diseases":                         {0, "90800003", "C0025202"},
		"get disease 'Noonan syndrome 7' variants":       {0, "90800001", "VCV000013961"},
		"search variant -g BRAF":                         {0, "90800001", "VCV000013961"},
		"search variant -g BRAF --review-stars 2":        {0, "90800001", "VCV000013961"},
		"search variant --significance pathogenic":       {0, "90800001", "VCV000013961"},
		"get variant 90800001":                           {1, "90800001", ""},
		"get variant VCV090800001":                       {1, "90800001", ""},
		"get variant rs90800001":                         {1, "90800001", ""},
		"get variant 90800001 13961":                     {0, "90800001", "VCV000013961"},
		"get variant rs90800004":                         {1, "90800004", ""},
		"get variant 37055":                              {0, "387907272", "the values of dbSNP are missing: "},
		"get variant 37055 population":                   {0, "387907272", "Not known: "},
		"get variant rs90800004 rs268":                   {0, "90800004", "rs268"},
		"get gene 90800002":                              {1, "90800002", ""},
		"get gene BIGG1":                                 {1, "90800002", ""},
		"get gene BIGG1 BRAF":                            {0, "90800002", "BRAF"},
		"search gene 'big gene'[GFN]":                    {0, "90800002", ""},
		"get disease 90800003":                           {1, "90800003", ""},
		"get disease CN980003":                           {1, "90800003", ""},
		"get disease 'Bigg syndrome'":                    {1, "90800003", ""},
		"get disease 90800003 C0024796":                  {0, "90800003", "Marfan syndrome"},
		"search disease bigg":                            {0, "90800003", ""},
		"search disease --gene BRAF":                     {0, "90800003", "C0025202"},
		"search variant --condition MONDO:0980003":       {0, "90800003", ""},
		"search diagnostic --gene BRCA1 --source gtr":    {0, "90800005", "GTR000900001"},
		"get diagnostic GTR090800005":                    {1, "90800005", ""},
		"get diagnostic GTR090800005 GTR000900001":       {0, "90800005", "GTR000900001"},
		"search mesh biggine":                            {0, "D980006", ""},
		"get drug biggine":                               {1, "D980006", ""},
		"discover 'bigg syndrome'":                       {0, "90800003", ""},
		"discover BIGG1":                                 {0, "90800002", ""},
		"discover biggine":                               {0, "D980006", ""},
		"get variant rs90800001 rs268 population --json": {0, "90800001", "rs268"},
	} {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			t.Run(line, func(t *testing.T) {
				text, code := clitest.Ask(t, app, policy, line)
				if code != want.exit {
					t.Errorf("exit %d, want %d: %s", code, want.exit, text)
				}
				uid := strings.Replace(want.uid, "D980006", "68980006", 1) // MeSH's UIDs are the numbers of its UIs
				if !strings.Contains(text, cannot+uid) {
					t.Errorf("got\n%s\nwant it to contain %q", text, cannot+uid)
				}
				if !strings.Contains(text, want.with) {
					t.Errorf("got\n%s\nwant it to contain %q", text, want.with)
				}
				page := "larger than ESummary allows; read it at https://www.ncbi.nlm.nih.gov/"
				if !strings.Contains(text, page) || !strings.Contains(text, "/?term="+uid+"[uid]") {
					t.Errorf("got\n%s\nwant it to name the page of %s", text, uid)
				}
				if code == 1 && !strings.Contains(text, "\ntry:   biomcp list ") {
					t.Errorf("got\n%s\nwant it to lead to biomcp list", text)
				}
				for _, unwanted := range []string{"biomcp health", "not found:", "no variant found", "no gene found", "no disease found", "no drug found",
					"GTR has no test", "Results: 0"} {
					if strings.Contains(text, unwanted) {
						t.Errorf("got\n%s\nwant it without %q", text, unwanted)
					}
				}
			})
		}
	}
}

// The outcome of a part with such a gap is degraded or unavailable, and a total that depends on the
// record is unknown.
func TestOutcomeOfASummaryThatIsTooLarge(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, largeServer(t))
	for line, want := range map[string]string{
		"get gene BRAF variants --json":                  `"key":"variants","label":"Variants","outcome":"degraded"`,
		"get gene BRAF diseases --json":                  `"key":"diseases","label":"Diseases","outcome":"degraded"`,
		"search variant -g BRAF --json":                  `"outcome":"degraded"`,
		"search variant -g BRAF --review-stars 2 --json": `"total":null`,
		"search disease bigg --json":                     `"outcome":"degraded"`,
		"search gene 'big gene'[GFN] --json":             `"outcome":"degraded"`,
		"search mesh biggine --json":                     `"outcome":"degraded"`,
		"get variant 90800001 13961 --json":              `"outcome":"degraded"`,
		"get variant 90800001 --json":                    `"code":"UPSTREAM"`,
		"get disease 90800003 --json":                    `"code":"UPSTREAM"`,
		"get gene BIGG1 --json":                          `"code":"UPSTREAM"`,
		"get drug biggine --json":                        `"code":"UPSTREAM"`,
		"get diagnostic GTR090800005 --json":             `"code":"UPSTREAM"`,
		"batch variant 90800001 13961 --json":            `"status":"failed"`,
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, line); !strings.Contains(text, want) {
				t.Errorf("got\n%s\nwant it to contain %q", text, want)
			}
		})
	}
}

// An unrelated ID that has no record is still not found.
func TestAbsentIDBesideASummaryThatIsTooLarge(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, largeServer(t))
	lines := map[string]string{
		"get variant 90800001 13961 99999998":     "not found: 99999998",
		"get variant rs90800004 rs268 rs99999997": "not found: rs99999997",
		"get disease 90800003 C0024796 99999996":  "not found: 99999996",
		"get gene 90800002 673 99999995":          "not found: 99999995",
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if text, code := clitest.Ask(t, app, command.Agent, line); code != 0 || !strings.Contains(text, lines[line]) {
			t.Errorf("%s: exit %d: got\n%s\nwant it to contain %q", line, code, text, lines[line])
		}
	}
}
