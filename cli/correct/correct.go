// Package correct corrects command lines that the parser rejects.
//
// It applies one ordered list of rules. A rule looks at a line and at the word at fault
// and proposes corrected lines. The first rule with a proposal that the parser accepts wins.
// A rejected proposal goes through the rules again, so that a line with two mistakes can be
// corrected. Rules contain no command names: a synonym of an entity, a section, a flag or a
// value stands in the Also field of that value.
//
// The package does not handle searches without hits, synonyms of genes and drugs, or shell
// metacharacters: the first two depend on replies, and the last are removed before parsing.
package correct

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

// A Line is a command line as far as it could be parsed.
type Line struct {
	Words  []string // as they were typed
	Tree   *command.Tree
	Policy command.Policy
	Cmd    *cobra.Command // the command, or the group that has no member of the given name
	Args   []string

	// Fault explains why the line was rejected; nil if it was accepted. Its Try is the
	// first line proposed, unless it asks for help.
	Fault *command.Refusal
}

// A Parser parses words as a command line and makes the checks that need no network.
type Parser func(words []string) *Line

// maxMistakes is the maximum number of mistakes corrected in one line.
const maxMistakes = 4

// maxLines is the maximum number of lines proposed for an ambiguous line.
const maxLines = 2

// Corrections returns the likely corrections of a rejected line, the most likely first, or nil if
// none is clear. The caller may run each of them. A correction contains no gene, ID or
// query that was not typed, except one that is the only choice.
func Corrections(l *Line, read Parser) []result.Argv {
	f := finder{read: read, original: l, seen: map[string]bool{}}
	return f.lines(l, maxMistakes)
}

// Autocorrect returns the only possible correction of a rejected line, such as one with --limit
// instead of --max. It returns nil if there is no such line, or if the line would do more
// than read and does not consist of the words that were typed.
func Autocorrect(l *Line, read Parser) result.Argv {
	f := finder{read: read, original: l, seen: map[string]bool{}, certainOnly: true}
	lines := f.lines(l, maxMistakes)
	if len(lines) != 1 || f.read(lines[0]).def().Effect != command.Reads && !sameWords(lines[0], l.Words) {
		return nil
	}
	return lines[0]
}

// sameWords reports whether two lines consist of the same words in any order.
func sameWords(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// RemainingFault returns the fault that remains after each unknown flag with only one possible meaning is
// corrected: for --max 5 --foo, the fault of --foo.
func RemainingFault(l *Line, read Parser) *command.Refusal {
	fault := l.Fault
	for range maxMistakes {
		for _, r := range rules {
			if r.reason != command.UnknownFlag || !r.certain || l.Fault.Reason != command.UnknownFlag {
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

// A finder searches for corrections of one line.
type finder struct {
	read        Parser
	original    *Line           // the line to correct
	seen        map[string]bool // proposals already parsed, words joined by NUL
	certainOnly bool            // apply only the rules for unambiguous mistakes
	onlyChoice  string          // a value that was not typed but is the only choice
}

// lines applies the rules to a line with at most n mistakes.
func (f *finder) lines(l *Line, n int) (found []result.Argv) {
	if l.Fault == nil || n == 0 {
		return nil
	}
	f.onlyChoice = cmp.Or(l.Fault.OnlyChoice, f.onlyChoice)
	for _, r := range rules {
		if r.reason != anyReason && r.reason != l.Fault.Reason || f.certainOnly && !r.certain {
			continue
		}
		var refused []*Line // retried below if no proposal is accepted
		for _, words := range r.lines(l) {
			if key := strings.Join(words, "\x00"); len(words) == 0 || f.seen[key] || len(f.seen) > 100 {
				continue
			} else {
				f.seen[key] = true
			}
			next := f.read(words)
			namesLine := l.Fault.Reason == command.MissingFlag || l.Fault.Reason == command.OtherCommand
			if r.reason == anyReason && l != f.original && !namesLine && next.Cmd.CommandPath() != l.Cmd.CommandPath() {
				continue // a retried proposal may not switch to another command
			}
			isFound := func(other result.Argv) bool { return sameCommand(f.read(other), next) }
			if next.Fault != nil {
				refused = append(refused, next)
			} else if f.onlyTypedTerms(next) && f.keepsTerms(next) && !slices.ContainsFunc(found, isFound) {
				found = append(found, words)
			}
		}
		if len(found) == 0 {
			for _, next := range refused {
				found = append(found, f.lines(next, n-1)...)
			}
		}
		if len(found) > 0 {
			return found[:min(maxLines, len(found))]
		}
	}
	return nil
}

// sameCommand reports whether two lines have the same command and arguments; flags may differ.
func sameCommand(a, b *Line) bool { return a.def() == b.def() && slices.Equal(a.Args, b.Args) }

// onlyTypedTerms reports whether the user typed every term of a line: its arguments and the text
// values of its flags. Sections, values from a list and numbers may be added.
func (f *finder) onlyTypedTerms(l *Line) bool {
	typed := normalize(strings.Join(f.original.Words, " "))
	known := func(text string) bool {
		isSynonym := func(w string) bool { return l.isValueSynonym(strings.TrimLeft(w, "-"), text) }
		if text == f.onlyChoice || slices.ContainsFunc(f.original.Words, isSynonym) {
			return true
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
			w := normalize(word)
			isTyped := strings.Contains(typed, w) || strings.Contains(typed, trimUnit(w)) || f.isTypedSuffix(w)
			if !isTyped {
				return false
			}
		}
		return true
	}
	for _, a := range l.Args {
		if !l.hasSection(a) && !f.original.hasSection(a) && !known(a) {
			return false
		}
	}
	ok := true
	l.Cmd.Flags().Visit(func(g *pflag.Flag) {
		switch v := g.Value.(type) {
		case pflag.SliceValue:
			ok = ok && !slices.ContainsFunc(v.GetSlice(), func(s string) bool { return !known(s) })
		default:
			if v.Type() == "string" {
				ok = ok && (known(v.String()) || slices.Contains(command.ValuesWithPrefix(g, ""), v.String()))
			}
		}
	})
	return ok
}

// keepsTerms reports whether a line has every record and section that the original line names, and the text
// of every flag that both commands have.
func (f *finder) keepsTerms(l *Line) bool {
	text := normalize(strings.Join(l.Words, " "))
	kept := func(value string) bool {
		words := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, normalize(w)) })
	}
	for _, w := range f.original.Args {
		if (f.original.hasSection(w) || l.Tree.Owner(w) != "") && !kept(w) {
			return false
		}
	}
	ok := true
	f.original.Cmd.Flags().Visit(func(g *pflag.Flag) {
		if g == f.original.Fault.Flag || command.IsHostOnly(g) || l.flag(g.Name) == nil {
			return
		}
		switch v := g.Value.(type) {
		case pflag.SliceValue:
			ok = ok && !slices.ContainsFunc(v.GetSlice(), func(s string) bool { return !kept(s) })
		default:
			ok = ok && (v.Type() != "string" || command.ValuesWithPrefix(g, "") != nil || kept(v.String()))
		}
	})
	return ok
}

// isValueSynonym reports whether word is a synonym of value for some flag of the command.
func (l *Line) isValueSynonym(word, value string) bool {
	for f := range l.flags(l.Cmd) {
		if v, certain := command.CorrectValue(f, word); certain && v == value {
			return true
		}
	}
	return false
}

// trimUnit returns the number in a word of digits and a one-letter unit, such as 5y. It
// returns any other word unchanged.
func trimUnit(word string) string {
	if rest := strings.TrimLeft(word, "0123456789"); len(rest) == 1 && len(word) > 1 {
		return strings.TrimSuffix(word, rest)
	}
	return word
}

// isTypedSuffix reports whether the user typed the end of word: 02576665 for NCT02576665.
func (f *finder) isTypedSuffix(word string) bool {
	return slices.ContainsFunc(f.original.Words, func(w string) bool {
		return len(w) > 4 && strings.HasSuffix(word, normalize(w))
	})
}

// normalize lowercases text and removes spaces, hyphens, underscores, quotes and punctuation.
func normalize(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_\"'?,:", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
}

func (l *Line) def() *command.Command { return l.Tree.Command(l.Cmd) }

// faultIndex returns the index of the word at fault in l.Words, or -1 if it does not occur.
func (l *Line) faultIndex() int { return slices.Index(l.Words, l.Fault.Word) }

// sections returns the sections of the command or of the entity that it reads.
func (l *Line) sections() []command.Section {
	if l.Fault != nil && l.Fault.Sections != nil {
		return l.Fault.Sections
	}
	takesEntity := l.Cmd.Parent() == l.Tree.Root && len(l.Args) > 0 && !l.def().Args.FreeText // batch article
	if get := l.group("get"); get != nil && takesEntity {
		if c := l.Tree.Member(get, l.Args[0]); c != nil {
			return l.Tree.Command(c).Sections
		}
	}
	return l.def().Sections
}

// hasSection reports whether word is the name of a section of the command.
func (l *Line) hasSection(word string) bool {
	sections := l.sections()
	isName := func(s command.Section) bool { return s.Name == word }
	return word == "all" && len(sections) > 0 || slices.ContainsFunc(sections, isName)
}

// replace returns the words of the line with the n words from index at replaced. It returns
// nil if these words do not exist.
func (l *Line) replace(at, n int, by ...string) result.Argv {
	if at < 0 || at+n > len(l.Words) {
		return nil
	}
	return slices.Concat(l.Words[:at], by, l.Words[at+n:])
}

// asList returns a list with the line as its only element, or nil if line is nil.
func asList(line result.Argv) []result.Argv {
	if line == nil {
		return nil
	}
	return []result.Argv{line}
}

// isFlag reports whether word begins with a hyphen and is not "-" alone.
func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// beforeFlags returns the words before the first flag.
func beforeFlags(words []string) []string {
	if i := slices.IndexFunc(words, isFlag); i >= 0 {
		return words[:i]
	}
	return words
}

// IsHelp reports whether a line contains --help.
func IsHelp(line result.Argv) bool { return slices.Contains(line, "--help") }
