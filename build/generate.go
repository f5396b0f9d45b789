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
	{"README.md", readme},
}

// readme replaces the text between the marks <!-- name --> and <!-- /name -->.
func readme(old string) (string, error) {
	for _, part := range []struct {
		name string
		text string
	}{
		{"commands", cli.CommandTable(cli.NewTree())},
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
