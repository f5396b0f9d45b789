package intents

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/skills"
)

// Every worked example has questions, no question belongs to two commands, and the worked example
// has a default for each placeholder of its commands.
func TestAsksAreOfWorkedExamples(t *testing.T) {
	list, _, err := read()
	if err != nil {
		t.Fatal(err)
	}
	of, had := map[string]int{}, map[string]string{}
	place := regexp.MustCompile(`\{(\w+)\??\}`)
	for _, a := range list[:len(list)-1] {
		of[a.Example]++
		e := skills.Find(a.Example)
		if e == nil {
			t.Errorf("%s.yaml is of no worked example", a.Example)
			continue
		}
		for line := range strings.Lines(a.Like) {
			line = strings.TrimSpace(line)
			if other := had[line]; other != "" && other != strings.Join(a.First[0], " ") {
				t.Errorf("%s: %q leads to %s too", a.Example, line, other)
			}
			had[line] = strings.Join(a.First[0], " ")
		}
		for _, command := range slices.Concat(a.First, a.Otherwise) {
			for _, m := range place.FindAllStringSubmatch(strings.Join(command, " "), -1) {
				if e.DefaultArg(m[1]) == "" && m[1] != "sections" && !skills.NamedByForm(m[1]) {
					t.Errorf("%s: the worked example lends no %s for %q", a.Example, m[1], command)
				}
			}
		}
		if len(a.First) != 2 {
			t.Errorf("%s: first has %d commands, want 2: %q", a.Example, len(a.First), a.First)
		}
		if a.Otherwise != nil && len(a.Otherwise) != 2 {
			t.Errorf("%s: otherwise has %d commands, want 2: %q", a.Example, len(a.Otherwise), a.Otherwise)
		}
	}
	for _, e := range skills.Catalogue() {
		if of[e.Slug] == 0 {
			t.Errorf("no question leads to %s", e.Slug)
		}
	}
}

// Fit does not retrain for unchanged files, and each feature has a weight for each Ask.
func TestFit(t *testing.T) {
	first, err := Fit("")
	if err != nil {
		t.Fatal(err)
	}
	same, err := Fit(first)
	if err != nil {
		t.Fatal(err)
	}
	if same != first {
		t.Error("Fit trained again on the same files")
	}
	var x skills.Index
	if err := json.Unmarshal([]byte(first), &x); err != nil {
		t.Fatal(err)
	}
	for f, row := range x.Weights {
		if len(row) != len(x.Asks) {
			t.Errorf("%q has %d weights for %d asks", f, len(row), len(x.Asks))
		}
	}
}
