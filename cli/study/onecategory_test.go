package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A category whose only patient is censored before the first event has no hazard ratio. It does
// not affect the others, for which R has 1.067140 and 0.562151 (see
// stats.TestCoxWithACategoryCensoredBeforeTheFirstEvent).
func TestCategoryCensoredBeforeTheFirstEvent(t *testing.T) {
	app := commandtest.Disk(t)
	var patients [][3]string
	mutated := "24"
	for i := range 24 {
		arm := []string{"x", "y", "x", "z"}[(i*5)%4]
		patients = append(patients, [3]string{fmt.Sprint(min(1, i%3)), fmt.Sprint((i*7)%24 + 2), arm})
		if i%2 == 1 {
			mutated += fmt.Sprint(" ", i)
		}
	}
	handmade(t, app.Env.StudyDir, "one", append(patients, [3]string{"0", "1", "rare"}), mutated, nil)
	for _, may := range []command.Policy{command.Person, command.Agent} {
		text, code := clitest.Ask(t, app, may, "study survival -s one -g TP53 --adjust ARM")
		equal(t, "exit status", code, 0)
		contains(t, text, "| TP53-mutant vs TP53-wildtype | 13 vs 12 | 8 vs 8 | 1.067 (")
		contains(t, text, "| ARM: y vs x | 6 vs 12 | 4 vs 8 | 0.562 (")
		contains(t, text, "| ARM: rare vs x | 1 vs 12 | 0 vs 8 | - | not available |")
		lacks(t, text, "did not converge")
		text, _ = clitest.Ask(t, app, may, "study survival -s one -g TP53 --adjust ARM --json")
		var a struct {
			Cox struct {
				Terms []struct {
					Name   string
					HR     *float64
					Reason *string
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		last := a.Cox.Terms[len(a.Cox.Terms)-1]
		if last.HR != nil || last.Reason == nil || !strings.Contains(*last.Reason, "does not vary among those at risk") {
			t.Errorf("want no hazard ratio of %s, with its reason, got %+v", last.Name, last)
		}
		if first := a.Cox.Terms[0]; first.HR == nil || first.Reason != nil {
			t.Errorf("want a hazard ratio of %s, got %+v", first.Name, first)
		}
	}
}
