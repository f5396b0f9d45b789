package main

import (
	"fmt"
	"strings"

	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/entrez/polite"
)

// generated is every derived file, with what makes it from its old content.
var generated = []struct {
	file string
	make func(old string) (string, error)
}{
	{"mcpshell/description.md", func(string) (string, error) { return cli.Description(cli.NewTree()) }},
	{"build/reference.md", func(string) (string, error) { return cli.ReferenceText(cli.NewTree()), nil }},
	{"README.md", func(old string) (string, error) {
		return marked(old, part{"commands", cli.CommandTable(cli.NewTree())}, part{"environment", environmentTable()})
	}},
	{"skills/SKILL.md", func(old string) (string, error) {
		return marked(old, part{"skills", cli.SkillTable()}, part{"sections", cli.SectionTable(cli.NewTree())})
	}},
}

type part struct{ name, text string }

// marked replaces the text between the marks <!-- name --> and <!-- /name -->.
func marked(old string, parts ...part) (string, error) {
	for _, part := range parts {
		open, end := "<!-- "+part.name+" -->\n", "<!-- /"+part.name+" -->"
		i, j := strings.Index(old, open), strings.Index(old, end)
		if i < 0 || j < i {
			return "", fmt.Errorf("the mark %q is missing", strings.TrimSpace(open))
		}
		old = old[:i+len(open)] + part.text + old[j:]
	}
	return old, nil
}

func environmentTable(sources ...*polite.Source) string {
	var s strings.Builder
	s.WriteString("| Variable | Default | What it does |\n| --- | --- | --- |\n")
	for _, v := range command.Variables(sources...) {
		def := v.Default
		if def == "" {
			def = "-"
		}
		fmt.Fprintf(&s, "| `%s` | %s | %s |\n", v.Name, strings.ReplaceAll(strings.ReplaceAll(def, "<", "&lt;"), ">", "&gt;"), v.Does)
	}
	return s.String()
}
