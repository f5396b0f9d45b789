// Package meant finds the command line that a refused one was meant to be.
//
// One list of rules does it. A rule looks at a line and at the word at fault, and
// proposes lines; the first rule that proposes a line which the parser accepts wins. A
// proposal that is refused too goes through the rules again, so that a line with
// two slips is understood too. Rules know no command by name: another word for an
// entity, a section, a flag or a value is a field Also of that thing.
//
// It is not for answers without hits, for other names of a gene or a drug, or for signs of
// a shell: what these lead to depends on a reply, or stands before a line is read.
package meant

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// A Line is a command line as far as it could be read.
type Line struct {
	Words []string // as they were typed
	Tree  *command.Tree
	May   command.Policy
	Cmd   *cobra.Command // the command, or the group without a member of the name
	Args  []string

	// Fault is why the line is refused, or nil. Its Try, if it is no
	// question for help, is the first line proposed.
	Fault *command.Refusal
}

// Reader reads words as a command line and checks what can be checked without a network.
type Reader func(words []string) *Line

// depth is how many slips of one line are understood.
const depth = 4

// most is how many lines are proposed where a line could mean several things.
const most = 2

// Lines are the lines that a refused one may have been meant to be, the most likely
// first, or none if that is not clear. Each can be run by who typed the line, and has
// no gene, id or query that was not typed and is not the only one.
func Lines(l *Line, read Reader) []result.Argv {
	f := finder{read: read, typed: l, seen: map[string]bool{}}
	return f.lines(l, depth)
}

// Slip is the one line that a refused one can only mean, such as the same with --limit
// for --max; or nil. It only reads, or is the same words in order.
func Slip(l *Line, read Reader) result.Argv {
	f := finder{read: read, typed: l, seen: map[string]bool{}, slips: true}
	lines := f.lines(l, depth)
	if len(lines) != 1 || f.read(lines[0]).def().Effect != command.Reads && !slices.Equal(slices.Sorted(slices.Values(lines[0])), slices.Sorted(slices.Values(l.Words))) {
		return nil
	}
	return lines[0]
}

// Left is the fault that is left of a refused line where each flag is read as the only one
// that its name can mean: of --max 5 --foo that of --foo.
func Left(l *Line, read Reader) *command.Refusal {
	fault := l.Fault
	for range depth {
		for _, r := range rules {
			if r.on != command.NoFlag || !r.slip || l.Fault.Reason != command.NoFlag {
				continue
			}
			lines := r.lines(l)
			if len(lines) == 0 || len(lines[0]) == 0 { // a flag that lacks its value
				continue
			}
			if l = read(lines[0]); l.Fault == nil {
				return fault
			}
			fault = l.Fault
		}
	}
	return fault
}

type finder struct {
	read  Reader
	typed *Line
	seen  map[string]bool
	slips bool // only rules for slips
	only  string
}

// lines applies the rules to a line with at most n slips.
func (f *finder) lines(l *Line, n int) (found []result.Argv) {
	if l.Fault == nil || n == 0 {
		return nil
	}
	f.only = cmp.Or(l.Fault.Only, f.only)
	for _, r := range rules {
		if r.on != anyReason && r.on != l.Fault.Reason || f.slips && !r.slip {
			continue
		}
		var refused []*Line // which may lead to right ones, if none is right as it is
		for _, words := range r.lines(l) {
			if key := strings.Join(words, "\x00"); len(words) == 0 || f.seen[key] || len(f.seen) > 100 {
				continue
			} else {
				f.seen[key] = true
			}
			next := f.read(words)
			if r.on == anyReason && l != f.typed && l.Fault.Reason != command.Missing && next.Cmd.CommandPath() != l.Cmd.CommandPath() {
				continue // a line that was proposed, and is none, leads to no other command
			}
			if next.Fault != nil {
				refused = append(refused, next)
			} else if f.honest(next) && !slices.ContainsFunc(found, func(other result.Argv) bool { return same(f.read(other), next) }) {
				found = append(found, words)
			}
		}
		if len(found) == 0 {
			for _, next := range refused {
				found = append(found, f.lines(next, n-1)...)
			}
		}
		if len(found) > 0 {
			return found[:min(most, len(found))]
		}
	}
	return nil
}

// same reports whether two lines differ in flags at most.
func same(a, b *Line) bool { return a.def() == b.def() && slices.Equal(a.Args, b.Args) }

// honest reports whether every word that a line asks about was typed: its arguments and
// the texts of its flags. Sections, values out of a list and numbers are ours.
func (f *finder) honest(l *Line) bool {
	typed := folded(strings.Join(f.typed.Words, " "))
	known := func(text string) bool {
		if text == f.only || slices.ContainsFunc(f.typed.Words, func(w string) bool { return l.stands(strings.TrimLeft(w, "-"), text) }) {
			return true
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
			if w := folded(word); !strings.Contains(typed, w) && !strings.Contains(typed, amount(w)) && !f.ends(w) {
				return false
			}
		}
		return true
	}
	for _, a := range l.Args {
		if !l.section(a) && !f.typed.section(a) && !known(a) {
			return false
		}
	}
	honest, args := true, l.Words
	l.Cmd.Flags().Visit(func(g *pflag.Flag) {
		switch v := g.Value.(type) {
		case pflag.SliceValue:
			honest = honest && !slices.ContainsFunc(v.GetSlice(), func(s string) bool { return !known(s) })
		default:
			if v.Type() == "string" {
				honest = honest && (known(v.String()) || slices.Contains(command.Begun(g, ""), v.String()))
				if n := count(args, g); n > 1 && n > count(f.typed.Words, g) {
					honest = false // given twice
				}
			}
		}
	})
	return honest
}

// stands reports whether a word is another word for a flag's value.
func (l *Line) stands(word, value string) bool {
	for f := range l.flags(l.Cmd) {
		if v, certain := command.ValueOf(f, word); certain && v == value {
			return true
		}
	}
	return false
}

// amount is the number that a word begins with, as in 5y; the word where it has none.
func amount(word string) string {
	if rest := strings.TrimLeft(word, "0123456789"); len(rest) == 1 && len(word) > 1 {
		return strings.TrimSuffix(word, rest)
	}
	return word
}

// ends reports whether a word was typed without its beginning: 02576665 of NCT02576665.
func (f *finder) ends(word string) bool {
	return slices.ContainsFunc(f.typed.Words, func(w string) bool { return len(w) > 4 && strings.HasSuffix(word, folded(w)) })
}

// count is how often a flag is in a line.
func count(words []string, f *pflag.Flag) (n int) {
	for _, w := range words {
		if name, _, _ := strings.Cut(w, "="); name == "--"+f.Name || f.Shorthand != "" && name == "-"+f.Shorthand {
			n++
		}
	}
	return n
}

// folded is a text without what does not tell words apart.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_\"'?,:", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

func (l *Line) def() *command.Command { return l.Tree.Def(l.Cmd) }

// at is the place of the word at fault among the words typed, -1 if it is not there.
func (l *Line) at() int { return slices.Index(l.Words, l.Fault.Word) }

// sections returns the sections of the command, or of the entity that it reads.
func (l *Line) sections() []command.Section {
	if l.Fault != nil && l.Fault.Sections != nil {
		return l.Fault.Sections
	}
	if get := l.group("get"); get != nil && len(l.Args) > 0 && !l.def().Args.FreeText && l.Cmd.Parent() == l.Tree.Root { // as batch article
		if c := l.Tree.Member(get, l.Args[0]); c != nil {
			return l.Tree.Def(c).Sections
		}
	}
	return l.def().Sections
}

// section reports whether a word is the name of a section of the command.
func (l *Line) section(word string) bool {
	return word == "all" && len(l.sections()) > 0 || slices.ContainsFunc(l.sections(), func(s command.Section) bool { return s.Name == word })
}

// replaced is the line with n words from a place on replaced.
func (l *Line) replaced(at, n int, by ...string) result.Argv {
	if at < 0 || at+n > len(l.Words) {
		return nil
	}
	return slices.Concat(l.Words[:at], by, l.Words[at+n:])
}

// one returns a list of the line, empty if it is nil.
func one(line result.Argv) []result.Argv {
	if line == nil {
		return nil
	}
	return []result.Argv{line}
}

// isFlag reports whether a word is one or several flags.
func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// beforeFlags are the words up to the first flag.
func beforeFlags(words []string) []string {
	if i := slices.IndexFunc(words, isFlag); i >= 0 {
		return words[:i]
	}
	return words
}

// IsHelp reports whether a line only asks for help.
func IsHelp(line result.Argv) bool { return slices.Contains(line, "--help") }
