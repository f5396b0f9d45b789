package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/sourcetest"
)

// A page that is not the service's own is not the user's fault, and no record is absent because of
// it, at every door.
func TestForeignPageIsTheSourcesFault(t *testing.T) {
	const braf = "get variant 'NM_004333.6:c.1799T>A'"
	page := func(endpoint string) sourcetest.Fault {
		return sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML404, Times: -1}
	}
	for _, c := range []struct {
		line  string
		fault sourcetest.Fault
		code  result.Code // "" if the command succeeds with a notice
		text  string
	}{
		{braf, page("variation-hgvs"), result.Upstream, "NCBI Variation Services"},
		{braf, sourcetest.Fault{Endpoint: "variation-hgvs", Kind: sourcetest.HTML403, Times: -1}, result.Upstream,
			"NCBI Variation Services"},
		{"search citation --journal Nature --year 2020", sourcetest.Fault{Endpoint: "ecitmatch", Kind: sourcetest.Empty,
			Times: -1}, result.Upstream, "NCBI E-utilities"},
		{"search citation --journal Nature --year 2020", page("ecitmatch"), result.Entrez, "NCBI E-utilities"},
		{"search article ergothioneine", page("esearch"), result.Entrez, "NCBI E-utilities"},
		{"get gene BRAF", sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.OtherJSON, Text: "{}", Times: -1},
			"", "NCBI Datasets sent no report of BRAF, so its HGNC, Ensembl and UniProt ids are not known"},
		{"get gene NOSUCHGENE", sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.OtherJSON, Text: "{}",
			Times: -1}, result.NotFound, "NOSUCHGENE"},
		{"study download --list", page("list"), "", "because cBioPortal's datahub answered HTTP 404"},
		{"study download --list", sourcetest.Fault{Endpoint: "list", Kind: sourcetest.HTML200, Times: -1}, result.Upstream,
			"cBioPortal's datahub"},
	} {
		t.Run(c.line+" "+string(c.fault.Kind), func(t *testing.T) {
			srv := commandtest.EverySource(t)
			commandtest.Fail(t, srv, c.fault)
			want := 0
			if c.code != "" {
				want = 1
			}
			for door, may := range map[string]command.Policy{"terminal": command.Person, "MCP": command.Agent} {
				text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, c.line)
				if code != want {
					t.Errorf("%s: exit %d, want %d: %s", door, code, want, text)
				}
				if !strings.Contains(text, c.text) {
					t.Errorf("%s: the answer lacks %q: %s", door, c.text, text)
				}
			}
			text, _ := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, c.line+" --json")
			var got struct {
				Error   struct{ Code result.Code }
				Notices []string
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err, text)
			}
			if got.Error.Code != c.code {
				t.Errorf("JSON: code %q, want %q: %s", got.Error.Code, c.code, text)
			}
			if !strings.Contains(text, c.text) {
				t.Errorf("JSON: the answer lacks %q: %s", c.text, text)
			}
		})
	}
}
