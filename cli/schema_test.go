package cli

import (
	"io"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/words"
)

const sampleRecords = "../cmd/biomcp/testdata/records.xml"

func TestFailuresMatchTheErrorSchema(t *testing.T) {
	app := diskApp(t)
	const s = "error"
	for line, code := range map[string]int{
		"get document pmid:1":                                       1,
		"get document pmid:0":                                       2,
		"get document paper":                                        2,
		"get artcle 1":                                              2,
		"get article 1":                                             1, // no network
		"sync pubmed":                                               2,
		"sync pubmed --query-key other":                             2,
		"sync pubmed --query-key k --term cancer":                   1,
		"sync pubmed --from nowhere.xml":                            2,
		"sync pubmed --from testdata/schemas/error.json":            1, // not PubMed XML
		"sync pubmed --from x --query-key k":                        2,
		"sync checkpoint k tomorrow":                                2,
		"sync pubmed --query-key k --term cancer --overlap-days=-1": 2,
		"search corpus ''":                                          2,
		"search corpus x --top-k 0":                                 2,
		"search corpus x --top-k 101":                               2,
		"search corpus x --date-from soon":                          2,
		"get document pmid:7":                                       1,
	} {
		t.Run(line, func(t *testing.T) {
			args, err := words.Split(line + " --json")
			if err != nil {
				t.Fatal(err)
			}
			out := Run(t.Context(), app, command.IO{Err: io.Discard}, args, command.Person)
			text, failed := RenderAnswer(out, true, 0)
			if !failed || ExitStatus(out) != code {
				t.Errorf("%s: exit %d, want %d: %s", line, ExitStatus(out), code, text)
				return
			}
			validate(t, s, line, text)
			if strings.Contains(text, "UNKNOWN") || strings.Contains(text, app.Env.DataDir) {
				t.Errorf("%s: %s", line, text)
			}
			parses(t, line, out.Failure.Try)
		})
	}
}
