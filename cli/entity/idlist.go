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
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
)

// maxListBytes bounds a list of ids: 200 DOIs are some 10 KB.
const maxListBytes = 1 << 20

// FromFlag is the flag for a file of ids.
func FromFlag(f *command.Flags) {
	f.String("ids-from", "", "a file of ids, separated by spaces, commas or line ends; - is standard input")
	f.HostOnly("ids-from")
	f.Also("ids-from", "from", "file", "input", "ids-file", "id-file")
}

func listFlags(f *command.Flags) {
	FromFlag(f)
	f.Bool("skip-invalid", false, "go on without words that are no ids")
	f.Rare("skip-invalid")
}

// listed is the input with its ids one a word: those of the command line, taken
// apart, then those of standard input or of a file. Words that are no ids are named
// all at once, or with --skip-invalid left out and named in a notice.
func listed[R any](in *command.Input, s SpecOf[R], names []string) (*command.Input, []string, error) {
	if !s.IDs.Listed {
		return in, nil, nil
	}
	known := func(w string) bool { return slices.Contains(names, w) || s.IDs.Is(w) }
	args, text, err := ListText(in)
	if err != nil {
		return nil, nil, err
	}
	var line []string
	for _, w := range args {
		line = append(line, s.taken(in, w, known)...)
	}
	list := SplitIDs(text, s.IDs.Is)
	if s.IDs.Join != nil {
		line, list = s.IDs.Join(line), s.IDs.Join(list)
	}
	var words, bad []string
	for i, w := range slices.Concat(line, list) {
		switch {
		case i < len(line) && slices.Contains(names, w), s.IDs.accept(w):
			words = append(words, w)
		case !slices.Contains(bad, w):
			bad = append(bad, w)
		}
	}
	if len(bad) == 1 && slices.Contains(line, bad[0]) && (s.IDs.Check == nil || mayBeSection(bad[0]) || strings.Contains(bad[0], " ")) && (!in.Bool("skip-invalid") || command.Nearest(bad[0], names) != "") {
		words, bad = slices.Insert(words, min(slices.Index(line, bad[0]), len(words)), bad...), nil // splitArgs says what it is
	}
	switch {
	case len(words) == 0 && len(bad) == 0:
		return nil, nil, result.Invalid("get "+s.Name+" needs at least one id: "+s.IDs.Words, FromInput(in, "get", s.Name, "--help")...)
	case len(bad) == 0:
		return in.With(words, "ids-from", "skip-invalid"), nil, nil
	case in.Bool("skip-invalid") && len(words) > 0:
		return in.With(words, "ids-from", "skip-invalid"), []string{"skipped, no ids: " + command.Clip(strings.Join(bad, ", "))}, nil
	}
	err = badIDs(in, s, words, bad)
	if search := in.Tree().Member(in.Tree().Member(in.Tree().Root, "search"), s.Name); text != "" && len(bad) > len(words) && search != nil && in.Tree().Flags(search).Lookup("pmids") != nil {
		return nil, nil, result.Invalid(err.Error()+"; of a search, --pmids gives the ids alone", append(command.Path(search), "--help")...)
	}
	return nil, nil, err
}

// taken is an argument as a list of ids. Words that were quoted together are one, unless some
// of them are ids and none names a section.
func (s *SpecOf[R]) taken(in *command.Input, arg string, known func(string) bool) []string {
	list := SplitIDs(arg, known)
	if !strings.ContainsFunc(arg, unicode.IsSpace) {
		return list
	}
	ids := list
	if s.IDs.Join != nil {
		ids = s.IDs.Join(list)
	}
	section := func(w string) bool { return known(w) && !s.IDs.Is(w) || NamesSection(in, w, s.sections()) }
	if slices.ContainsFunc(ids, s.IDs.Is) && !slices.ContainsFunc(list, section) {
		return list
	}
	return []string{arg}
}

// mayBeSection reports whether a word is more like the name of a section than like
// an id: every id has a digit.
func mayBeSection(w string) bool { return !strings.ContainsAny(w, "0123456789/") }

// badIDs is the failure that names every word that is no id, with the command that
// goes on without them where there are others.
func badIDs[R any](in *command.Input, s SpecOf[R], words, bad []string) error {
	for i := range bad[1:] {
		flag := slices.ContainsFunc(s.sections(), func(sec command.Section) bool { return sec.Flag != "" && sec.Flag == bad[i] })
		if flag || sectionFor(bad[i]+" "+bad[i+1], s.sections()) != "" {
			return &command.Refusal{Reason: command.NoSection, Word: bad[i], Failure: result.Invalid(fmt.Sprintf("%q is not an id of this kind: %s", command.Clip(bad[i]), s.IDs.Words), "get", s.Name, "--help")}
		}
	}
	if owner := s.other(in, bad[0]); owner != "" && len(words) == 0 {
		return s.refused(in, bad[0], bad)
	}
	message := fmt.Sprintf("%q is not an id of this kind: %s", command.Clip(bad[0]), s.IDs.Words)
	if len(bad) > 1 {
		message = fmt.Sprintf("%d words are not ids of this kind (%s): %s", len(bad), s.IDs.Words, command.Clip(strings.Join(bad, ", ")))
	} else if s.IDs.Is(bad[0]) {
		message = s.IDs.Check(bad[0]).Error()
	}
	try := result.Argv{"get", s.Name, "--help"}
	section := func(w string) bool {
		return w == "all" || slices.ContainsFunc(s.Sections, func(sec SectionOf[R]) bool { return sec.Name == w })
	}
	why, line := s.meant(bad[0])
	if whole, of := s.meant(strings.Join(slices.DeleteFunc(slices.Clone(in.Args), section), " ")); why == "" && whole != "" { // a name of several words
		message, try = whole, of
	} else if why != "" {
		message, try = message+"; "+why, line
	} else if id := slices.ContainsFunc(words, func(w string) bool { return !section(w) }); !id && !slices.ContainsFunc(bad, func(w string) bool { return !mayBeSection(w) }) {
		try = s.search(bad)
	} else if len(words) > 0 && (s.IDs.Join == nil || s.IDs.Check != nil || !slices.ContainsFunc(words, isNumber)) { // which may be a part of one that was not read
		message += "; --skip-invalid goes on without"
		try = append(in.Line(in.Args), "--skip-invalid")
	}
	f := result.Invalid(message, try...)
	f.Details = map[string]any{"invalid": bad}
	return f
}

// ListText is the arguments without the word -, and the list of ids that this word or
// --ids-from names, "" if neither was given.
func ListText(in *command.Input) (args []string, text string, err error) {
	from := in.String("ids-from")
	if in.Given("ids-from") && from == "" {
		return nil, "", result.Invalid("--ids-from needs the name of a file", append(in.Path(), "--help")...)
	}
	if err := NoFile(in, "ids-from"); err != nil {
		return nil, "", err
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
		text = comments().ReplaceAllString(text, "")
	}
	return args, text, err
}

// comments are the lines of a list of ids that begin with #.
var comments = pattern.Lazy(`(?m)^[ \t]*#.*$`)

// FromInput is the line that reads ids from standard input, where a file or a pipe is connected
// to it, else help.
func FromInput(in *command.Input, help ...string) result.Argv {
	if file, is := in.IO.In.(fs.File); is && in.May == command.Person && !slices.Contains(in.Args, "-") {
		if info, err := file.Stat(); err == nil && info.Mode()&fs.ModeCharDevice == 0 {
			return in.Line(append(slices.Clone(in.Args), "-"))
		}
	}
	return help
}

// NoFile refuses a word that is the name of a file on this machine, which a person may have
// meant for the flag that reads files.
func NoFile(in *command.Input, flag string) error {
	for i, w := range in.Args {
		if in.May != command.Person || in.Part || !strings.Contains(w, ".") || in.Given(flag) {
			continue
		}
		w = strings.TrimPrefix(w, "@") // as other programs have it
		if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() {
			rest := slices.Delete(slices.Clone(in.Args), i, i+1)
			return result.Invalid(fmt.Sprintf("%q is a file: --%s reads it", command.Clip(w), flag), in.Line(rest, "--"+flag, w)...)
		}
	}
	return nil
}

// split is how an entity takes a list of ids apart: names of several words are one a line.
func (s *SpecOf[R]) split(text string) []string {
	switch {
	case s.IDs.Listed && s.IDs.Join != nil:
		return s.IDs.Join(SplitIDs(text, s.IDs.Is))
	case s.IDs.Listed:
		return SplitIDs(text, s.IDs.Is)
	case s.IDs.Near == nil:
		return SplitIDs(text, func(string) bool { return true })
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
}

// ReadText reads what a flag names, such as ids: a file or, of the name -, standard input,
// which is not waited for where a person sits at it.
func ReadText(in *command.Input, what, flag, name string, help ...string) (string, error) {
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
		return "", result.Invalid("there is no standard input to read "+what+" from", help...)
	}
	text, err := io.ReadAll(io.LimitReader(source, maxListBytes+1))
	switch {
	case err != nil:
		return "", result.Invalid(fmt.Sprintf("the %s of %s cannot be read: %s", what, command.Clip(name), err), help...)
	case len(text) > maxListBytes:
		return "", result.Invalid(fmt.Sprintf("%s is larger than a list of %s can be, %d bytes", command.Clip(name), what, maxListBytes), help...)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}

// labelled is a label that is written apart from its id: "PMID: 1", "doi 10.1/x".
var labelled = pattern.Lazy(`(?i)(^|[\s,;])(pmid|pmcid|doi):?\s+`)

// SplitIDs takes a text apart at white space and commas. A comma inside an id, as
// some DOIs have, stays where what follows is nothing known. The marks of a sentence
// around an id go if it is an id only without them.
func SplitIDs(text string, known func(string) bool) []string {
	var out []string
	text = labelled().ReplaceAllString(text, "$1$2:")
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
