package study

import (
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// place is a flag that a word typed without one is meant for.
type place struct {
	flag string
	is   func(word string) bool // which words; nil for any
	many bool                   // it takes several, with commas
}

// meant is Command.Meant of a command that has --study and the places: a word goes to
// the first that takes it.
func meant(places ...place) func(in *command.Input) result.Argv {
	return func(in *command.Input) result.Argv {
		ids := localIDs(in)
		id := place{flag: "study", is: func(word string) bool {
			return len(places) == 0 || strings.Contains(word, "_") || // no gene's symbol has one
				slices.ContainsFunc(ids, func(id string) bool { return strings.EqualFold(id, word) })
		}}
		words := map[string][]string{}
		takes := func(word string) func(place) bool {
			return func(p place) bool {
				return (p.is == nil || p.is(word)) && !in.Given(p.flag) && (p.many || len(words[p.flag]) == 0)
			}
		}
		all := append([]place{id}, places...)
		for _, word := range in.Args {
			at := slices.IndexFunc(all, takes(word))
			if at < 0 {
				return nil
			}
			words[all[at].flag] = append(words[all[at].flag], word)
		}
		if len(words["study"]) == 0 && !in.Given("study") && len(ids) > 0 {
			words["study"] = ids[:1]
		}
		var pairs []string
		for _, p := range all {
			if w := words[p.flag]; len(w) > 0 {
				pairs = append(pairs, "--"+p.flag, strings.Join(w, ","))
			}
		}
		return in.Line(nil, pairs...)
	}
}

// localIDs are the ids of the local studies, none where they cannot be listed.
func localIDs(in *command.Input) []string {
	library, err := in.App.Studies()
	if err != nil {
		return nil
	}
	local, err := library.Studies()
	if err != nil {
		return nil
	}
	return idsOf(local)
}

// oneOf takes some words.
func oneOf(words string) func(string) bool {
	return func(word string) bool { return containsWord(words, strings.ToLower(word)) }
}

// isKind takes the words of study query --type.
func isKind(word string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return oneOf(k.name + " " + k.others)(word) })
}
