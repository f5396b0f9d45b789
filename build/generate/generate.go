package main

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"biomcp/build/home"
	"biomcp/build/release"
	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/entrez/contract"
	"biomcp/entrez/sources"
	"biomcp/rag/evaluate"
	"biomcp/skills"
	"biomcp/skills/intents"
)

// generated lists the derived files, each with a function that returns its new content.
var generated = []struct {
	file string
	make func(old string) (string, error)
}{
	{"mcpshell/description.md", func(string) (string, error) { return Description(cli.NewTree()), nil }},
	{"build/reference.md", func(string) (string, error) {
		return cli.ReferenceText(cli.NewTree()) + "\n## Environment\n\n" + environmentTable(command.Variables(sources.All()...)), nil
	}},
	{".github/session.svg", func(string) (string, error) { return sessionPicture() }},
	{".github/survival.svg", func(string) (string, error) { return survivalPicture() }},
	{"build/release/program.json", func(string) (string, error) { return programDescription() }},
	{"build/contract.md", func(string) (string, error) { return contractTable(), nil }},
	{"README.md", func(old string) (string, error) {
		text, err := replaceMarked(old,
			markedText{"environment", environmentTable(mainVariables())},
			markedText{"links", installLinks()})
		return atHome("README.md", text, err)
	}},
	{".github/SECURITY.md", func(old string) (string, error) { return atHome(".github/SECURITY.md", old, nil) }},
	{".github/CHOOSE.md", func(old string) (string, error) {
		table, err := figureTable(evaluate.Results, figures)
		if err != nil {
			return "", err
		}
		return replaceMarked(old, markedText{"figures", table})
	}},
	{"skills/SKILL.md", func(old string) (string, error) {
		return replaceMarked(old, markedText{"skills", skillTable()}, markedText{"sections", sectionTable(cli.NewTree())})
	}},
	{"skills/intents.json", intents.Fit},
}

// markedText is the new text between the marks of a name.
type markedText struct{ name, text string }

// replaceMarked replaces the text between the marks <!-- name --> and <!-- /name -->.
func replaceMarked(old string, parts ...markedText) (text string, err error) {
	for _, part := range parts {
		if old, err = home.ReplaceMarked(old, part.name, part.text); err != nil {
			return "", err
		}
	}
	return old, nil
}

// atHome replaces the marked texts of a file about the address of the project.
func atHome(file, old string, err error) (string, error) {
	for mark, text := range home.Texts(home.Current())[file] {
		if err == nil {
			old, err = home.ReplaceMarked(old, mark, text)
		}
	}
	return old, err
}

// mainVariables returns the variables that the README explains.
func mainVariables() []command.Variable {
	return slices.DeleteFunc(command.Variables(sources.All()...), func(v command.Variable) bool {
		return !slices.Contains([]string{"NCBI_API_KEY", "BIOMCP_DATA_DIR", "NO_COLOR"}, v.Name)
	})
}

// programDescription returns what packages must say of the program, in JSON.
func programDescription() (string, error) {
	p := release.Metadata{Version: cli.Version, Settings: []release.Setting{
		{Name: "NCBI_ADMIN_EMAIL", Title: "Your e-mail address"},
		{Name: "NCBI_API_KEY", Title: "NCBI API key", Secret: true},
		{Name: "BIOMCP_DATA_DIR", Title: "Data folder", Folder: true},
	}}
	all := command.Variables(sources.All()...)
	for i, s := range p.Settings {
		at := slices.IndexFunc(all, func(v command.Variable) bool { return v.Name == s.Name })
		if at < 0 {
			return "", fmt.Errorf("unknown variable %s", s.Name)
		}
		p.Settings[i].Description = all[at].Description
	}
	text, err := json.MarshalIndent(p, "", "  ")
	return string(text) + "\n", err
}

// environmentTable returns a markdown table of variables.
func environmentTable(vars []command.Variable) string {
	var s strings.Builder
	s.WriteString("| Variable | Default | What it does |\n| --- | --- | --- |\n")
	escape := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	for _, v := range vars {
		fmt.Fprintf(&s, "| `%s` | %s | %s |\n", v.Name, escape.Replace(cmp.Or(v.Default, "-")), v.Description)
	}
	return s.String()
}

// contractTable returns markdown tables of the properties of each source that the program depends on.
func contractTable() string {
	cell := strings.NewReplacer("|", `\|`)
	var s strings.Builder
	s.WriteString("# Contract with the sources\n\n" +
		"Written by `go run ./build` from the declarations of the sources. The simulators reject requests that are " +
		"not declared. `biomcp health --contract` checks each row of the first table; it was never run against the " +
		"live services where this was written. \"not seen\" in the column Seen means that neither a capture nor a " +
		"document shows it.\n\n" +
		"| Source | Address | Must have | Seen |\n| --- | --- | --- | --- |\n")
	for _, source := range sources.All() {
		for _, k := range source.Contract() {
			for _, row := range k.Rows() {
				address, fact := cell.Replace(row.Address), cell.Replace(row.Fact)
				fmt.Fprintf(&s, "| %s | `%s` | `%s` | %s |\n", source.Label, address, fact, row.Evidence)
			}
		}
	}
	s.WriteString("\n## Addresses, parameters, search tags and replies\n\n" +
		"A `*` stands for the query or for any name. Parameters that identify the caller are omitted. The column " +
		"Read of a reply lists members of JSON by path, which passes through lists, elements and @attributes " +
		"of XML (`name/*` is read completely), or columns of a table (a column with a ? may be missing). Of full " +
		"texts and labels the words of every element are read, whatever its name.\n\n" +
		"| Source | Address | Parameters | Search tags | Read of a reply | Seen |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for _, source := range sources.All() {
		for _, u := range source.Dependencies {
			reads := u.Columns
			if all := contract.ReplyParts(&u); len(all) > 0 {
				reads = "`" + strings.Join(all, "` `") + "`"
			}
			params, tags := cell.Replace(u.Params), strings.ReplaceAll(u.Tags, ",", ", ")
			fmt.Fprintf(&s, "| %s | `%s` | %s | %s | %s | %s |\n",
				source.Label, source.Address+u.Path, params, tags, cell.Replace(reads), u.Evidence)
		}
	}
	return s.String()
}

// installLinks returns the links that add the server to Cursor and VS Code
// (https://docs.cursor.com/en/tools/developers,
// https://code.visualstudio.com/api/extension-guides/ai/mcp).
func installLinks() string {
	const entry = `{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}`
	cursor := url.Values{"name": {"biomcp"}, "config": {base64.StdEncoding.EncodeToString([]byte(entry))}}
	code := url.PathEscape(`{"name":"biomcp",` + entry[1:])
	redirect := "https://insiders.vscode.dev/redirect?url=" + url.QueryEscape("vscode:mcp/install?"+code)
	return "[add to Cursor](https://cursor.com/en/install-mcp?" + cursor.Encode() + "), [add to VS Code](" + redirect + ").\n"
}

// skillTable returns the table of worked examples in SKILL.md.
func skillTable() string {
	var s strings.Builder
	s.WriteString("| Name | What it shows |\n| --- | --- |\n")
	for _, e := range skills.Catalogue() {
		fmt.Fprintf(&s, "| `%s` | %s |\n", e.Slug, e.Summary)
	}
	return s.String()
}

// sectionTable returns the table of the sections of each entity in SKILL.md.
func sectionTable(tree *command.Tree) string {
	var s strings.Builder
	s.WriteString("| Entity | Section | What it adds |\n| --- | --- | --- |\n")
	for _, x := range cli.Reference(tree, "", command.Agent).Sections {
		fmt.Fprintf(&s, "| %s | `%s` | %s |\n", x.Entity, x.Section, x.Short)
	}
	return s.String()
}
