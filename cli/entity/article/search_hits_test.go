package article_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestAFilterThatPubMedDroppedIsNamed(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	if err := srv.SetHeading(entreztest.Heading{UI: "D900099", Terms: []string{"Lung Synthomas", "Synthoma of Lung"}}); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]string{
		"--journal Guttt":                   "PubMed dropped the filter --journal Guttt; did you mean Gut?",
		`--mesh "Lung Synthoma"`:            "PubMed dropped the filter --mesh Lung Synthoma; did you mean Lung Synthomas?",
		`--mesh Ergothionein --mesh Humans`: "PubMed dropped the filter --mesh Ergothionein; did you mean Ergothioneine?",
		"--author Nobodyatall":              "PubMed dropped the filter --author Nobodyatall",
		`-d "ergothioneine xqzzyblorp"`:     "PubMed dropped a part of the filter --disease ergothioneine xqzzyblorp: “xqzzyblorp”",
	} {
		t.Run(line, func(t *testing.T) {
			h, text := clitest.Read(t, app, "search article mushrooms "+line)
			if len(h.Notices) == 0 {
				t.Fatalf("h.Notices is empty: %s", text)
			}
			if !strings.HasPrefix(h.Notices[0], want) {
				t.Errorf("h.Notices[0] does not begin with %q: %s", want, text)
			}
			if strings.Count(text, `"dropped":true`) != 1 {
				t.Errorf("%q occurs %d times, want %d: %s", `"dropped":true`, strings.Count(text, `"dropped":true`), 1, text)
			}
			text, code := clitest.Ask(t, app, command.Agent, "search article mushrooms --strict "+line)
			_, near, ok := strings.Cut(want, "did you mean ")
			clitest.WantExit(t, code, 1, text)
			clitest.WantText(t, text, want)
			if ok {
				clitest.WantText(t, text, strings.TrimSuffix(near, "?"))
			}
		})
	}
	text, _ := clitest.Ask(t, app, command.Agent, "search article mushrooms --strict --mesh 'Lung Synthoma' --mesh Humans")
	if !strings.Contains(text, "try:   biomcp search article mushrooms --strict --mesh 'Lung Synthomas' --mesh Humans") {
		t.Error(text)
	}
}

func TestFieldTagsAreCheckedAgainstEInfo(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	t.Cleanup(srv.ExpectTags) // with the tags typed here
	app := commandtest.NCBI(t, srv)
	for query, want := range map[string]string{
		"mushrooms[badfield]":                                     "PubMed has no field of this name, and ignored it: “badfield”",
		"mushrooms[titel]":                                        "“titel” (did you mean title?)",
		`mushrooms[tiab] OR "a [quoted] b"[ti]`:                   "",
		"mushrooms[Title:~3]":                                     "",
		"mushrooms[Conflict of Interest Statements] OR mushrooms": "",
		"2020:2024[dp] AND humans[mh:noexp]":                      "",
	} {
		t.Run(query, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "search article '"+query+"'")
			clitest.WantExit(t, code, 0, text)
			if warned := strings.Contains(text, "has no field"); warned != (want != "") {
				t.Errorf("warned = %v, want %v: %s", warned, want != "", text)
			}
			clitest.WantText(t, text, want)
			text, code = clitest.Ask(t, app, command.Agent, "search article --strict '"+query+"'")
			refused := strings.Contains(text, "has no field")
			if refused != (want != "") {
				t.Errorf("refused = %v, want %v: %s", refused, want != "", text)
			}
			if refused {
				clitest.WantExit(t, code, 1, text)
			}
		})
	}
	if n := len(srv.Requests("einfo")); n != 1 {
		t.Errorf("EInfo was asked %d times in a day", n)
	}
	down := commandtest.PubMed(t)
	t.Cleanup(down.ExpectTags)
	if err := down.Fail(entreztest.Fault{Endpoint: "einfo", Kind: entreztest.Error200, Text: "no", Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, commandtest.NCBI(t, down), command.Agent, "search article 'mushrooms[badfield]' --strict")
	clitest.WantExit(t, code, 0, text)
	clitest.WantNoText(t, text, "no field")
}

// If PubMed drops the word of a query, hits by kind or date alone are not shown. A query with
// fewer filters that loses a word is not counted, because its hits belong to another query.
func TestHitsOfNoWordAreNone(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, line := range []string{"search article zzqqx --date-from 1950", "search article --keyword zzqqx --has-abstract", "search article zzqqx --has-abstract"} {
		t.Run(line, func(t *testing.T) {
			h, text := clitest.Read(t, app, line)
			if h.Total != 0 {
				t.Errorf("h.Total = %v, want 0: %s", h.Total, text)
			}
			if len(h.Results) > 0 {
				t.Fatalf("h.Results = %v, want none: %s", h.Results, text)
			}
			clitest.WantText(t, text, `"dropped_phrases":["zzqqx"]`, "hits for the rest are not shown")
		})
	}
	h, text := clitest.Read(t, app, "search article ergothioneine zzqqx --mesh Agaricales --date-to 1950")
	if h.Total != 0 {
		t.Errorf("h.Total = %v, want 0: %s", h.Total, text)
	}
	clitest.WantNoText(t, text, "without its dates")
}

func TestASearchWithoutHitsSaysWhereHitsAre(t *testing.T) {
	t.Parallel()
	app := commandtest.Disk(t)
	srv := commandtest.PubMed(t)
	app.Env.Network = commandtest.NCBI(t, srv).Env.Network
	nothing := "search article ergothioneine --mesh Humans --mesh Agaricales --date-from 1990 --date-to 1991"
	h, text := clitest.Read(t, app, nothing)
	if h.Total != 0 {
		t.Errorf("h.Total = %v, want 0: %s", h.Total, text)
	}
	clitest.WantNoText(t, text, "search corpus")
	clitest.WantText(t, text,
		"hits without its filters: 3; without its dates: 1; without --mesh Agaricales: 0; without --mesh Humans: 0",
		`"biomcp search article ergothioneine --mesh Humans --mesh Agaricales --json"`)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	if _, text = clitest.Read(t, app, nothing); !strings.Contains(text, `"biomcp search corpus ergothioneine"`) {
		t.Error(text)
	}
	if h, _ = clitest.Read(t, app, "search article ergothioneine --offset 5"); len(h.Notices) > 0 {
		t.Errorf("a page after the last hit: %q", h.Notices)
	}
	h, text = clitest.Read(t, app, "search mesh ergothionein")
	if h.Total != 0 {
		t.Errorf("h.Total = %v, want 0: %s", h.Total, text)
	}
	clitest.WantText(t, text, `"biomcp search mesh ergothioneine --json"`)
}

// An agent that requests abstracts gets each one with its article; an article without an
// abstract says so.
func TestAbstractsAreWithTheirArticles(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 40, func(i int, m *entreztest.SyntheticRecord) {
		if m.Abstract = []string{fmt.Sprintf("abstract-%d. ", i) + strings.Repeat("Long. ", 400)}; i == 3 {
			m.Abstract = nil
		}
	})
	app := commandtest.NCBI(t, srv)
	line, shown, answers := "search article synthetic --limit 40 --abstracts", "", 0
	for ; line != ""; answers++ {
		text, failed := cli.RenderAnswer(clitest.Run(t, app, command.Agent, line), false, 60000)
		if failed {
			t.Fatalf("the command failed:\n%.3000s", text)
		}
		if strings.Count(text, "## 7") != strings.Count(text, "abstract-")+strings.Count(text, "No abstract in PubMed") {
			t.Fatalf("%q occurs %d times, want %d: %.3000s", "## 7", strings.Count(text, "## 7"), strings.Count(text, "abstract-")+strings.Count(text, "No abstract in PubMed"), text)
		}
		shown += text
		_, line, _ = strings.Cut(text, "The rest:\n\n```\nbiomcp ")
		line, _, _ = strings.Cut(line, "\n")
	}
	for i, id := range commandtest.GeneratedPMIDs(40) {
		n := strings.Count(shown, "## "+id+": ")
		if n != 1 {
			t.Errorf("n = %v, want 1", n)
		}
		if n := strings.Count(shown, fmt.Sprintf("abstract-%d. ", i)); n != 1 && i != 3 {
			t.Errorf("the abstract of article %s is shown %d times, want 1", id, n)
		}
	}
	if answers != 2 {
		t.Errorf("%d answers", answers)
	}
	bad := commandtest.GeneratedPMIDs(40)[39]
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "efetch", Kind: entreztest.BadRecord, IDs: []string{bad}, Times: -1})
	text, _ := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search article synthetic --limit 40 --abstracts --json")
	clitest.WantText(t, text, "abstracts are missing: "+bad+": PubMed sent no readable record")
	if clitest.Outcomes(t, text)["abstracts"] != "degraded" {
		t.Errorf("outcome of abstracts = %q, want %q: %s", clitest.Outcomes(t, text)["abstracts"], "degraded", text)
	}
	clitest.FailEndpoint(t, srv, "efetch")
	text, _ = clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search article synthetic --abstracts")
	clitest.WantNoText(t, text, "No abstract in PubMed")
	clitest.WantText(t, text, "abstracts are missing")
}
