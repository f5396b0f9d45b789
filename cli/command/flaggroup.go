package command

import "github.com/spf13/pflag"

// A FlagGroup is the heading under which help shows a flag. A flag without a group stands before
// the groups.
type FlagGroup string

// The groups.
const (
	SubjectFlags FlagGroup = "what to find"
	FilterFlags  FlagGroup = "filters"
	OutputFlags  FlagGroup = "output"
	ChartFlags   FlagGroup = "charts"
)

// FlagGroups lists the groups in the order of the help.
var FlagGroups = []FlagGroup{"", SubjectFlags, FilterFlags, OutputFlags, ChartFlags}

// Group sets the heading under which help shows flags.
func (f *Flags) Group(group FlagGroup, names ...string) {
	for _, name := range names {
		f.annotate(name, groupKey, string(group))
	}
}

// GroupOf returns the heading under which help shows a flag, or "".
func GroupOf(f *pflag.Flag) FlagGroup {
	if group := f.Annotations[groupKey]; len(group) > 0 {
		return FlagGroup(group[0])
	}
	return ""
}
