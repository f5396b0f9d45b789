package variant_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/sourcetest"
)

type wholeAnswer struct {
	Variants []struct {
		CAID     string
		GnomAD   string `json:"gnomad_id"`
		HGVS     struct{ MANE *bool }
		Germline struct {
			Classification string
			Stars          int
		}
		Split   []struct{ Kind, Submissions string }
		Earlier []struct{ Kind, Classification, Until string }
		Impacts []string
		ClinVar []struct{ SCV, Condition, Comment string }
		Of      []struct {
			Name, Kind, Classification, RCV string
			Stars                           int
		} `json:"diseases"`
	}
	Notices []string
}

func TestWholeRecordOfClinVar(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	read := func(line string) wholeAnswer {
		text, code, _ := clitest.AskUncached(t, srv, line+" --json")
		var got wholeAnswer
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || len(got.Variants) == 0 {
			t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
		}
		return got
	}
	card := read("get variant rs113488022").Variants[0]
	if card.CAID != "CA123643" || card.GnomAD != "7-140753336-A-T" || card.HGVS.MANE == nil || !*card.HGVS.MANE {
		t.Errorf("%+v", card)
	}
	if len(card.Earlier) != 2 || card.Earlier[0].Classification != "Likely pathogenic" || card.Earlier[0].Until != "2026-09-25" || len(card.Split) != 1 {
		t.Errorf("%+v", card)
	}
	if !slices.Equal(card.Impacts, []string{"therapeutic: resistance"}) {
		t.Errorf("%q", card.Impacts)
	}
	if text, _, _ := clitest.AskUncached(t, srv, "get variant 13961"); !strings.Contains(text, "2025-03-04; submitted as therapeutic: resistance\n") {
		t.Errorf("a tier without what it is evidence of: %s", text)
	}
	if text, _, _ := clitest.AskUncached(t, srv, "get variant 376069 clinvar --json"); !strings.Contains(text, "counts 1 submission, and its record has 0") || clitest.Outcomes(t, text)["clinvar"] != result.Degraded {
		t.Errorf("a record without its submission: %s", text)
	}
	sections := read("get variant 13961 clinvar diseases").Variants[0]
	if sections.Germline.Stars != 2 || sections.ClinVar[0].Comment != "Seen in three synthetic families." || sections.ClinVar[1].Condition != "Melanoma" {
		t.Errorf("%+v", sections)
	}
	if d := sections.Of; len(d) != 3 || d[0].Name != "Noonan syndrome 7" || d[0].Classification != "Pathogenic" || d[0].RCV != "RCV900000001" || d[1].Kind != "oncogenicity" || d[2].Classification != "Tier I - Strong" {
		t.Errorf("%+v", d)
	}
	if rows, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get variant 13961 clinvar --csv"); code != 0 || strings.Count(rows, "\n") != 5 || strings.Contains(rows, "until") {
		t.Errorf("a table of submissions has other rows: exit %d: %s", code, rows)
	}
	for line, want := range map[string][]string{
		"get variant 13961":          {"Likely pathogenic until 2026-09-25; Uncertain significance until 2023-02-02", "Pathogenic(1); Likely pathogenic(1)", "7-140753336-A-T", "NM_004333.6:c.1799T>A (MANE Select)"},
		"get variant 13961 clinvar":  {"Pathogenic/Likely pathogenic, 2 of 4 stars", "Likely pathogenic until 2026-09-25", "| Melanoma |", "Seen in three synthetic families.", "Tier I - Strong (therapeutic: resistance)", "Benign (flagged by ClinVar: not counted)", "Older synthetic claim"},
		"get variant 13961 diseases": {"| Noonan syndrome 7 | germline | Pathogenic | 1 |", "Tier I - Strong (therapeutic: resistance)"},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line)
				for _, w := range want {
					if code != 0 || !strings.Contains(text, w) {
						t.Errorf("%s: exit %d, no %q: %s", line, code, w, text)
					}
				}
			}
		})
	}
}

// Without the whole record the card is complete except for values reported as unknown.
func TestWholeRecordThatDoesNotCome(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	if err := srv.Fail(sourcetest.Fault{Endpoint: "efetch", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ := clitest.AskUncached(t, srv, "get variant 13961 clinvar diseases --json")
	outcomes := clitest.Outcomes(t, text)
	if code != 0 || outcomes["clinvar"] != result.Unavailable || outcomes["diseases"] != result.Data || outcomes["variants"] != result.Degraded || !strings.Contains(text, "earlier classifications, functional evidence, MANE and the split of submissions are not known: ") {
		t.Errorf("exit %d, %v: %s", code, outcomes, text)
	}
	// Whole records are not read for many variants, unless the section requests them.
	srv.ClearFaults()
	_, _, requests := clitest.AskUncached(t, srv, "get variant 13961 376069 44803 90400001 90400002 90400003")
	if endpoints := clitest.Endpoints(requests); slices.Contains(endpoints, "efetch") {
		t.Errorf("%q", endpoints)
	}
}
