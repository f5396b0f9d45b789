package command

import (
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// Excludes declares that a line may not have the flag name together with any of others. The suggested
// line keeps name. reason ends the message, as in "which defines the groups"; it may be "".
// Flags that the command does not have are ignored.
func (f *Flags) Excludes(name, reason string, others ...string) {
	f.annotate(name, excludesKey, append([]string{reason}, others...)...)
}

// Exclusions returns the flags that f excludes.
func Exclusions(f *pflag.Flag) []string {
	if list := f.Annotations[excludesKey]; len(list) > 0 {
		return list[1:]
	}
	return nil
}

// CheckExclusions returns a failure if a flag of the line excludes another one of it, and nil otherwise.
func (in *Input) CheckExclusions() (failure *result.Failure) {
	in.flags.VisitAll(func(f *pflag.Flag) {
		if failure != nil || !in.hasEffect(f.Name) {
			return
		}
		var others, without []string
		for _, other := range Exclusions(f) {
			if in.hasEffect(other) {
				others, without = append(others, "--"+other), append(without, "--"+other, "")
			}
		}
		if others != nil {
			message := "--" + f.Name + " cannot be used with " + strings.Join(others, ", ")
			if reason := f.Annotations[excludesKey][0]; reason != "" {
				message += ": " + reason
			}
			failure = result.Invalid(message, in.LineWith(without...)...)
		}
	})
	return failure
}

// hasEffect reports whether a flag is set to more than nothing: neither empty nor false nor 0.
func (in *Input) hasEffect(name string) bool { return in.IsSet(name) && in.String(name) != "0" }
