package article_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Searches include other names of the filter values, with a notice; --exact does not. The
// requests for names are counted.
func TestFiltersAreSearchedForByOtherNames(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, c := range []struct {
		line, term, notice string
		asked              int // requests to sources other than the E-utilities
	}{
		{"-g TP53", "TP53[Title/Abstract]", "", 1},
		{"-g P53", "(P53[Title/Abstract] OR TP53[Title/Abstract])", "--gene P53 is an alias of TP53: each is searched for; --exact searches for P53 alone", 1},
		{"-g P53 --exact", "P53[Title/Abstract]", "", 0},
		{"-g 'wnt signalling'", "wnt signalling[Title/Abstract]", "", 0},
		{"--drug fictinib", "(fictinib)", "", 2},
		{"--drug Inventa", "((Inventa) OR (fictinib))", "--drug Inventa is another name of fictinib: each is searched for; --exact searches for Inventa alone", 2},
		{"--drug nosuchdrug", "(nosuchdrug)", "", 1},
		{"--variant 'BRAF V600E'", `(BRAF[Title/Abstract] AND ("V600E"[Title/Abstract] OR "Val600Glu"[Title/Abstract]))`, "--variant BRAF V600E is also written Val600Glu: each is searched for; --exact searches for BRAF V600E alone", 0},
		{"--variant p.Val600Glu", `("Val600Glu"[Title/Abstract] OR "V600E"[Title/Abstract])`, "--variant p.Val600Glu is also written V600E: each is searched for; --exact searches for p.Val600Glu alone", 0},
		{"--variant 'BRAF c.1799T>A'", `(BRAF[Title/Abstract] AND ("c.1799T>A"[Title/Abstract]))`, "", 0},
		{"--variant rs113488022", `("rs113488022"[Title/Abstract])`, "get variant rs113488022 articles lists those that LitVar2 knows", 0},
	} {
		t.Run(c.line, func(t *testing.T) {
			text, code, requests := clitest.AskUncached(t, srv, "search article melanoma --json --limit 1 "+c.line)
			var got struct {
				Filters []struct{ Term string } `json:"applied_filters"`
				Notices []string
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
				t.Fatal(c.line, code, err, text)
			}
			others := 0
			for _, name := range clitest.Endpoints(requests) {
				if !slices.Contains([]string{"esearch", "esummary", "espell"}, name) {
					others++
				}
			}
			said := strings.Contains(strings.Join(got.Notices, "\n"), c.notice) && (c.notice != "" || !strings.Contains(strings.Join(got.Notices, "\n"), "is searched for"))
			if got.Filters[0].Term != c.term || !said || others != c.asked {
				t.Errorf("%s: %s, notices %q, %d requests of %q", c.line, got.Filters[0].Term, got.Notices, others, clitest.Endpoints(requests))
			}
		})
	}
	// PubMed does not have Val600Glu; dropping it does not broaden the search.
	if text, code, _ := clitest.AskUncached(t, srv, "search article --variant 'BRAF V600E' --strict"); code != 0 || !strings.Contains(text, "PubMed does not have Val600Glu, one of the names") {
		t.Errorf("a spelling that was not asked for is missed: %s", text)
	}
	// Names between commas are separate; PubMed would search for one phrase.
	for line, want := range map[string]string{
		"-g BRAF,TP53":                "--gene BRAF --gene TP53",
		"-g KRAS -g BRAF,TP53":        "--gene KRAS --gene BRAF --gene TP53",
		"--variant V600E,V600K -g TP": "--gene=TP --variant V600E --variant V600K",
	} {
		if text, code, _ := clitest.AskUncached(t, srv, "search article "+line); code != 2 || !strings.Contains(text, "biomcp search article "+want+"\n") {
			t.Errorf("%s: %d, %s", line, code, text)
		}
	}
	if text, code, _ := clitest.AskUncached(t, srv, "search article --drug 1,25-fictinib -d 'fictitis, type 2' --json"); code != 0 || !strings.Contains(text, `"value":"fictitis, type 2"`) {
		t.Errorf("a comma within a name: %d, %s", code, text)
	}
	if text, code, _ := clitest.AskUncached(t, srv, "search article --variant melanoma"); code != 2 || !strings.Contains(text, "an rs number or a change such as BRAF V600E") {
		t.Error(text)
	}
	for _, name := range []string{"datasets", "rxnav"} {
		t.Run(name, func(t *testing.T) {
			app := commandtest.NCBI(t, srv)
			for key := range app.Env.Network.Addresses {
				if strings.Contains(strings.ToLower(key), name) {
					app.Env.Network.Addresses[key] = "http://127.0.0.1:9/"
				}
			}
			text, code := clitest.Ask(t, app, command.Agent, "search article melanoma -g P53 --drug Inventa --limit 1")
			if code != 0 || strings.Count(text, "are not searched for: ") != 1 {
				t.Errorf("without %s: exit %d, %s", name, code, text)
			}
		})
	}
	if text, _, _ := clitest.AskUncached(t, srv, "discover V600E"); !strings.Contains(text, "\nbiomcp get variant rs113488022\nbiomcp search article --variant rs113488022\n") {
		t.Error(text)
	}
}
