package advice

import (
	"cmp"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// UnknownSection returns the error for a word that is neither a section of the entity nor an id. It
// lists the sections, and suggests the nearest one or the commands that have such a section.
func UnknownSection(in *command.Input, name, word string, sections []command.Section) *command.Refusal {
	names := append(NamesOf(sections), "all")
	text := fmt.Sprintf("no section %q; sections: %s", command.Clip(word), strings.Join(names, ", "))
	if near := cmp.Or(SectionFor(word, sections), command.Nearest(word, names)); near != "" {
		text += command.Guess(near)
	} else if holders := in.Tree().CommandsWith(word); len(holders) > 0 {
		text += "; it belongs to " + command.Abbreviate(holders)
	}
	return &command.Refusal{Reason: command.UnknownSection, Word: word, Sections: sections,
		Failure: result.Invalid(text, "get", name, "--help")}
}

// LooksLikeSection reports whether word has only characters that occur in names of sections.
func LooksLikeSection(word string) bool {
	return len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// NamesOf returns the names of sections.
func NamesOf(sections []command.Section) []string {
	return result.Map(sections, func(s command.Section) string { return s.Name })
}

// NamesSection reports whether a word after an id more likely names a section than another id: it
// is a section, a misspelt one, or a section of another entity.
func NamesSection(in *command.Input, word string, sections []command.Section) bool {
	if SectionFor(word, sections) != "" {
		return true
	}
	misspelt := len(word) > 4 && command.Nearest(word, NamesOf(sections)) != ""
	return LooksLikeSection(word) && (misspelt || len(in.Tree().CommandsWith(word)) > 0)
}

// SectionFor returns the section with a name, in the singular or the plural, or with a synonym. It
// returns "" if there is none.
func SectionFor(word string, sections []command.Section) string {
	if LooksLikeSection(strings.ReplaceAll(word, " ", "-")) {
		for _, s := range sections {
			if command.MatchesName(word, s.Name, s.Synonyms) {
				return s.Name
			}
		}
	}
	return ""
}
