package variant_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A genomic entity that is not one variant leads to the search that finds it, and the message says
// which form was understood: on a terminal, as JSON and for an agent.
func TestEntitiesLeadToTheirSearch(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]struct{ says, try string }{
		"EML4-ALK":         {"a fusion of the genes EML4 and ALK (EML4::ALK)", "biomcp search article EML4-ALK"},
		"EML4::ALK fusion": {"a fusion of the genes EML4 and ALK (EML4::ALK)", "biomcp search article EML4-ALK"},
		"HTT CAG":          {"a repeat in the gene HTT", "biomcp search article 'HTT CAG repeat'"},
		"22q11.2":          {"a band of a chromosome (22q11.2)", "biomcp search variant 22q11.2"},
		"22q11.2 deletion": {"a change of a band of a chromosome (22q11.2 deletion)", "biomcp search disease '22q11.2 deletion'"},
		"'del(5q)'":        {"a change of a band of a chromosome (5q deletion)", "biomcp search disease '5q deletion'"},
		"APOE e4":          {"APOE ε4: rs429358 C, rs7412 C", "biomcp get variant rs429358 rs7412"},
		"'NC_000022.11:g.(?_18900000)_(21500000_?)del'":               {"22:18900000-21500000 on GRCh38", "biomcp search variant --region 22:18900000-21500000"},
		"'NC_000022.10:g.(?_18900000)_(21500000_?)del'":               {"22:18900000-21500000 on GRCh37", "biomcp search variant --region 22:18900000-21500000 --assembly GRCh37"},
		"NC_000022.11:18899999:2600000:":                              {"22:18900000-21499999 on GRCh38", "biomcp search variant --region 22:18900000-21499999"},
		"chr22:18919478-21459713x1":                                   {"22:18919478-21459713 on GRCh38", "biomcp search variant --region 22:18919478-21459713"},
		"'NC_000022.11:g.(18900000_18950000)_(21500000_21600000)dup'": {"22:18900000-21600000 on GRCh38", "biomcp search variant --region 22:18900000-21600000"},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				app := commandtest.NCBI(t, srv)
				text, code := clitest.Ask(t, app, may, "get variant "+line+" --json")
				var got struct {
					Error struct {
						Message string
						Details struct{ Try string }
					}
				}
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				if code == 0 {
					t.Errorf("exit status: got 0, want a failure")
				}
				if !strings.Contains(got.Error.Message, want.says) {
					t.Errorf("message: got %q, want %q in it", got.Error.Message, want.says)
				}
				if got.Error.Details.Try != want.try {
					t.Errorf("try: got %q, want %q", got.Error.Details.Try, want.try)
				}
				plain, _ := clitest.Ask(t, app, may, "get variant "+line)
				if !strings.Contains(plain, want.says) {
					t.Errorf("text: got %q, want %q in it", plain, want.says)
				}
				if !strings.Contains(plain, want.try) {
					t.Errorf("text: got %q, want %q in it", plain, want.try)
				}
				if next, code := clitest.Ask(t, app, may, strings.TrimPrefix(want.try, "biomcp ")); code == 2 {
					t.Errorf("%s: got exit status 2, want it accepted: %s", want.try, next)
				}
			}
		})
	}
}
