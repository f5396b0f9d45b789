package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	cohorts "biomcp/cli/study"
)

// A saved group of files keeps the samples: it works for an agent and without the files, and no answer for an
// agent shows a folder of them.
func TestSavedGroupKeepsSamples(t *testing.T) {
	app := commandtest.Study(t)
	var files []string
	for i, ids := range []string{"DEMO-00001 none", "DEMO-00002-01"} {
		file := filepath.Join(t.TempDir(), "list.txt")
		if err := os.WriteFile(file, []byte(ids), 0o600); err != nil {
			t.Fatal(i, err)
		}
		files = append(files, file)
	}
	save := fmt.Sprintf("study group save Leak 'samples(%q) | samples(%q)' -s synthetic_demo", files[0], files[1])
	text, code := clitest.Ask(t, app, command.Person, save)
	if code != 0 || !strings.Contains(text, "1 ID of samples(FILE) not in the study") {
		t.Fatalf("%s: want it saved with a notice, got %d: %s", save, code, text)
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	var a grouped
	askJSON(t, app, "study filter -s synthetic_demo --group leak", &a)
	if want := []string{"DEMO-00001-01", "DEMO-00001-02", "DEMO-00002-01"}; !slices.Equal(a.Matched, want) {
		t.Errorf("--group Leak: want %v, got %v", want, a.Matched)
	}
	for _, line := range []string{
		"study group list -s synthetic_demo", "study filter -s synthetic_demo --group Leak",
		"study survival -s synthetic_demo --group Leak", "study oncoprint -s synthetic_demo -g TP53 --group Leak",
		"study compare -s synthetic_demo --group Leak --target EGFR",
	} {
		for _, form := range []string{"", " --json"} {
			for _, may := range policies {
				text, code := clitest.Ask(t, app, may, line+form)
				if code != 0 || strings.Contains(text, filepath.Dir(files[0])) || !strings.Contains(text, "samples(list.txt)") {
					t.Errorf("%s: want an answer without a folder, got %d: %.400s", line+form, code, text)
				}
			}
		}
	}
}

// A group saved by an earlier version has the path of a file: an agent sees no folder of it, and the error
// does not suggest the groups that the group is one of.
func TestSavedPathIsHidden(t *testing.T) {
	app := commandtest.Study(t)
	library, err := cohorts.Library(app)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(library.Dir, "synthetic_demo", "biomcp_groups.json")
	old := `[{"group_name": "Old", "expression": "samples(/home/someone/list.txt)"}]`
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"study group list -s synthetic_demo", "study filter -s synthetic_demo --group Old",
		"study filter -s synthetic_demo --group 'A=samples(x.txt)'",
	} {
		for _, form := range []string{"", " --json"} {
			text, _ := clitest.Ask(t, app, command.Agent, line+form)
			if strings.Contains(text, "someone") {
				t.Errorf("%s: want no folder, got %s", line+form, text)
			}
			if strings.Contains(line, "filter") && (strings.Contains(text, "group list") || !strings.Contains(text, "study group save")) {
				t.Errorf("%s: want the owner to save a group and no list of groups, got %s", line+form, text)
			}
		}
	}
	if text, _ := clitest.Ask(t, app, command.Person, "study group list -s synthetic_demo"); !strings.Contains(text, "/home/someone/list.txt") {
		t.Errorf("study group list: want the path for a person, got %s", text)
	}
}

// The name of a gene or a clinical attribute is not a name for a group, and the suggested line saves it.
func TestGroupNamesAreNotData(t *testing.T) {
	app := commandtest.Study(t)
	for name, want := range map[string]string{"KRAS": "a gene", "tp53": "a gene", "SEX": "attribute", "Age": "attribute"} {
		line := "study group save " + name + " 'TP53: MUT' -s synthetic_demo"
		text, code := clitest.Ask(t, app, command.Person, line)
		if code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: want it refused as %s, got %d: %s", line, want, code, text)
		}
		_, try, _ := strings.Cut(text, "try:   biomcp ")
		try, _, _ = strings.Cut(try, "\n")
		if text, code := clitest.Ask(t, app, command.Person, try); code != 0 || !strings.Contains(text, name+"_group") {
			t.Errorf("%s: want a suggestion that saves a group, got for %q: %s", line, try, text)
		}
	}
}

// A sample that is unknown for a group and meets another belongs to the other, and the notice counts it.
func TestUnknownSamplesOfAGroup(t *testing.T) {
	app := commandtest.Study(t)
	var a, b grouped
	line := "study filter -s synthetic_demo --group A='TP53: MUT' --group B='AGE > 0'"
	askJSON(t, app, line, &a)
	askJSON(t, app, "study filter -s synthetic_demo --group B='AGE > 0 & !(TP53: MUT) & (TP53: MUT)'", &b)
	unknown := a.Groups[0].Unknown
	if unknown == 0 {
		t.Fatalf("%s: want unknown samples of A, got none", line)
	}
	prefix := fmt.Sprintf("%d samples not known to meet A or not; ", unknown)
	at := slices.IndexFunc(a.Notices, func(n string) bool { return strings.HasPrefix(n, prefix) })
	want := fmt.Sprintf("%d of them meet another group and count in it", b.Groups[0].Unknown)
	if at < 0 || !strings.Contains(a.Notices[at], want) {
		t.Errorf("%s: want a notice with %q and %q, got %q", line, prefix, want, a.Notices)
	}
}
