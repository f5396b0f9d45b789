package mesh_test

import (
	"maps"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/store/table/sets"
)

// Headings come from the local table only if there is no network.
func TestHeadingsOffline(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		if text, code := clitest.Ask(t, s.App, command.Agent, "search mesh invented attack --offline"); code != 1 || !strings.Contains(text, "--offline") {
			t.Errorf("%d, %s", code, text)
		}
		s.Sync(t, "sync mesh")
		text, code := clitest.Ask(t, s.App, command.Agent, "search mesh invented attack --offline")
		for _, want := range []string{"| D990001 | Synthetic Infarction | Invented Attack, ", "the headings come from the local table: MeSH descriptors (local table mesh, as of 2026-11-21): 1"} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%q is not in %d, %s", want, code, text)
			}
		}
		tables, err := s.App.Tables(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		names, _, err := sets.OtherNames(t.Context(), tables, []string{"Invented Attack", "attack,  INVENTED", "synthetic infarction", "nowhere", "no such term"})
		if err != nil || !maps.Equal(names, map[string]string{"Invented Attack": "Synthetic Infarction", "attack,  INVENTED": "Synthetic Infarction"}) {
			t.Errorf("headings by entry terms: %v, %v", names, err)
		}
	})
}
