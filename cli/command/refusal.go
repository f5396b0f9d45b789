package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// A Refusal explains why a command line cannot be run and names the word at fault. Package
// meant uses it to correct the line.
type Refusal struct {
	*result.Failure
	Reason Reason
	Word   string      // as it was typed; a flag includes its hyphens and a value after "="
	Near   string      // the word that the message proposes with [Guess], or ""
	Flag   *pflag.Flag // the flag that rejects the value if Reason is InvalidValue
	// Sections lists the valid sections if Reason is UnknownSection; nil means those of the command.
	Sections []Section
	// OnlyChoice is a value in Try that was not typed because it is the only choice, such as the ID
	// of the one study on this machine.
	OnlyChoice string
}

// Unwrap returns the failure that a user sees.
func (r *Refusal) Unwrap() error { return r.Failure }

// A Reason is the kind of a refusal.
type Reason int

// The reasons.
const (
	Other          Reason = iota // any other reason; the failure itself suggests a line
	UnknownMember                // the group has no command of this name
	UnknownFlag                  // the command has no flag of this name
	InvalidValue                 // the flag does not accept the value
	TooManyWords                 // the command takes only flags, or fewer arguments
	NoCommand                    // the line names a group without a command
	UnknownSection               // the word is neither an ID nor a section
	RepeatedFlag                 // a flag for one value was given two
	OtherCommand                 // the words ask for another command, which the failure suggests
	MissingFlag                  // a flag is missing; the failure suggests a line that lists its values
)

// Synonyms maps a name to its synonyms, separated by spaces.
type Synonyms map[string]string

// Lookup returns the synonyms of a name.
func (a Synonyms) Lookup(name string) []string { return strings.Fields(a[name]) }

// MatchesName reports whether word equals name or one of its synonyms. It ignores case, treats
// underscores and spaces as hyphens, and accepts the singular and the plural.
func MatchesName(word, name string, synonyms []string) bool {
	word = hyphenate(word)
	match := func(n string) bool {
		n = hyphenate(n)
		stem, isPlural := strings.CutSuffix(word, "ies")
		return n == word || len(n) > 2 && (isPluralOf(word, n) || isPluralOf(n, word) ||
			isPlural && stem == strings.TrimSuffix(n, "y"))
	}
	return match(name) || slices.ContainsFunc(synonyms, match)
}

// isPluralOf reports whether plural is word with an s. It does not allocate, since a line with a mistake
// compares its words with all names and synonyms.
func isPluralOf(plural, word string) bool {
	return len(plural) == len(word)+1 && plural[len(word)] == 's' && plural[:len(word)] == word
}

// hyphenate lowercases word and replaces underscores and spaces with hyphens.
func hyphenate(word string) string { return hyphenReplacer.Replace(strings.ToLower(word)) }

var hyphenReplacer = strings.NewReplacer("_", "-", " ", "-")
