package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// withSections lists records by entity. Each section has data in one of them or is empty in one.
var withSections = map[string][]string{
	"article": {"90100001", "90100004"},
	"gene":    {"BRAF", "CPA6"},
	"variant": {"rs113488022", "rs268", "'PTEN D126A'"},
	"disease": {"44287", "'Noonan syndrome 7'"},
	"drug":    {"fictinib", "syntheticillin", "lonelyinib"},
	"trial":   {"NCT99000001", "NCT99000004"},
}

// none is the text of a section whose source says that there is nothing.
const none = "\nNone.\n"

// "None." and the outcome empty are claims about a source that was read. While it does not answer,
// no section of any entity makes them.
func TestNoneIsSaidOnlyOfASourceThatWasRead(t *testing.T) {
	for _, e := range cli.Entities() {
		if e.Get == nil || len(e.Get.Sections) == 0 {
			continue
		}
		if len(withSections[e.Name]) == 0 {
			t.Errorf("%s has no record in this test", e.Name)
		}
		for _, id := range withSections[e.Name] {
			t.Run(e.Name+" "+id, func(t *testing.T) {
				t.Parallel()
				srv := commandtest.EverySource(t)
				own := count(t, srv, "get "+e.Name+" "+id)
				for _, sec := range e.Get.Sections {
					testNone(t, srv, own, "get "+e.Name+" "+id, sec.Name)
				}
			})
		}
	}
}

// count returns the number of requests of a line, by endpoint.
func count(t *testing.T, srv *entreztest.Server, line string) map[string]int {
	t.Helper()
	srv.ClearFaults()
	text, code, requests := clitest.AskUncached(t, srv, line)
	clitest.WantExit(t, code, 0, text)
	n := map[string]int{}
	for _, r := range requests {
		n[r.Endpoint]++
	}
	return n
}

// testNone takes away the sources of a section: one endpoint at a time from its first request, and
// all requests that the card does not make, own by endpoint.
func testNone(t *testing.T, srv *entreztest.Server, own map[string]int, line, section string) {
	t.Helper()
	line += " " + section
	asked := count(t, srv, line)
	healthy := outcome(t, srv, line, section)
	var extra []sourcetest.Fault
	faults := map[string][]sourcetest.Fault{}
	for endpoint, n := range asked {
		down := sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML502, Times: -1}
		if healthy != result.Empty {
			faults["without "+endpoint] = []sourcetest.Fault{down}
		}
		if n > own[endpoint] {
			down.From = own[endpoint] + 1
			extra = append(extra, down)
		}
	}
	if len(extra) > 0 {
		faults["without its sources"] = extra
	}
	for name, list := range faults {
		srv.ClearFaults()
		for _, fault := range list {
			commandtest.Fail(t, srv, fault)
		}
		for door, may := range map[string]command.Policy{"terminal": command.Person, "MCP": command.Agent} {
			if text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line); code == 0 && strings.Contains(text+"\n", none) {
				t.Errorf("%s %s, %s: the answer says None.: %s", line, name, door, text)
			}
		}
		if got := outcome(t, srv, line, section); got == result.Empty {
			t.Errorf("%s %s: outcome %s, want another", line, name, got)
		}
	}
}

// outcome returns the outcome of a section, "" if the command fails.
func outcome(t *testing.T, srv *entreztest.Server, line, section string) result.State {
	t.Helper()
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line+" --json")
	if code != 0 {
		return ""
	}
	return clitest.Outcomes(t, text)[section]
}

// A section of a record that its source does not have is not known, and does not say "None.".
func TestNoneIsNotSaidOfAMissingRecord(t *testing.T) {
	srv := commandtest.EverySource(t)
	noAnnotations := sourcetest.Fault{Endpoint: "pubtator", Kind: sourcetest.OtherJSON, Text: `{"PubTator3":[]}`, Times: -1}
	noLabel := sourcetest.Fault{Endpoint: "labels", Kind: sourcetest.OtherJSON, Times: -1,
		Text: `{"data":[],"metadata":{"total_elements":0}}`}
	noReport := sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.OtherJSON, Text: `{}`, Times: -1}
	for _, c := range []struct {
		line, section string
		fault         *sourcetest.Fault
		outcome       result.State
		text          string
	}{
		{"get drug fictinib", "interactions", &noLabel, result.Unavailable, "Not known: DailyMed has no label of fictinib"},
		{"get drug fictinib", "label", &noLabel, result.Empty, "DailyMed has no label of fictinib"},
		{"get drug lonelyinib", "interactions", nil, result.Unavailable, "Not known: DailyMed has labels that name lonelyinib (1)"},
		{"get drug lonelyinib", "label", nil, result.Unavailable, "Not known: DailyMed has labels that name lonelyinib (1)"},
		{"get drug syntheticillin", "interactions", nil, result.Empty, "has no section of interactions"},
		{"get article 90100001", "annotations", &noAnnotations, result.Unavailable, "Not known: PubTator3 does not have 90100001."},
		{"get gene CPA6", "proteins", &noReport, result.Unavailable, "Not known: NCBI Datasets sent no report of the gene."},
		{"get gene CPA6", "orthologs", &noReport, result.Unavailable, "Not known: NCBI Datasets sent no report of the gene."},
		{"get gene CPA6", "go", &noReport, result.Unavailable, "Not known: NCBI Datasets sent no report of the gene."},
		{"get gene CPA6", "pathways", &noReport, result.Unavailable, "Not known: NCBI Datasets sent no report of the gene."},
		{"get variant rs268", "diseases", nil, result.Inapplicable, "rs268 is not in ClinVar"},
		{"get variant 'PTEN D126A'", "clinvar", nil, result.Degraded, "None in the part that was read."},
	} {
		t.Run(fmt.Sprint(c.line, " ", c.section), func(t *testing.T) {
			srv.ClearFaults()
			if c.fault != nil {
				commandtest.Fail(t, srv, *c.fault)
			}
			line := c.line + " " + c.section
			if got := outcome(t, srv, line, c.section); got != c.outcome {
				t.Errorf("outcome %q, want %q", got, c.outcome)
			}
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, _ := clitest.Ask(t, commandtest.NCBI(t, srv), may, line)
				clitest.WantText(t, text, c.text)
				if said := strings.Contains(text+"\n", none); said != (c.outcome == result.Empty) {
					t.Errorf("the answer says None.: %v, want %v: %s", said, !said, text)
				}
			}
		})
	}
}
