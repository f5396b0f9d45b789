package cli

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Answers from a table that is old say so, at a terminal, in JSON and over MCP.
func TestStaleTableIsNoticed(t *testing.T) {
	withSites(t, func(t *testing.T, s *sites) {
		s.sync(t, "sync cvx")
		time.Sleep(40 * 24 * time.Hour) // in the bubble
		for name, notices := range noticesAt(t, s.app, "search vaccine measles --source cvx") {
			want := "the local table cvx is of 2026-11-21, 40 days old, and may be out of date; biomcp sync cvx renews it"
			if len(notices) != 1 || notices[0] != want {
				t.Errorf("%s: %q", name, notices)
			}
		}
	})
}

// Pages over several tables hold every vaccine once, and as many as the total says.
func TestPagesOverTables(t *testing.T) {
	withSites(t, func(t *testing.T, s *sites) {
		for _, line := range []string{"sync cvx", "sync ema", "sync who"} {
			s.sync(t, line)
		}
		seen := map[string]int{}
		for _, offset := range []string{"0", "2", "4"} {
			text, code := ask(t, s.app, command.Agent, "search vaccine synthetic vaccine vax --limit 2 --offset "+offset)
			if code != 0 {
				t.Fatal(text)
			}
		}
		for _, offset := range []string{"0", "2", "4"} {
			text, _ := ask(t, s.app, command.Agent, "search vaccine --manufacturer made-up --csv --limit 2 --offset "+offset)
			for l := range strings.Lines(text) {
				if !strings.HasPrefix(l, "Name,") {
					seen[l]++
				}
			}
		}
		if len(seen) != 4 { // two of CDC, one each of EMA and WHO
			t.Errorf("%v", seen)
		}
		for l, n := range seen {
			if n > 1 {
				t.Errorf("%d times: %s", n, l)
			}
		}
	})
}

func TestAnswersOfTablesMatchTheirSchemas(t *testing.T) {
	withSites(t, func(t *testing.T, s *sites) {
		for _, c := range []struct{ line, schema string }{
			{"sync cvx", "sync_table.response"}, {"sync cvx", "sync_table.response"}, {"sync ema", "sync_table.response"},
			{"sync gtr", "sync_table.response"}, {"sync who-ivd", "sync_table.response"},
			{"search vaccine fictivax", "search_vaccine.response"}, {"search vaccine nothing", "search_vaccine.response"}, {"search vaccine --code 0903", "search_vaccine.response"},
			{"search diagnostic --country Germany", "search_diagnostic.response"}, {"search diagnostic --lab invented --source all", "search_diagnostic.response"},
			{"get diagnostic SYN-001", "get_diagnostic.response"},
		} {
			text, code := ask(t, s.app, command.Person, c.line+" --json")
			if code != 0 {
				t.Errorf("%s: exit %d: %s", c.line, code, text)
			}
			validate(t, c.schema, c.line, text)
			whole(t, c.schema, text)
			if strings.Contains(c.line, "--code") && !strings.Contains(text, `"cvx":"903"`) {
				t.Errorf("%s: %s", c.line, text)
			}
		}
	})
}

// Without the network headings come from the local table; with it they do not.
func TestHeadingsOffline(t *testing.T) {
	withSites(t, func(t *testing.T, s *sites) {
		if text, code := ask(t, s.app, command.Agent, "search mesh invented attack --offline"); code != 1 || !strings.Contains(text, "--offline") {
			t.Errorf("%d, %s", code, text)
		}
		s.sync(t, "sync mesh")
		text, code := ask(t, s.app, command.Agent, "search mesh invented attack --offline")
		for _, want := range []string{"| D990001 | Synthetic Infarction | Invented Attack, ", "the headings are those of the local table: MeSH descriptors (local table mesh, as of 2026-11-21): 1"} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%q is not in %d, %s", want, code, text)
			}
		}
		tables, err := s.app.Tables(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		names, err := sets.ByEntryTerm(t.Context(), tables, []string{"Invented Attack", "attack,  INVENTED", "synthetic infarction", "nowhere", "no such term"})
		if err != nil || !maps.Equal(names, map[string]string{"Invented Attack": "Synthetic Infarction", "attack,  INVENTED": "Synthetic Infarction"}) {
			t.Errorf("headings by entry terms: %v, %v", names, err)
		}
		for term, want := range map[string]string{"invented  ATTACK": "D990001", "nowhere": "D990003", "no such term": ""} {
			got, err := sets.Headings(t.Context(), tables, term)
			if err != nil || (len(got) > 0) != (want != "") || want != "" && got[0].UI != want {
				t.Errorf("%s: %+v, %v", term, got, err)
			}
		}
	})
}

// With MeSH on this machine a query is widened by the heading of an entry term, which
// --explain shows; without it, and where the table cannot be read, the search goes on.
func TestCorpusSearchIsWidenedByHeadings(t *testing.T) {
	withSites(t, func(t *testing.T, s *sites) {
		s.sync(t, "sync pubmed --from "+sampleRecords)
		const line, shows = "search corpus ergothioneine and invented attack --explain", "invented attack is an entry term of the MeSH heading Synthetic Infarction, whose words count half"
		if text, code := ask(t, s.app, command.Agent, line); code != 0 || strings.Contains(text, "Widened") {
			t.Errorf("without the table: exit %d, %s", code, text)
		}
		s.sync(t, "sync mesh")
		if text, code := ask(t, s.app, command.Agent, line); code != 0 || !strings.Contains(text, shows) || !strings.Contains(text, "infarct") {
			t.Errorf("with the table: exit %d, %s", code, text)
		}
		if text, _ := ask(t, s.app, command.Agent, line+" --json"); !strings.Contains(text, `"widened":[{"term":"invented attack","heading":"Synthetic Infarction"}]`) {
			t.Errorf("as JSON: %s", text)
		}
		dir, err := s.app.CorpusDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, table.FileName), []byte(strings.Repeat("no table ", 2000)), 0o600); err != nil {
			t.Fatal(err)
		}
		everyDoor(t, s.app, "search corpus ergothioneine", "the query was not widened by MeSH headings: ")
	})
}
