package command

import (
	"slices"
	"strings"

	"biomcp/cli/result"
)

// maxListedWords is the maximum number of ids of a list that a printed command line repeats.
const maxListedWords = 10

// An idList is the list that some arguments of a command came from.
type idList struct {
	source string // name of a file, or - for standard input
	ids    map[string]bool
}

// WithList returns a copy of the input that has the ids of a list as further arguments. source is the
// name of the list's file, or - for standard input. A command line made from the copy names the list
// if it would otherwise repeat many of its ids.
func (in *Input) WithList(ids []string, source string) *Input {
	out := *in
	if len(ids) == 0 {
		return &out
	}
	out.Args = slices.Concat(in.Args, ids)
	out.list = &idList{source: source, ids: make(map[string]bool, len(ids))}
	for _, id := range ids {
		out.list.ids[id] = true
	}
	return &out
}

// replaceIn replaces the ids of the list among operands by the list's name, if there are many. flag is
// the pair for Line that names a file.
func (l *idList) replaceIn(operands []string) (short, flag []string) {
	if !l.fills(operands) {
		return operands, nil
	}
	isOther := func(w string) bool { return !l.ids[w] }
	isListed := func(text string) bool {
		return l.ids[text] || strings.TrimSpace(text) != "" && !slices.ContainsFunc(strings.Fields(text), isOther)
	}
	first := slices.IndexFunc(operands, isListed)
	if first < 0 { // the ids are words of a longer text
		return operands, nil
	}
	short = slices.DeleteFunc(slices.Clone(operands), isListed)
	if l.source == "-" {
		return slices.Insert(short, first, "-"), nil
	}
	return short, []string{"--ids-from", l.source}
}

// fills reports whether operands have more ids of the list than a command line should repeat.
func (l *idList) fills(operands []string) bool {
	n := 0
	for _, text := range operands {
		for w := range strings.FieldsSeq(text) {
			if l.ids[w] || l.ids[text] {
				n++
			}
		}
	}
	return n > maxListedWords
}

// Shorten returns a suggested command line that names the list of the input if try repeats many of its
// ids. If its command cannot read a list, Shorten returns the help of that command.
func (in *Input) Shorten(try result.Argv) result.Argv {
	if in.list == nil || !in.list.fills(try) {
		return try
	}
	cmd, path := in.tree.Root, 0
	for path < len(try) {
		next := in.tree.Member(cmd, try[path])
		if next == nil {
			break
		}
		cmd, path = next, path+1
	}
	if in.tree.Flags(cmd).Lookup("ids-from") == nil {
		return append(Path(cmd), "--help")
	}
	short, flag := in.list.replaceIn(try[path:])
	return slices.Concat(result.Argv(Path(cmd)), short, flag)
}

// ShortenAll replaces each of lines by its short form.
func (in *Input) ShortenAll(lines []result.Argv) {
	for i, line := range lines {
		lines[i] = in.Shorten(line)
	}
}
