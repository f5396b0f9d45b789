package study_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A row of --genes all agrees with the comparison of that gene alone.
func TestEveryGeneIsComparedAsOne(t *testing.T) {
	app := commandtest.Study(t)
	read := func(line string, into any) {
		t.Helper()
		text, code := clitest.Ask(t, app, command.Person, line+" --json")
		if err := json.Unmarshal([]byte(text), into); err != nil || code != 0 {
			t.Fatalf("%s: %v, %s", line, err, text)
		}
	}
	var all struct {
		Rows []struct {
			Gene       string
			N, Mutated []int
			Median     []float64

			Shift, Low, High, P_value float64
		}
	}
	read("study compare -s synthetic_demo -g TP53 -t expression --genes all --limit 500", &all)
	if len(all.Rows) != 40 {
		t.Fatalf("%d genes", len(all.Rows))
	}
	for _, row := range all.Rows {
		var one struct {
			Groups []struct {
				N      int `json:"sample_count"`
				Median float64
			}
			Shift float64
			Low   float64 `json:"shift_low"`
			High  float64 `json:"shift_high"`
			P     float64 `json:"mann_whitney_p"`
		}
		read("study compare -s synthetic_demo -g TP53 -t expression --target "+row.Gene, &one)
		got := fmt.Sprint(row.N, row.Median, row.Shift, row.Low, row.High, row.P_value)
		want := fmt.Sprint([]int{one.Groups[0].N, one.Groups[1].N}, []float64{one.Groups[0].Median, one.Groups[1].Median}, one.Shift, one.Low, one.High, one.P)
		if got != want {
			t.Errorf("%s: %s, alone %s", row.Gene, got, want)
		}
	}
	read("study compare -s synthetic_demo -g TP53 -t mutations --genes all --limit 5", &all)
	for _, row := range all.Rows {
		var one struct {
			Groups []struct {
				N       int `json:"sample_count"`
				Mutated int `json:"mutated_count"`
			}
			Low, High float64
		}
		read("study compare -s synthetic_demo -g TP53 -t mutations --target "+row.Gene, &one)
		got := fmt.Sprint(row.N, row.Mutated, row.Low, row.High)
		want := fmt.Sprint([]int{one.Groups[0].N, one.Groups[1].N}, []int{one.Groups[0].Mutated, one.Groups[1].Mutated}, one.Low, one.High)
		if got != want {
			t.Errorf("%s: %s, alone %s", row.Gene, got, want)
		}
	}
}

// A list of genes says which part it shows and suggests a command that shows the rest.
func TestListsOfGenesAreNotCutInSilence(t *testing.T) {
	app := commandtest.Study(t)
	for _, line := range []string{"study top-mutated -s synthetic_demo --limit 15", "study compare -s synthetic_demo -g TP53 -t mutations --genes all --limit 15", "study compare -s synthetic_demo -g TP53 -t expression --genes all --limit 15"} {
		genes, whole := map[string]bool{}, strings.Replace(line, "15", "50", 1)
		rows := func(text string) (n int) {
			for _, row := range regexp.MustCompile(`(?m)^\| ([A-Z0-9]+) \|`).FindAllStringSubmatch(text, -1) {
				genes[row[1]] = true
				n++
			}
			return n
		}
		said := []string{", shown 1 to 15", ", shown 16 to 30", ", shown 31 to "}
		at, n := line, 0
		for len(said) > 0 && at != "" {
			text, _ := clitest.Ask(t, app, command.Agent, at)
			if n += rows(text); !strings.Contains(text, said[0]) {
				t.Errorf("%s does not say %q: %s", at, said[0], text)
			}
			at, said = "", said[1:]
			if _, next, is := strings.Cut(text, "\nbiomcp "+strings.Fields(line)[0]+" "+strings.Fields(line)[1]); is && strings.Contains(next, "--offset") {
				next, _, _ = strings.Cut(next, "\n")
				at = strings.Join(strings.Fields(line)[:2], " ") + next
			}
		}
		if text, _ := clitest.Ask(t, app, command.Agent, whole); len(genes) != n || rows(text) != n || strings.Contains(text, ", shown") || strings.Contains(text, "--offset") {
			t.Errorf("%s: %d rows, %d genes: %s", line, n, len(genes), text)
		}
		if text, code := clitest.Ask(t, app, command.Agent, line+" --offset 5000"); code != 2 || !strings.Contains(text, "past the end") {
			t.Errorf("exit %d: %s", code, text)
		}
	}
}
