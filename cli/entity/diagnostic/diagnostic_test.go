package diagnostic_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// A missing local table does not hide the results of another source.
func TestDiagnosticWithoutATable(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get diagnostic GTR000900001 XYZ --json")
	if code != 0 || !strings.Contains(text, `"accession":"GTR000900001"`) || !strings.Contains(text, `"not_found":["XYZ"]`) || !strings.Contains(text, "the local table who-ivd is not on this machine") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ := clitest.AskUncached(t, srv, "get diagnostic XYZ --json"); code != 1 || !strings.Contains(text, "biomcp sync who-ivd") {
		t.Errorf("exit %d: %s", code, text)
	}
}
