package local_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// members adds the members of a JSON value with their path, and their lists as "[]" if empty.
func members(path string, value any, into map[string][]string) {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			members(path+"."+name, one, into)
		}
	case []any:
		kind := "list"
		if len(v) == 0 {
			kind = "[]"
		}
		into[path] = append(into[path], kind)
		for _, one := range v {
			members(path, one, into)
		}
	default:
		into[path] = append(into[path], "value")
	}
}

// An answer from local tables lists nothing that they cannot know: an empty list is a claim. Each empty list belongs to
// a column of the table, or is empty in the live answer too.
func TestTablesClaimNoUnknownLists(t *testing.T) {
	columns := map[string]string{ // lists that have a column
		"genes.evidence.therapies": "CIViC's therapies", "genes.evidence.nct_ids": "CIViC's nct_ids",
		"genes.evidence.variants.clinvar_ids": "CIViC's clinvar_ids", "variants.evidence.nct_ids": "CIViC's nct_ids",
		"variants.evidence.therapies": "CIViC's therapies", "variants.evidence.variants.clinvar_ids": "CIViC's clinvar_ids",
		"genes.pgx": "CPIC's pairs", "genes.pgx.pmids": "CPIC's citations", "drugs.pgx.pmids": "CPIC's citations",
		"genes.validity": "rows of ClinGen and GenCC", "genes.dosage": "rows of ClinGen",
		"diseases.variants": "rows of ClinVar", "variants.clinvar": "rows of ClinVar's submissions",
		"variants.locations": "ClinVar's places", "variants.germline.conditions": "ClinVar's PhenotypeList",
		"diseases.validity.pmids": "GenCC's submitted_as_pmids",
	}
	lines := []string{
		"get variant 'BRAF V600E'", "get variant rs1800562", "get variant VCV000089003", "get variant VCV000089004",
		"get variant VCV000089005", "get variant 'BRAF V600E' clinvar", "get variant 'BRAF V600E' diseases",
		"get variant VCV000089001 clinvar", "get variant 'BRAF V600E' evidence",
		"search variant -g BRAF", "search variant -g MSH6", "get gene BRAF variants",
		"get gene BRAF evidence validity dosage pgx", "get gene CYP2C19 pgx", "get disease C0024796 variants validity",
		"get drug clopidogrel pgx", "search pgx --gene CYP2C19",
	}
	commandtest.WithFakeClock(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		read := func(line string) map[string][]string {
			text := clitest.Answer(t, app, command.Person, line+" --json")
			if reply := clitest.AskAgent(t, app, line, true); reply.Text != text {
				t.Errorf("%s over MCP: got %s, want the answer of a pipe: %s", line, reply.Text, text)
			}
			var value map[string]any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err, text)
			}
			for _, other := range []string{"_meta", "notices", "not_found", "unavailable", "dropped_phrases", "requested",
				"applied_filters"} {
				delete(value, other)
			}
			all := map[string][]string{}
			members("", value, all)
			return all
		}
		live := map[string]map[string][]string{}
		for _, line := range lines {
			if strings.Contains(line, "BRAF") && !strings.Contains(line, "evidence") || strings.Contains(line, "variants validity") {
				live[line] = read(line) // the simulator has these
			}
		}
		clitest.Answer(t, app, command.Person, "sync all --absent")
		clitest.Answer(t, app, command.Person, "sync clinvar --submissions")
		for _, line := range lines {
			for path, values := range read(line) {
				if !slices.Contains(values, "[]") || columns[strings.TrimPrefix(path, ".")] != "" {
					continue
				}
				if !slices.Contains(live[line][path], "[]") {
					t.Errorf("%s: got an empty list %s, which no table has and the live answer does not have: %q", line, path,
						live[line][path])
				}
			}
		}
		var got struct {
			Diseases []struct {
				Validity []struct {
					Source string
					PMIDs  *[]string
				}
			}
		}
		text := clitest.Answer(t, app, command.Person, "get disease C0024796 validity --json")
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Diseases[0].Validity) != 2 {
			t.Fatal(err, text)
		}
		for _, v := range got.Diseases[0].Validity {
			if (v.PMIDs != nil) != (v.Source == "GenCC") {
				t.Errorf("validity of %s: got articles %v, want them of GenCC alone, because ClinGen's file lists none", v.Source, v.PMIDs)
			}
		}
	})
}
