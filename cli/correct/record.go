package correct

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// sectionFirst replaces the name of a section before an ID with "get <entity> <id> <section>":
// cite 31541003.
func sectionFirst(l *Line) []result.Argv {
	if !l.atTopLevel() && l.Cmd != l.group("get") {
		return nil
	}
	return l.getSection()
}

// sectionAfterSearch replaces a search for a section and an ID with the same get command: search
// interactions warfarin.
func sectionAfterSearch(l *Line) []result.Argv {
	if l.Cmd != l.group("search") {
		return nil
	}
	return l.getSection()
}

// getSection returns the get commands for a line of the form "<section> <id>", or of the form
// "<value> <id>" if the value belongs to a flag of get.
func (l *Line) getSection() (lines []result.Argv) {
	if l.group("get") == nil || l.faultIndex() < 0 {
		return nil
	}
	after, entities := l.splitRecord()
	ids := beforeFlags(after)
	if len(ids) == 0 {
		return nil
	}
	for _, c := range entities {
		def := l.Tree.Command(c)
		if def.IsID != nil && !def.IsID(ids[0]) || l.Tree.Owner(ids[0]) != "" && l.Tree.Owner(ids[0]) != c.Name() {
			continue
		}
		if named := sectionsNamed(def.Sections, l.Fault.Word); len(named) > 0 {
			// A sentence, not IDs: evidence on statins in the elderly.
			if l.atTopLevel() && len(ids) > 2 && slices.ContainsFunc(ids, isSentenceWord) {
				return asList(result.Argv{"suggest", strings.Join(beforeFlags(l.Words[l.faultIndex():]), " ")})
			}
			return asList(slices.Concat(command.Path(c), ids, []string{named[0].Name}, after[len(ids):]))
		}
		if f, value := l.valueFlag(c, l.Fault.Word); f != nil && len(def.Sections) > 0 {
			lines = append(lines, slices.Concat(command.Path(c), ids, l.flagWords(c, f, value), after[len(ids):]))
		}
	}
	return lines
}

// isSentenceWord reports whether word is common within a sentence and rare within a list of IDs.
func isSentenceWord(word string) bool {
	return strings.Contains(sentenceWords+"in and the between with ", " "+strings.ToLower(word)+" ")
}

// splitRecord returns the words after the word at fault, without a leading preposition and entity,
// and the entities that they may identify: of gene BRAF.
func (l *Line) splitRecord() (after []string, entities []*cobra.Command) {
	get := l.group("get")
	if after = l.Words[l.faultIndex()+1:]; get == nil || l.faultIndex() < 0 {
		return nil, nil
	}
	if len(after) > 0 && slices.Contains(prepositions, after[0]) {
		after = after[1:]
	}
	if len(after) > 1 {
		if entities = l.membersNamed(get, after[0]); len(entities) > 0 {
			return after[1:], entities
		}
	}
	return after, l.Tree.Commands(get)
}

// filterFirst replaces the name of a filter before a value with "search <entity> --<filter>
// <value>": author Smith.
func filterFirst(l *Line) []result.Argv {
	search, i := l.group("search"), l.faultIndex()
	if l.Cmd != search || i < 0 || len(beforeFlags(l.Words[i+1:])) == 0 {
		return nil
	}
	value := beforeFlags(l.Words[i+1:])
	for _, c := range l.Tree.Commands(search) {
		for f := range l.flags(c) {
			takesText := f.Value.Type() == "string" || f.Value.Type() == "stringArray"
			if takesText && command.MatchesName(l.Fault.Word, f.Name, nil) {
				filter := []string{"--" + f.Name, strings.Join(value, " ")}
				return asList(slices.Concat(command.Path(c), filter, l.Words[i+1+len(value):]))
			}
		}
	}
	return nil
}

// bareID inserts the get command before an ID that has no command.
func bareID(l *Line) []result.Argv {
	get, i := l.group("get"), l.faultIndex()
	if get == nil || i < 0 || !l.atTopLevel() && l.Cmd.Name() != "search" && l.Cmd != get {
		return nil
	}
	start := l.groupIndex()
	for _, id := range firstIDs(l.Words[i:]) {
		if name := l.Tree.Owner(id); name != "" {
			return asList(l.replace(start, i-start, "get", name))
		}
	}
	if l.anyID([]string{l.Fault.Word}) {
		return asList(l.replace(start, i-start, command.Path(l.Tree.Commands(get)[0])...))
	}
	return nil
}
