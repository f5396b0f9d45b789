package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/words"
)

// A request is what a line asks for: a command with IDs and sections.
type request struct {
	path          []string
	ids, sections []string
}

// readRequests returns a request for each command that reads records by ID, with two IDs and two
// sections if there are as many. It takes the IDs from the examples of the command.
func readRequests(app *command.App, tree *command.Tree) (list []request) {
	get := tree.Member(tree.Root, "get")
	for _, c := range tree.Commands(get) {
		r := request{path: command.Path(c)}
		def := tree.Command(c)
		for _, s := range def.Sections[:min(2, len(def.Sections))] {
			r.sections = append(r.sections, s.Name)
		}
		for _, e := range def.Examples {
			parsed := readLine(tree.Clone(), strings.Fields(strings.TrimPrefix(e.Line, "biomcp ")), command.Agent)
			if parsed.refusal != nil || strings.ContainsAny(e.Line, `"'`) {
				continue
			}
			for _, w := range parsed.args {
				isNew := !slices.Contains(parsed.sections(), w) && !slices.Contains(r.ids, w)
				if line := slices.Concat(r.path, r.ids, []string{w}); isNew && len(r.ids) < 2 && accepted(app, tree, line) {
					r.ids = append(r.ids, w)
				}
			}
		}
		if len(r.ids) > 0 && def.Args.Max < 0 && !def.Args.FreeText {
			list = append(list, r)
		}
	}
	return list
}

// accepted reports whether the command of a line accepts it before it sends requests.
func accepted(app *command.App, tree *command.Tree, line []string) bool {
	return (&call{tree: tree, policy: command.Agent}).parseNext(app, agentIO(), line).refusal == nil
}

// faults are faulty forms of a request. Each has the IDs and sections of the request.
func (r request) faults() map[string]string {
	path, ids, sections := strings.Join(r.path, " "), words.Quote(r.ids), words.Quote(r.sections)
	line := strings.TrimSpace(path + " " + ids + " " + sections)
	lines := map[string]string{
		"a pipe":               line + " | head -20",
		"an unknown flag":      line + " --nosuchflag 3",
		"a misspelt flag":      line + " --offlin",
		"a wrong value":        line + " --continue-at many",
		"a repeated flag":      line + " --continue-at 1 --continue-at 2",
		"a file to read":       line + " --ids-from x.txt",
		"a misspelt group":     strings.Replace(line, "get ", "gett ", 1),
		"no group":             strings.TrimPrefix(line, "get "),
		"the entity first":     strings.Join(slices.Concat(r.path[1:], r.path[:1]), " ") + " " + ids + " " + sections,
		"a misspelt entity":    strings.Replace(line, r.path[1], r.path[1]+"x", 1),
		"the program's path":   "/usr/local/bin/biomcp " + line + " --nosuchflag",
		"a line of each":       line + "\n" + line,
		"an unbalanced quote":  line + ` "`,
		"another verb":         "read " + strings.TrimPrefix(line, "get "),
		"batch and a bad flag": strings.Replace(line, "get", "batch", 1) + " --limitt 3",
	}
	isName := func(id string) bool { return !words.IsID(id) }
	if !slices.ContainsFunc(r.ids, isName) { // a name after an operator may be a command
		lines["IDs one a line"] = path + " " + strings.Join(r.ids, "\n") + "\n" + sections
		lines["IDs with semicolons"] = path + " " + strings.Join(r.ids, "; ") + "; " + sections
	}
	return lines
}

// Over MCP the line that a refusal suggests is not refused itself, and it has every ID and section of
// the refused line. Otherwise the refusal suggests help.
func TestTryKeepsIDsAndSections(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	parser := Parser(app)
	tree, n := NewTree(), 0
	for _, r := range readRequests(app, tree) {
		for name, line := range r.faults() {
			blocks, _, failed := callTool(t, parser, line, true)
			if !failed {
				continue
			}
			var reply struct {
				Error struct {
					Code, Message string
					Details       struct{ Try string }
				}
			}
			if err := json.Unmarshal([]byte(blocks[0].Text), &reply); err != nil {
				t.Fatalf("%q: %v: %s", line, err, blocks[0].Text)
			}
			if reply.Error.Code != "VALIDATION" {
				continue
			}
			n++
			if problem := judgeTry(t, app, tree, r, reply.Error.Details.Try); problem != "" {
				t.Errorf("%s: %q: %s\ntry %q: %s", name, line, reply.Error.Message, reply.Error.Details.Try, problem)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d refusals, want at least 100", n)
	}
	t.Logf("%d refusals", n)
}

// judgeTry returns what is wrong with a suggested line, or "".
func judgeTry(t *testing.T, app *command.App, tree *command.Tree, r request, try string) string {
	list, err := words.Split(strings.TrimPrefix(try, "biomcp "))
	if err != nil {
		return err.Error()
	}
	if slices.Contains(list, "--help") || slices.Equal(list, []string{"list"}) {
		return ""
	}
	c := (&call{tree: tree, policy: command.Agent}).parseNext(app, agentIO(), list)
	if c.refusal != nil {
		return "refused: " + c.refusal.Message
	}
	for _, w := range slices.Concat(r.ids, r.sections) {
		if !slices.ContainsFunc(list, func(have string) bool { return slices.Contains(strings.Split(have, ","), w) }) {
			return fmt.Sprintf("lacks %q", w)
		}
	}
	return ""
}
