package entity

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
)

// maxListBytes is the maximum size of a list of ids. For comparison, 200 DOIs take about 10 KB, and an
// nbib file of 10,000 records about 40 MB.
const maxListBytes = 64 << 20

// DefineIDsFrom defines the flag for a file of ids.
func DefineIDsFrom(f *command.Flags) {
	f.String("ids-from", "", "a file of ids, separated by spaces, commas or line ends; - is standard input")
	f.HostOnly("ids-from")
	f.AddSynonyms("ids-from", "from", "file", "input", "ids-file", "id-file")
}

// listFlags defines the flags of entities whose ids may come in a list.
func (ids IDs) listFlags(f *command.Flags) {
	DefineIDsFrom(f)
	if ids.Listed {
		f.Bool("skip-invalid", false, "skip words that are not ids")
		f.Rare("skip-invalid")
	}
}

// words are the words of a command line and of the list that it names.
type words struct {
	in     *command.Input // has the arguments of the line, one id per word
	args   []string       // arguments as typed, without the word -
	list   []string       // ids of standard input or of a file, without sections
	source string         // name of the list
}

// expandIDs separates the ids of the command line and of the list that it names. Its error names all
// invalid ids at once. With --skip-invalid they are dropped and named in a notice.
func expandIDs[R any](in *command.Input, s SpecOf[R], names []string) (w words, skipped []string, err error) {
	if !s.IDs.several() {
		return words{in: in}, nil, nil
	}
	args, text, source, err := ReadIDList(in)
	if err != nil {
		return words{}, nil, err
	}
	list, notices, err := s.readList(text)
	if err != nil {
		return words{}, nil, err
	}
	w = words{args: args, list: list, source: source}
	none := result.Invalid("get "+s.Name+" needs at least one id: "+s.IDs.Placeholder,
		StdinLine(in, "get", s.Name, "--help")...)
	if !s.IDs.Listed {
		if w.in = in.WithArgs(args, "ids-from"); len(args)+len(w.list) == 0 {
			return words{}, nil, none
		}
		return w, notices, nil
	}
	line, bad := s.checkIDs(in, &w, names)
	w.in = in.WithArgs(line, "ids-from", "skip-invalid")
	switch {
	case len(line)+len(w.list)+len(bad) == 0:
		return words{}, nil, none
	case len(bad) == 0:
		return w, notices, nil
	case in.Bool("skip-invalid") && len(line)+len(w.list) > 0:
		return w, append(notices, "skipped, not ids: "+command.Clip(strings.Join(bad, ", "))), nil
	}
	err = s.advice(names).InvalidList(in, slices.Concat(line, w.list), bad)
	tree := in.Tree()
	search := tree.Member(tree.Member(tree.Root, "search"), s.Name)
	mostlyText := text != "" && len(bad) > len(line)+len(w.list)
	if mostlyText && search != nil && tree.Flags(search).Lookup("pmids") != nil {
		err = result.Invalid(err.Error()+"; to get only the ids from a search, use --pmids",
			append(command.Path(search), "--help")...)
	}
	return words{}, nil, err
}

// checkIDs splits w.args and drops the words of w.list that are not ids. It returns the valid words of
// the line, with sections, and the invalid words of both.
func (s *SpecOf[R]) checkIDs(in *command.Input, w *words, names []string) (line, bad []string) {
	known := func(w string) bool { return slices.Contains(names, w) || s.IDs.Match(w) }
	var all []string
	for _, arg := range w.args {
		all = append(all, s.splitArg(in, arg, known)...)
	}
	if s.IDs.Join != nil {
		all = s.IDs.Join(all)
	}
	var list []string
	seen := map[string]bool{}
	for i, word := range slices.Concat(all, w.list) {
		switch {
		case i < len(all) && slices.Contains(names, word), i < len(all) && s.IDs.accepts(word):
			line = append(line, word)
		case s.IDs.accepts(word):
			list = append(list, word)
		case !seen[word]:
			bad, seen[word] = append(bad, word), true
		}
	}
	w.list = list
	if len(bad) == 1 && slices.Contains(all, bad[0]) {
		word := bad[0]
		unchecked := s.IDs.Check == nil || !advice.HasIDSign(word) || strings.Contains(word, " ")
		keep := !in.Bool("skip-invalid") || command.Nearest(word, names) != ""
		if unchecked && keep { // splitArgs explains the word
			line, bad = slices.Insert(line, min(slices.Index(all, word), len(line)), word), nil
		}
	}
	return line, bad
}

// splitArg splits an argument into ids. A quoted argument with spaces stays one word, unless some of
// its words are ids and none names a section.
func (s *SpecOf[R]) splitArg(in *command.Input, arg string, known func(string) bool) []string {
	list := SplitIDs(arg, known)
	if !strings.ContainsFunc(arg, unicode.IsSpace) {
		return list
	}
	ids := list
	if s.IDs.Join != nil {
		ids = s.IDs.Join(list)
	}
	section := func(w string) bool { return known(w) && !s.IDs.Match(w) || advice.NamesSection(in, w, s.sections()) }
	if slices.ContainsFunc(ids, s.IDs.Match) && !slices.ContainsFunc(list, section) {
		return list
	}
	return []string{arg}
}

// ReadIDList returns the arguments without the word -, and the text and the name of the list that this
// word or --ids-from names. Both are "" if neither is given.
func ReadIDList(in *command.Input) (args []string, text, source string, err error) {
	from := in.String("ids-from")
	if in.Given("ids-from") && from == "" {
		return nil, "", "", result.Invalid("--ids-from needs the name of a file", append(in.Path(), "--help")...)
	}
	if err := RejectFileName(in, "ids-from"); err != nil {
		return nil, "", "", err
	}
	for _, w := range in.Args {
		if w != "-" {
			args = append(args, w)
		} else if from == "" {
			from = "-"
		}
	}
	if from != "" {
		text, err = ReadText(in, "ids", "ids-from", from, append(in.Path(), "--help")...)
	}
	return args, text, from, err
}

// commentLine matches the lines of a list that begin with #.
var commentLine = pattern.Lazy(`(?m)^[ \t]*#.*$`)

// WithoutComments returns a list without the lines that begin with #.
func WithoutComments(text string) string { return commentLine().ReplaceAllString(text, "") }

// StdinLine returns the command line that reads ids from standard input if a file or a pipe is
// connected to it; otherwise help.
func StdinLine(in *command.Input, help ...string) result.Argv {
	if file, is := in.IO.In.(fs.File); is && in.Policy == command.Person && !slices.Contains(in.Args, "-") {
		if info, err := file.Stat(); err == nil && info.Mode()&fs.ModeCharDevice == 0 {
			return in.Line(append(slices.Clone(in.Args), "-"))
		}
	}
	return help
}

// RejectFileName returns an error if an argument is the name of a file on this machine, and suggests the
// flag that reads files.
func RejectFileName(in *command.Input, flag string) error {
	for i, w := range in.Args {
		if in.Policy != command.Person || in.Nested || !strings.Contains(w, ".") || in.Given(flag) {
			continue
		}
		w = strings.TrimPrefix(w, "@") // curl and others write a file so
		if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() {
			rest := slices.Delete(slices.Clone(in.Args), i, i+1)
			return result.Invalid(fmt.Sprintf("%q is a file: --%s reads it", command.Clip(w), flag),
				in.Line(rest, "--"+flag, w)...)
		}
	}
	return nil
}

// split splits a text into ids. If records are found by name, each line is one name, because names
// may have spaces, unless all of its words are ids.
func (s *SpecOf[R]) split(text string) (ids []string) {
	switch {
	case s.IDs.Listed && s.IDs.Join != nil:
		return s.IDs.Join(SplitIDs(text, s.IDs.Match))
	case s.IDs.Listed:
		return SplitIDs(text, s.IDs.Match)
	case s.IDs.Fuzzy == nil:
		return SplitIDs(text, func(string) bool { return true })
	}
	for line := range strings.FieldsFuncSeq(text, isLineEnd) {
		isID := func(w string) bool { return s.IDs.MatchExclusive != nil && s.IDs.MatchExclusive(w) }
		if words := SplitIDs(line, isID); len(words) > 0 && !slices.ContainsFunc(words, negate(isID)) {
			ids = append(ids, words...)
		} else if name := strings.TrimSpace(line); name != "" {
			ids = append(ids, name)
		}
	}
	return ids
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// readList returns the ids of a plain list, or of a file in a form that the entity knows.
func (s *SpecOf[R]) readList(text string) (ids, notices []string, err error) {
	if s.IDs.File != nil && text != "" {
		if ids, notices, isFile, err := s.IDs.File(text); isFile || err != nil {
			return ids, notices, err
		}
	}
	text = WithoutComments(text)
	if !s.IDs.Listed || s.IDs.Join == nil {
		return s.split(text), nil, nil
	}
	for line := range strings.FieldsFuncSeq(text, isLineEnd) { // no id spans two lines
		ids = append(ids, s.split(line)...)
	}
	return ids, nil, nil
}

// negate returns the opposite of a condition.
func negate(is func(string) bool) func(string) bool { return func(w string) bool { return !is(w) } }

// ReadText reads the file that the value of a flag names, or standard input for the name -. It
// returns an error if there is no standard input. label names the contents in messages, such as ids.
func ReadText(in *command.Input, label, flag, name string, help ...string) (string, error) {
	source := in.IO.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			if path, ok := errors.AsType[*fs.PathError](err); ok {
				err = path.Err
			}
			return "", result.Invalid(fmt.Sprintf("--%s %s cannot be read: %s", flag, command.Clip(name), err), help...)
		}
		defer file.Close()
		source = file
	} else if source == nil {
		return "", result.Invalid("there is no standard input to read "+label+" from", help...)
	}
	text, err := io.ReadAll(io.LimitReader(source, maxListBytes+1))
	switch {
	case err != nil:
		return "", result.Invalid(fmt.Sprintf("the %s of %s cannot be read: %s", label, command.Clip(name), err),
			help...)
	case len(text) > maxListBytes:
		return "", result.Invalid(fmt.Sprintf("%s is larger than %d bytes, the maximum for a list of %s",
			command.Clip(name), maxListBytes, label), help...)
	}
	if line, ok := command.NULLine(text); ok {
		return "", result.Invalid(fmt.Sprintf("the %s of %s cannot be read: line %d holds a NUL byte, so this is not "+
			"text in UTF-8", label, command.Clip(name), line), help...)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}

// separateLabel matches a label that is separated from its id: "PMID: 1", "doi 10.1/x".
var separateLabel = pattern.Lazy(`(?i)(^|[\s,;])(pmid|pmcid|doi):?\s+`)

// SplitIDs splits a text at white space and commas. It keeps a comma inside an id, as some DOIs
// have, if the text after it is not known by itself. It removes punctuation around an id if only
// the rest is known.
func SplitIDs(text string, known func(string) bool) []string {
	var out []string
	text = separateLabel().ReplaceAllString(text, "$1$2:")
	for _, field := range strings.Fields(text) {
		start := len(out)
		for _, part := range strings.Split(field, ",") {
			if bare := strings.Trim(part, `.;:()[]<>"'“”`); !known(part) && known(bare) {
				part = bare
			}
			switch last := len(out) - 1; {
			case part == "":
			case last >= start && !known(part) && known(out[last]+","+part):
				out[last] += "," + part
			default:
				out = append(out, part)
			}
		}
	}
	return out
}
