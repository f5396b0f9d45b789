package correct

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// formatFlag replaces --format json and its synonyms with the switch of that format, --json. Another
// format becomes the value of the one flag that accepts it: --format bibtex.
func formatFlag(l *Line) []result.Argv {
	name, value, n := l.splitFlag()
	if l.Fault.Reason == command.InvalidValue {
		name = l.Fault.Flag.Name
	}
	if !formatFlags[name] || value == "" {
		return nil
	}
	form := strings.ToLower(value)
	if f := l.flag(form); f != nil && f.Value.Type() == "bool" {
		return asList(l.replace(l.faultIndex(), n, "--"+form))
	}
	if f, word := l.valueFlag(l.Cmd, value); f != nil {
		return asList(l.replace(l.faultIndex(), n, l.flagWords(l.Cmd, f, word)...))
	}
	return nil
}

// formatFlags holds the flag names with which other programs select the output format.
var formatFlags = map[string]bool{
	"format": true, "output": true, "output-format": true, "out": true, "o": true, "f": true, "as": true, "fmt": true,
}

// valueFlag finds the flag of a command that accepts word, or a synonym of it, as a value.
// It returns the flag and the value, or nil if no flag or more than one does.
func (l *Line) valueFlag(c *cobra.Command, word string) (found *pflag.Flag, value string) {
	for f := range l.flags(c) {
		v, certain := command.CorrectValue(f, word)
		switch {
		case v == "" || !certain || strings.EqualFold(v, f.Name):
		case found != nil:
			return nil, ""
		default:
			found, value = f, v
		}
	}
	return found, value
}

// flagWords returns a flag and its value, after the section that the flag requires, if any.
func (l *Line) flagWords(c *cobra.Command, f *pflag.Flag, value string) []string {
	words := []string{"--" + f.Name, value}
	for _, s := range l.Tree.Command(c).Sections {
		if s.Flag == f.Name && !slices.Contains(l.Words, s.Name) {
			return append([]string{s.Name}, words...)
		}
	}
	return words
}

// These words turn a switch on and off.
var onWords, offWords = []string{"true", "yes", "1"}, []string{"false", "no", "0"}

// IsSwitchValue reports whether a word turns a switch on or off.
func IsSwitchValue(word string) bool {
	return slices.Contains(slices.Concat(onWords, offWords), strings.ToLower(word))
}

// switchValue removes a word that turns a switch on, and removes the switch as well if the word
// turns it off: --review true.
func switchValue(l *Line) []result.Argv {
	switch {
	case l.Fault.Flag.Value.Type() != "bool" || !IsSwitchValue(l.value()):
		return nil
	case slices.Contains(onWords, strings.ToLower(l.value())):
		return asList(l.replace(l.faultIndex()+1, 1))
	}
	return asList(l.replace(l.faultIndex(), 2))
}

// extensionAsFlag replaces a flag that is a file extension with the flag that writes such a file:
// --png, --format xlsx. Without a file name, the file is named after the command. If that flag
// writes a table other than the answer's, it proposes --json instead.
func extensionAsFlag(l *Line) []result.Argv {
	ending, file, n := l.splitFlag()
	if formatFlags[ending] {
		ending, file = file, ""
	}
	if f, _ := l.valueFlag(l.Cmd, ending); f != nil && !command.IsRare(f) {
		return nil // --ris
	}
	for f := range l.flags(l.Cmd) {
		if len(ending) < 2 || f.Changed || !command.IsHostOnly(f) || !strings.Contains(f.Usage, "."+ending) {
			continue
		}
		if !strings.HasSuffix(file, "."+ending) {
			if file != "" {
				n = 1
			}
			file = l.Cmd.Name() + "." + ending
		}
		if command.WritesOtherTable(f, ending) {
			return asList(l.replace(l.faultIndex(), n, "--json"))
		}
		return asList(l.replace(l.faultIndex(), n, "--"+f.Name, file))
	}
	return nil
}

// valueSynonym replaces a synonym or a prefix of a value with the value.
func valueSynonym(l *Line) []result.Argv {
	if v, certain := command.CorrectValue(l.Fault.Flag, l.value()); certain && v != "" {
		return asList(l.withValue(v))
	}
	return nil
}

// mistypedValue replaces an invalid value with the closest valid one. For a file flag it proposes the
// file name with each valid extension.
func mistypedValue(l *Line) (lines []result.Argv) {
	for _, name := range command.FileNames(l.Fault.Flag, l.value()) {
		lines = append(lines, l.withValue(name))
	}
	if v, _ := command.CorrectValue(l.Fault.Flag, l.value()); v != "" {
		return asList(l.withValue(v))
	}
	return lines
}

// defaultValue replaces a non-numeric value with the default. For a flag with a list of values, it
// proposes the values that begin with the typed one, or all if the value is missing: --chart.
func defaultValue(l *Line) (lines []result.Argv) {
	if l.Fault.Flag.Value.Type() == "int" {
		return asList(l.withValue(l.Fault.Flag.DefValue))
	}
	for _, v := range command.ValuesWithPrefix(l.Fault.Flag, l.value()) {
		lines = append(lines, l.withValue(v))
	}
	return lines
}

// value returns the value of the flag at fault.
func (l *Line) value() string {
	_, value, _ := l.splitFlag()
	return value
}

func (l *Line) withValue(v string) result.Argv {
	_, _, n := l.splitFlag()
	return l.replace(l.faultIndex(), n, "--"+l.Fault.Flag.Name, v)
}
