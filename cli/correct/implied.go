package correct

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// A Kind is the kind of words that a line without a command consists of.
type Kind int

// The kinds of lines without a command.
const (
	NoKind   Kind = iota
	ID            // IDs of one entity, with its sections if any: the line gets the records
	Question      // the line asks suggest, or discover for "what is"
	Name          // possibly a name, which only discover can tell: otherwise the line is an error
	Phrase        // several words in quotes: a name, or else a query
	Request       // the line asks suggest, whose command runs only if it has each word
)

// maxName is the maximum length of a name in bytes.
const maxName = 100

// ImpliedCommand returns a rejected line with the command that its words imply, and the kind of its
// words: biomcp 31541003, biomcp "does metformin lower cancer risk". If the words begin with a
// command, or with a word that is close to one, it returns nil and NoKind.
func ImpliedCommand(l *Line, read Parser) (result.Argv, Kind) {
	i := l.faultIndex()
	if l.Fault.Reason != command.UnknownMember || !l.atTopLevel() || i < 0 || !isFlagsOnly(l.Words[:i]) {
		return nil, NoKind
	}
	typed := beforeFlags(l.Words[i:])
	text := strings.Join(typed, " ")
	words := strings.Fields(text)
	if len(words) == 0 || slices.ContainsFunc(words, isFlag) {
		return nil, NoKind
	}
	split := *l // without the quotes
	split.Fault = &command.Refusal{Failure: l.Fault.Failure, Reason: l.Fault.Reason, Word: words[0]}
	split.Words = slices.Concat(l.Words[:i], words, l.Words[i+len(typed):])
	kind, verb := kindOf(typed, words), "discover"
	switch namesCommand := split.namesCommand(words[0]); {
	case kind == Phrase && (split.beginsCommand(words, read) || storeRequest(l) != nil), kind == Name && namesCommand:
		return nil, NoKind
	case kind == Phrase && (namesCommand || len(text) >= maxName):
		verb = "suggest" // the text is not a name
	}
	for _, line := range bareID(&split) {
		if next := read(line); next.Fault == nil && next.hasOnlyRecords() {
			return line, ID
		}
	}
	if kind == Name && split.isMistyped(words) {
		return nil, NoKind
	}
	accepted := func(line result.Argv, kind Kind) (result.Argv, Kind) {
		if read(line).Fault != nil {
			return nil, NoKind
		}
		return line, kind
	}
	if isQuestion(words) {
		return accepted(slices.Concat(l.Words[:i], split.questionLine(words), l.Words[i+len(typed):]), Question)
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) || kind == Name && len(text) >= maxName {
		return nil, NoKind
	}
	return accepted(l.replace(i, len(typed), verb, text), kind)
}

// kindOf returns Phrase for words that stand in one argument and name no path, otherwise Name.
func kindOf(typed, words []string) Kind {
	isPath := func(w string) bool { return strings.ContainsAny(w[:1], "/.~") }
	if len(typed) == 1 && len(words) > 1 && !slices.ContainsFunc(words, isPath) {
		return Phrase
	}
	return Name
}

// isQuestion reports whether words begin as a question does, or end with its mark.
func isQuestion(words []string) bool {
	begins := slices.Contains(questionWords, strings.ToLower(words[0]))
	return len(words) > 2 && (begins || strings.HasSuffix(words[len(words)-1], "?"))
}

// questionLine returns the line that answers a question: suggest, unless a rule knows a better one.
func (l Line) questionLine(words []string) result.Argv {
	l.Words = words
	line := result.Argv{"suggest", strings.Join(words, " ")}
	for _, other := range answerQuestion(&l) {
		line = other
	}
	return line
}

// beginsCommand reports whether the words of a quoted text are a command: the first is the name of a command or
// close to one, and the second is a member of its group or the command accepts the others.
func (l *Line) beginsCommand(words []string, read Parser) bool {
	name := words[0]
	if l.Tree.Member(l.Tree.Root, name) == nil && l.isMistyped(words) {
		name = l.nearest()
	}
	cmd := l.Tree.Member(l.Tree.Root, name)
	if cmd == nil {
		return false
	}
	isNext := func(c *cobra.Command) bool {
		def := l.Tree.Command(c)
		isNear := command.MatchesName(words[1], c.Name(), nil) || command.IsOneEdit(words[1], c.Name())
		return def != nil && (isNear || command.MatchesName(words[1], c.Name(), def.Synonyms))
	}
	line := l.replace(l.faultIndex(), 1, name)
	return slices.ContainsFunc(l.Tree.Commands(cmd), isNext) || read(line).Fault == nil
}

// isFlagsOnly reports whether words has no command, such as help.
func isFlagsOnly(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isFlag(w) })
}

// hasOnlyRecords reports whether each argument of a get command is an ID, a part of one, or a section.
func (l *Line) hasOnlyRecords() bool {
	def, name := l.def(), l.Cmd.Name()
	isID := func(text string) bool { return l.Tree.Owner(text) == name || def.IsID != nil && def.IsID(text) }
	for i := 0; i < len(l.Args); i++ {
		switch {
		case i+1 < len(l.Args) && l.Tree.Owner(l.Args[i]+" "+l.Args[i+1]) == name: // BRAF V600E
			i++
		case !isID(l.Args[i]) && !l.hasSection(l.Args[i]):
			return false
		}
	}
	return true
}

// isMistyped reports whether the first of words, the word at fault, is close to the name of a command.
// A word in capitals may be a gene. A word of a name must be one edit away, or stand before another
// command.
func (l *Line) isMistyped(words []string) bool {
	word, near := words[0], l.nearest()
	isSymbol := strings.ToUpper(word) == word && strings.ContainsFunc(word, unicode.IsUpper)
	isClose := len(words) == 1 || command.IsOneEdit(word, near) || l.namesCommand(words[1])
	return near != "" && !isSymbol && isClose
}

// namesCommand reports whether word is the name or a synonym of a command, of a member of a group, of
// a section or of a command of another program.
func (l *Line) namesCommand(word string) bool {
	var names func(group *cobra.Command) bool
	names = func(group *cobra.Command) bool {
		return slices.ContainsFunc(l.Tree.Commands(group), func(c *cobra.Command) bool {
			def := l.Tree.Command(c)
			if def == nil {
				return c.Name() == word
			}
			isVariant := func(v command.Variant) bool { return command.MatchesName(word, v.Names[0], v.Names[1:]) }
			return command.MatchesName(word, c.Name(), def.Synonyms) || slices.ContainsFunc(def.Variants, isVariant) ||
				len(def.Commands) > 0 && names(c)
		})
	}
	return strings.Contains(foreignCommands, " "+strings.ToLower(word)+" ") || l.isSection(word) || names(l.Tree.Root)
}
