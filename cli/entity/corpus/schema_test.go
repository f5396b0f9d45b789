package corpus_test

import (
	"fmt"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestAnswersMatchTheirSchemas(t *testing.T) {
	app := commandtest.Disk(t)
	for _, c := range []struct{ line, schema string }{
		{"get checkpoint k --json", "get_checkpoint.response"}, // before the first sync
		{"sync pubmed --from " + commandtest.Records(t) + " --json", "sync_pubmed.response"},
		{"sync pubmed --from " + commandtest.Records(t) + " --json", "sync_pubmed.response"},
		{"get document pmid:90100001 --json", "get_document.response"},
		{"get document pmid:90100002 --json", "get_document.response"},
		{"get document pmid:90100003 --json", "get_document.response"},
		{"get document pmid:90100004 --json", "get_document.response"},
		{"search corpus ergothioneine --json", "search_corpus.response"}, // by words alone: four documents are too few for a model
		{"search corpus xqzzyblorp --json", "search_corpus.response"},
		{"sync checkpoint k 2024-05-11 --json", "set_checkpoint.response"},
		{"get checkpoint k --json", "get_checkpoint.response"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.line), func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, c.line)
			if code != 0 {
				t.Errorf("%s: exit %d: %s", c.line, code, text)
			}
			commandtest.Validate(t, c.schema, c.line, text)
			commandtest.RequireAllFields(t, c.schema, text)
		})
	}
}
