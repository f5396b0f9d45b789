package clitest

import (
	"encoding/json"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// A Reply holds the members of a JSON answer that tests need.
type Reply struct {
	Articles []struct {
		PMID     string
		Similar  *[]struct{ PMID, Title string }
		CitedBy  *[]struct{ PMID, Title string }
		FullText *struct{ PMCID string }
	}
	Results  []struct{ PMID string }
	PMIDs    []string
	Total    int
	NotFound []string `json:"not_found"`
	// Unavailable lists ids whose source did not answer.
	Unavailable []string
	Notices     []string
	Text        string
	Meta        struct {
		Next    []string               `json:"next_commands"`
		Sources []result.SectionSource `json:"section_sources"`
	} `json:"_meta"`
}

// Outcome returns the outcome of a section, or "" if not found.
func (r Reply) Outcome(key string) result.State {
	for _, s := range r.Meta.Sources {
		if s.Key == key {
			return s.Outcome
		}
	}
	return ""
}

// IDs returns the PMIDs of the articles.
func (r Reply) IDs() (out []string) {
	for _, a := range r.Articles {
		out = append(out, a.PMID)
	}
	return out
}

// Read runs a line with --json for an agent and decodes the answer. The test fails if the
// command fails.
func Read(t testing.TB, app *command.App, line string) (r Reply, text string) {
	t.Helper()
	text, code := Ask(t, app, command.Agent, line+" --json")
	if err := json.Unmarshal([]byte(text), &r); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v: %.1000s", line, code, err, text)
	}
	return r, text
}
