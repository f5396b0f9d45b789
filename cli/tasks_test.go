package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/words"
	"biomcp/mcpshell"
	"biomcp/store/study/example"
)

// callsBefore is the number of calls for twenty such tasks with the earlier description, which
// named every flag.
const callsBefore = 48

// An agent that knows only the description completes twenty tasks in no more calls than with
// the earlier, longer one. Run with -v to print the calls of each task.
func TestTasksFromTheDescriptionAlone(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "tasks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	tasks := strings.Split(string(text), "\n\n")[1:]
	if len(tasks) != 20 {
		t.Fatalf("%d tasks", len(tasks))
	}
	calls := 0
	for _, task := range tasks {
		question, rest, _ := strings.Cut(task, "\n")
		lines, want, _ := strings.Cut(rest, "\n= ")
		t.Run(question, func(t *testing.T) {
			told, answer := mcpshell.Description, ""
			for line := range strings.Lines(lines) {
				calls++
				for _, word := range untold(t, line, told) {
					t.Errorf("%s: nothing has told the agent of %s", line, word)
				}
				var code int
				if answer, code = ask(t, app, command.Agent, strings.TrimSpace(line)); code != 0 {
					t.Errorf("%s\n%s", line, answer)
				}
				told += answer
			}
			if want = strings.TrimSpace(want); want == "" || !strings.Contains(answer, want) {
				t.Errorf("%q is not in the last answer:\n%s", want, answer)
			}
		})
	}
	t.Logf("%d calls for %d tasks; %d with the long description", calls, len(tasks), callsBefore)
	if calls > callsBefore {
		t.Errorf("%d calls; before it were %d", calls, callsBefore)
	}
}

// untold returns the flags and sections of a line that the texts so far have not named.
func untold(t *testing.T, line, told string) []string {
	t.Helper()
	typed, err := words.Split(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	if typed[0] == "get" {
		tree := NewTree()
		for _, s := range tree.Command(tree.Member(tree.Member(tree.Root, "get"), typed[1])).Sections {
			sections = append(sections, s.Name)
		}
	}
	return slices.DeleteFunc(typed, func(word string) bool {
		named := regexp.MustCompile(`(^|[\s|\x60(])` + regexp.QuoteMeta(word) + `($|[\s|\x60,;:.)])`).MatchString(told)
		return named || !strings.HasPrefix(word, "--") && !slices.Contains(sections, word)
	})
}
