package main

import (
	"fmt"
	"strings"

	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// generated is every derived file, with what makes it from its old content.
var generated = []struct {
	file string
	make func(old string) (string, error)
}{
	{"mcpshell/description.md", func(string) (string, error) { return description() }},
	{"build/reference.md", func(string) (string, error) { return referenceText(), nil }},
	{"README.md", readme},
}

// maxDescription bounds the tool's description, in bytes.
const maxDescription = 8000

// description is what an agent is told about the tool: only what it may run.
func description() (string, error) {
	tree := cli.NewTree()
	var s strings.Builder
	s.WriteString("BioMCP: a read-only biomedical tool. One argument, command: a command line as below (\"biomcp\" in front is optional). " +
		"Words are split like a shell's, but this is not a shell: no pipes, redirection, variables or several commands. " +
		"Set json to true, or write --json, for one JSON document. Answers end with commands to try next. Retracted articles are always marked.\n\n")
	for _, family := range cli.Families(tree) {
		fmt.Fprintf(&s, "%s:\n", family.Name)
		for _, c := range family.Commands {
			fmt.Fprintf(&s, "- %s: %s.", strings.TrimPrefix(c.Usage, "biomcp "), c.Short)
			var flags []string
			for _, f := range c.Flags {
				_, long, ok := strings.Cut(f.Flag, ", ")
				if !ok {
					long = f.Flag
				}
				flags = append(flags, long)
			}
			if len(flags) > 0 {
				fmt.Fprintf(&s, " Flags: %s.", strings.Join(flags, ", "))
			}
			s.WriteString("\n")
			for _, e := range entity.All() {
				if c.Command != "biomcp get "+e.Name || len(e.Sections) == 0 {
					continue
				}
				var names []string
				for _, sec := range e.Sections {
					names = append(names, fmt.Sprintf("%s (%s)", sec.Name, sec.Short))
				}
				fmt.Fprintf(&s, "  Sections: %s; or all.\n", strings.Join(names, ", "))
			}
		}
		s.WriteString("\n")
	}
	s.WriteString("Examples:\n")
	for _, family := range cli.Families(tree) {
		for _, c := range family.Commands {
			fmt.Fprintf(&s, "- %s\n", c.Examples[0].Line)
		}
	}
	s.WriteString("\nEvery command takes --help. Start with: biomcp list\n")
	if s.Len() >= maxDescription {
		return "", fmt.Errorf("%d bytes, and it must be under %d", s.Len(), maxDescription)
	}
	return s.String(), nil
}

// referenceText is what `biomcp list` prints to a pipe.
func referenceText() string {
	text, _ := cli.Answer(result.Outcome{Result: &result.Result{Payload: cli.Reference(cli.NewTree(), "")}}, false, 0)
	return text
}

// readme replaces what stands between the marks <!-- name --> and <!-- /name -->.
func readme(old string) (string, error) {
	for _, part := range []struct {
		name string
		text string
	}{
		{"commands", commandTable()},
		{"environment", environmentTable()},
	} {
		open, end := "<!-- "+part.name+" -->\n", "<!-- /"+part.name+" -->"
		i, j := strings.Index(old, open), strings.Index(old, end)
		if i < 0 || j < i {
			return "", fmt.Errorf("the mark %q is missing", strings.TrimSpace(open))
		}
		old = old[:i+len(open)] + part.text + old[j:]
	}
	return old, nil
}

func commandTable() string {
	var s strings.Builder
	s.WriteString("| Command | What it does |\n| --- | --- |\n")
	for _, c := range cli.Reference(cli.NewTree(), "").Commands {
		fmt.Fprintf(&s, "| `%s` | %s |\n", strings.TrimPrefix(c.Usage, "biomcp "), c.Short)
	}
	return s.String()
}

func environmentTable() string {
	var s strings.Builder
	s.WriteString("| Variable | Default | What it does |\n| --- | --- | --- |\n")
	for _, v := range command.Variables() {
		def := v.Default
		if def == "" {
			def = "-"
		}
		fmt.Fprintf(&s, "| `%s` | %s | %s |\n", v.Name, strings.ReplaceAll(strings.ReplaceAll(def, "<", "&lt;"), ">", "&gt;"), v.Does)
	}
	return s.String()
}
