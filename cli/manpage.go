package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
)

// pageName returns the name of the man page of a command, such as biomcp-search-article.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the man page of a command in the macros of man(7): the help, as a person sees it.
func manPage(tree *command.Tree, c *cobra.Command, version string) string {
	e := Explain(tree, c, command.Person)
	var p roffPage
	name := pageName(c)
	fmt.Fprintf(&p, `.TH "%s" "1" "" "biomcp %s" "Manual of biomcp"`+"\n.nh\n.ad l\n",
		roff(strings.ToUpper(name)), roff(version))
	p.section("NAME")
	p.macro(roff(name) + ` \- ` + roff(unmarked(e.Short)))
	p.section("SYNOPSIS")
	p.verbatim(usageLines(e.Usage))
	p.section("DESCRIPTION")
	p.paragraph(e.Short + ". " + e.About)
	for _, part := range e.parts() {
		if part.text == "" {
			continue
		}
		p.section(strings.ToUpper(part.title))
		for line := range strings.SplitSeq(part.text, "\n") {
			p.paragraph(line)
		}
	}
	if len(e.sections) > 0 {
		p.section("SECTIONS")
		for _, s := range e.sections {
			p.item(s.Name, s.Short)
		}
	}
	if len(e.Commands) > 0 {
		p.section("COMMANDS")
		for _, sub := range e.Commands {
			p.item("biomcp "+sub.Name, sub.Short)
		}
	}
	p.flags(e.Flags)
	if len(e.Examples) > 0 {
		p.section("EXAMPLES")
		for _, x := range e.Examples {
			p.paragraph(strings.ToUpper(x.Explanation[:1]) + x.Explanation[1:] + ":")
			p.verbatim(x.Line)
		}
	}
	p.seeAlso(tree, c)
	return p.String()
}

// roffPage is the source of a man page. Its methods escape their texts, except for macro.
type roffPage struct{ strings.Builder }

func (p *roffPage) macro(line string) { p.WriteString(line + "\n") }

func (p *roffPage) section(title string) { p.macro(".SH " + title) }

func (p *roffPage) paragraph(text string) {
	if text = strings.TrimSpace(text); text != "" {
		p.macro(".PP\n" + roff(unmarked(text)))
	}
}

// item adds a term in bold with its explanation.
func (p *roffPage) item(term, text string) {
	p.macro(".TP\n\\fB" + roff(term) + "\\fR\n" + roff(unmarked(text)))
}

// verbatim adds lines that are not filled, indented.
func (p *roffPage) verbatim(text string) {
	p.macro(".PP\n.RS 4\n.nf")
	for line := range strings.SplitSeq(text, "\n") {
		p.macro(roff(line))
	}
	p.macro(".fi\n.RE")
}

// flags adds the flags in the groups of the help.
func (p *roffPage) flags(flags []FlagHelp) {
	if len(flags) == 0 {
		return
	}
	p.section("OPTIONS")
	for _, group := range command.FlagGroups {
		members := slices.DeleteFunc(slices.Clone(flags), func(f FlagHelp) bool { return f.Group != group })
		if group != "" && len(members) > 0 && len(members) < len(flags) {
			p.macro(".SS " + roff(strings.ToUpper(string(group[:1]))+string(group[1:])))
		}
		for _, f := range members {
			row := f.row()
			p.item(row[0], row[1])
		}
	}
}

// seeAlso adds the pages of the group of a command and of its members.
func (p *roffPage) seeAlso(tree *command.Tree, c *cobra.Command) {
	var pages []string
	for at := c.Parent(); at != nil; at = at.Parent() {
		pages = append(pages, `\fB`+roff(pageName(at))+`\fR(1)`)
	}
	for _, member := range tree.Commands(c) {
		if tree.Command(member) != nil && !member.Hidden {
			pages = append(pages, `\fB`+roff(pageName(member))+`\fR(1)`)
		}
	}
	if len(pages) == 0 {
		return
	}
	p.section("SEE ALSO")
	p.macro(strings.Join(pages, ",\n"))
	if c.HasParent() {
		p.paragraph("The page biomcp(1) lists the flags of every command.")
	}
}

// unmarked returns a text without the marks of code.
func unmarked(text string) string { return strings.ReplaceAll(text, "`", "") }

// roff escapes text on one line for troff: backslashes, hyphens, quotes and letters beyond ASCII, and a full
// stop or quote that would begin a request.
func roff(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case i == 0 && r == '.':
			b.WriteString(`\&.`)
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '"':
			b.WriteString(`\(dq`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '|', r == ',', r == '/': // a long word may be broken after it
			b.WriteString(string(r) + `\:`)
		case r == '\n':
			b.WriteByte(' ')
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
