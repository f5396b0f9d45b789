package drug_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sourcetest"
)

// regulators returns an App that can ask RxNav and openFDA, and sync the tables of EMA and
// WHO. It has no cache, because two bubbles cannot share the cache's encoder.
func regulators(t *testing.T, test func(t *testing.T, s *clitest.Sites)) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir) // the folder where processes share their pace
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		rxnavtest.AddTo(s.Server)
		openfdatest.AddTo(s.Server)
		vars := map[string]string{"BIOMCP_DATA_DIR": dir, "NCBI_MAX_RETRIES": "0"}
		s.App.Env = command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "test", sources.All()...)
		cfg := s.Server.Config()
		s.App.Env.Network.Addresses, s.App.Env.Network.Transport, s.App.Env.Network.Dial = cfg.Addresses, cfg.Transport, cfg.Dial
		test(t, s)
	})
}

// A name also matches inside names of other substances; each product shows its substance.
func TestProductsOfOtherSubstances(t *testing.T) {
	regulators(t, func(t *testing.T, s *clitest.Sites) {
		if text, code := clitest.Ask(t, s.App, command.Agent, "get drug lonelyinib regulatory"); code != 0 || !strings.Contains(text, "| us | FALSINA (NORMETHYL LONELYINIB) | ANDA |") {
			t.Errorf("exit %d: %s", code, text)
		}
	})
}

// Pages of the applications show each of them once, however many come before them, and new drugs first.
func TestPagesOfApplications(t *testing.T) {
	regulators(t, func(t *testing.T, s *clitest.Sites) {
		var numbers []string
		for offset := 0; offset < openfdatest.Generics; offset += 30 {
			text, _ := clitest.Ask(t, s.App, command.Agent, fmt.Sprintf("get drug pairstatin regulatory --json --limit 30 --offset %d", offset))
			numbers = append(numbers, regexp.MustCompile(`A?NDA910[0-9]{3}`).FindAllString(text, -1)...)
		}
		if len(numbers) != openfdatest.Generics || numbers[0] != "NDA910120" {
			t.Errorf("%d numbers, the first %s; want %d and NDA910120", len(numbers), numbers[:1], openfdatest.Generics)
		}
		if slices.Sort(numbers); len(slices.Compact(numbers)) != openfdatest.Generics {
			t.Errorf("%d different numbers, want %d", len(slices.Compact(numbers)), openfdatest.Generics)
		}
	})
}

// A table without the name says that its names are international ones, in the section and in the search.
func TestTablesHaveInternationalNames(t *testing.T) {
	regulators(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync ema")
		s.Sync(t, "sync who")
		for line, want := range map[string]bool{
			"get drug pairstatin regulatory": true, "search drug pairstatin --region eu": true, "search drug pairstatin --region who": true,
			"get drug fictinib regulatory": false, "search drug inventa --region eu": false,
		} {
			for door, ask := range map[string]command.Policy{line: command.Person, line + " --json": command.Person, line + " ": command.Agent} {
				text, code := clitest.Ask(t, s.App, ask, door)
				if code != 0 || strings.Contains(text, ": pairstatin; both list international names (INN), which may differ: paracetamol for acetaminophen") != want {
					t.Errorf("%s: exit %d, %s\nwant the notice: %t", door, code, text, want)
				}
			}
		}
	})
}

// FDA is asked live, EMA and WHO from local tables. A regulator that does not answer, or whose
// table is missing, is reported and lacks only its own rows.
func TestRegulatorySection(t *testing.T) {
	regulators(t, func(t *testing.T, s *clitest.Sites) {
		text, _ := clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory --json")
		for name, notices := range clitest.Notices(t, s.App, "get drug fictinib regulatory") {
			if len(notices) < 3 || !strings.HasPrefix(notices[0], "the local table ema (European Medicines Agency) is not on this machine and was not searched; biomcp sync ema stores it") ||
				notices[2] != "regulation of fictinib by Drugs@FDA (openFDA, live, as of 2026-11-02): 2; products of substances whose names contain it are counted too" {
				t.Errorf("%s: %q", name, notices)
			}
		}
		if got := fmt.Sprint(clitest.Outcomes(t, text)); got != "map[drugs:data ema:unavailable regulatory:degraded us:data who:unavailable]" {
			t.Errorf("without tables: %q", got)
		}
		s.Sync(t, "sync ema")
		s.Sync(t, "sync who")
		text, code := clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory")
		for _, want := range []string{
			"regulation of fictinib by Drugs@FDA (openFDA, live, as of 2026-11-02): 2; European Medicines Agency (local table ema, as of 2026-11-21): 2; WHO prequalified medicines and vaccines (local table who, as of 2026-11-21): 1",
			"| us | INVENTA | NDA | Prescription | INVENTED PHARMA | 2003-04-18 | NDA900001 |\n| us | FICTINIB | ANDA | Discontinued |",
			"| eu | Inventa | medicine | Authorised | Invented Pharma Europe | 2004-11-06 | EMEA/H/C/900005 |", "| eu | Inventa | shortage | Resolved |",
			"| who | Fictinib (mesylate) Tablet 100mg | product | Prequalified | Made-up Labs | 2024-06-05 | SYN-ON-003 |",
		} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%q is not in %d, %s", want, code, text)
			}
		}
		text, _ = clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory --json")
		commandtest.Validate(t, "drug", "get drug fictinib regulatory", text)
		if !strings.Contains(text, `"regulatory_total":5`) {
			t.Error(text)
		}
		if text, _ := clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory --limit 4 --csv"); strings.Count(text, "\nfictinib,") != 4 {
			t.Errorf("--limit 4 of all regulators: %s", text)
		}
		for flags, want := range map[string]string{
			"--limit 1": "3 of 5 shown; the next: biomcp get drug fictinib regulatory --limit 1 --offset 1", "--limit 1 --offset 1": "2 of 5 shown; later rows cannot be shown",
			"--offset 2": "--offset 2 is past the end: the last that can be shown is 2",
		} {
			if text, _ := clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory "+flags); !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in %s", flags, want, text)
			}
		}
		if err := s.Fail(sourcetest.Fault{Endpoint: "drugsfda", Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * 24 * time.Hour) // in the bubble
		text, code = clitest.Ask(t, s.App, command.Agent, "get drug fictinib regulatory")
		for _, want := range []string{"the records of FDA on fictinib are missing: openFDA answered HTTP 503", "the local table ema is from 2026-11-21, 30 days old, and may be out of date; biomcp sync ema updates it", "| eu | Inventa | medicine |"} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%q is not in %d, %s", want, code, text)
			}
		}
	})
}

func TestSearchDrugByRegion(t *testing.T) {
	regulators(t, func(t *testing.T, s *clitest.Sites) {
		check := func(line string, exit int, wanted ...string) {
			t.Helper()
			text, code := clitest.Ask(t, s.App, command.Agent, line)
			for _, want := range wanted {
				if code != exit || !strings.Contains(text, want) {
					t.Errorf("%s: %q is not in %d, %s", line, want, code, text)
				}
			}
		}
		check("search drug fictinib --region eu", 1, "drugs of --region eu are answered from local tables, and none of them is on this machine", "biomcp sync ema")
		s.Sync(t, "sync ema")
		s.Sync(t, "sync who")
		check("search drug inventa --region eu", 0, "European Medicines Agency (local table ema, as of 2026-11-21): 1", "| Inventa | fictinib mesilate | medicine | Authorised |")
		check("search drug --region eu --class L01", 0, "): 3", "| Imaginib | imaginib mesilate |", "| Synthimab | synthimab |")
		check("search drug fictinib --region eu --class l01fx", 0, "): 0")
		check("search drug --region eu --class kinase", 2, "not an ATC code such as L01EA")
		check("search drug fictinib --region who", 0, "| Fictinib (mesylate) Tablet 100mg | - | product | Prequalified |")
		check("search drug fictivax --region who", 0, "): 0") // a vaccine
		check("search drug fictinib --region who --class x", 2, "WHO's list has no classes", "biomcp search drug fictinib --region who")
		check("search drug --region us --class 'kinase inhibitor'", 0, "Drugs@FDA (openFDA, live, as of 2026-11-02): 1", "| INVENTA | FICTINIB MESYLATE | NDA |")
		check("search drug fictinib --region us --limit 1 --json", 0, `"total":2,`, `"region":"us"`, `biomcp search drug fictinib --region us --limit 1 --offset 1 --json`)
		check("search drug --class 'kinase inhibitor'", 0, "drugs of Kinase Inhibitor (EPC, N0001)", "| 9001 | fictinib |\n| 9004 | syntheticinib |")
		check("search drug synth --class 'kinase inhibitor' --json", 0, `"total":1,`, `"rxcui":"9004"`, `"region":null`)
		check("search drug --class nothing", 1, "no class of drugs is called nothing", "biomcp search drug nothing")
		check("search drug", 2, "search drug needs a query or a filter")
		for _, line := range []string{"search drug fictinib --region eu", "search drug fictinib --region who"} {
			text, _ := clitest.Ask(t, s.App, command.Agent, line+" --json")
			commandtest.Validate(t, "drug.list", line, text)
		}
	})
}
