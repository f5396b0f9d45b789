package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// Refusal is why a command line cannot be run, with the word at fault. Package meant
// finds by it what the line was meant to be.
type Refusal struct {
	*result.Failure
	Reason Reason
	Word   string      // as it was typed; of a flag with its dashes and a value after "="
	Flag   *pflag.Flag // that has the value, where Reason is BadValue
	// Sections are the sections in question if Reason is NoSection; nil means the command's own.
	Sections []Section
	// Only is a value that Try has and that was not typed: there is no other, such as of the one
	// study on this machine.
	Only string
}

// Unwrap returns the failure that a user sees.
func (r *Refusal) Unwrap() error { return r.Failure }

// Reason is the kind of a refusal.
type Reason int

// The reasons.
const (
	Other        Reason = iota // the failure itself says what to type
	NoMember                   // a group has no command of this name
	NoFlag                     // the command has no flag of this name
	BadValue                   // the flag does not accept the value
	TooManyWords               // the command takes only flags, or fewer words
	NoWord                     // a group is named, and none of its commands
	NoSection                  // the word is neither an id nor a section
	Twice                      // a flag of one value has two
	Missing                    // a flag is missing, and the failure leads to its values
)

// Also holds the other words that people use for something, by its name.
type Also map[string]string

// For returns the other words for a name.
func (a Also) For(name string) []string { return strings.Fields(a[name]) }

// Is reports whether a typed word is the name of a thing or one of the other words for
// it, also in another letter case, with underscores or blanks for hyphens, or in the
// singular or the plural.
func Is(word, name string, also []string) bool {
	word = hyphened(word)
	match := func(n string) bool {
		n = hyphened(n)
		return n == word || len(n) > 2 && (n+"s" == word || n == word+"s" || strings.TrimSuffix(n, "y")+"ies" == word)
	}
	return match(name) || slices.ContainsFunc(also, match)
}

func hyphened(word string) string { return hyphens.Replace(strings.ToLower(word)) }

var hyphens = strings.NewReplacer("_", "-", " ", "-")
