package vaccine_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
)

// WHO lists a vaccine once for each container, number of doses, regulator and date.
func TestRowsOfWHODiffer(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync who")
		for line, want := range map[string][]string{
			"search vaccine 'Inventovac MR' --source who": {
				"| Inventovac MR | Measles and Rubella; Vial + ampoule, 10 doses; regulator: Imaginary NRA | - | - | Imaginary Institute | Prequalified | 2017-10-11 | WHO |",
				"| Inventovac MR | Measles and Rubella; Vial + ampoule, 1 dose; regulator: Imaginary NRA | - | - | Imaginary Institute | Prequalified | 2017-10-11 | WHO |",
				"| Prequalified | 2021-02-03 | WHO |", "regulator: Another NRA |",
			},
			"search vaccine 'Inventovac MR' --source who --json": {
				`"notes":"Vial + ampoule, 10 doses; regulator: Imaginary NRA"`,
				`"url":"https://extranet.who.int/prequal/vaccines/prequalified-vaccines"`,
			},
			"search drug Imaginavir --region who": {"| Imaginavir: Sulfate | - | ingredient |"},
			"search drug Imaginavir --region who --json": {
				`"url":"https://extranet.who.int/prequal/medicines/prequalified/finished-pharmaceutical-products"`,
				`"url":"https://extranet.who.int/prequal/medicines/prequalified/active-pharmaceutical-ingredients"`,
			},
		} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, s.App, policy, line)
				if code != 0 {
					t.Errorf("%s: exit %d, want 0", line, code)
				}
				for _, want := range want {
					if !strings.Contains(text, want) {
						t.Errorf("%s: got\n%s\nwant it to contain %q", line, text, want)
					}
				}
				if strings.Contains(text, "prequal/vaccines/prequalified\"") {
					t.Errorf("%s: got %s, want no link to the page that WHO has removed", line, text)
				}
				seen := map[string]bool{}
				for row := range strings.Lines(text) {
					if strings.HasPrefix(row, "| Inventovac") && seen[row] {
						t.Errorf("%s: the row %q stands twice", line, row)
					}
					seen[row] = true
				}
			}
		}
	})
}
