package correct

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// flags returns an iterator over the flags of a command in the order of definition.
func (l *Line) flags(c *cobra.Command) iter.Seq[*pflag.Flag] {
	return func(yield func(*pflag.Flag) bool) {
		on := true
		l.Tree.Flags(c).VisitAll(func(f *pflag.Flag) { on = on && yield(f) })
	}
}

// flag returns the flag of the command with the given name, or nil.
func (l *Line) flag(name string) *pflag.Flag { return l.Tree.Flags(l.Cmd).Lookup(name) }

// splitFlag splits the flag at fault into its name and value, and returns the number of words
// that they take. The value is "" if the next word is a flag or the line ends.
func (l *Line) splitFlag() (name, value string, n int) {
	name, value, given := strings.Cut(strings.TrimLeft(l.Fault.Word, "-"), "=")
	if i := l.faultIndex(); !given && i >= 0 && i+1 < len(l.Words) && !isFlag(l.Words[i+1]) {
		return name, l.Words[i+1], 2
	}
	return name, value, 1
}

// withFlag replaces the flag at fault with f and keeps the value. It returns nil if f
// requires a value and none was typed.
func (l *Line) withFlag(f *pflag.Flag) result.Argv {
	_, value, n := l.splitFlag()
	switch {
	case value != "" && strings.Contains(l.Fault.Word, "="):
		return l.replace(l.faultIndex(), 1, "--"+f.Name+"="+value)
	case f.Value.Type() == "bool" && slices.Contains(strings.Split(f.Name, "-"), value): // --count-by year
		return l.replace(l.faultIndex(), n, "--"+f.Name)
	case f.Value.Type() == "bool" || f.Value.Type() == "count":
		return l.replace(l.faultIndex(), 1, "--"+f.Name)
	case value == "":
		return nil
	}
	return l.replace(l.faultIndex(), n, "--"+f.Name, value)
}

// flagSynonym replaces a synonym of a flag with the flag's name. If the value is missing, it
// also proposes the first values that the flag accepts: --plot.
func flagSynonym(l *Line) (lines []result.Argv) {
	name, value, _ := l.splitFlag()
	for f := range l.flags(l.Cmd) {
		isSwitch := f.Value.Type() == "bool"
		if !command.IsFlag(f, name) || isSwitch && l.idFlag() != nil {
			continue
		}
		lines = append(lines, l.withFlag(f))
		for i, v := range command.ValuesWithPrefix(f, "") {
			if value == "" && i < maxLines {
				lines = append(lines, l.replace(l.faultIndex(), 1, "--"+f.Name, v))
			}
		}
	}
	return lines
}

// flagPrefix completes the prefix of a flag's name. It skips a switch that has arguments on both sides,
// since the next word is a value: --exclude review.
func flagPrefix(l *Line) (lines []result.Argv) {
	for f := range l.flags(l.Cmd) {
		if l.hasFlagPrefix(f) && !l.isSwitchAmongArgs(f) && (f.Value.Type() != "bool" || l.idFlag() == nil) {
			lines = append(lines, l.withFlag(f))
		}
	}
	return lines
}

// mistypedFlag replaces a misspelt flag with the closest one of the command.
func mistypedFlag(l *Line) []result.Argv {
	var names []string
	for f := range l.flags(l.Cmd) {
		names = append(names, f.Name)
	}
	name, _, _ := l.splitFlag()
	near := l.flag(command.Nearest(name, names))
	if near == nil || l.hasFlagPrefix(near) && l.isSwitchAmongArgs(near) {
		return nil
	}
	return asList(l.withFlag(near))
}

// hasFlagPrefix reports whether the flag at fault is a prefix of the name of f.
func (l *Line) hasFlagPrefix(f *pflag.Flag) bool {
	name, _, _ := l.splitFlag()
	return len(name) >= 3 && strings.HasPrefix(f.Name, strings.ReplaceAll(name, "_", "-"))
}

// isSwitchAmongArgs reports whether f is a switch with arguments on both sides of the flag at fault.
func (l *Line) isSwitchAmongArgs(f *pflag.Flag) bool {
	_, _, n := l.splitFlag()
	return f.Value.Type() == "bool" && n > 1 && len(l.Args) > 1
}

// pageToOffset replaces --page with the --offset of the first row of that page. If the line names a
// section that has parts, it replaces the flag with the one for the parts: fulltext --page 2.
func pageToOffset(l *Line) []result.Argv {
	name, value, n := l.splitFlag()
	for _, s := range l.sections() {
		if f := l.flag(s.Flag); f != nil && !f.Changed && slices.Contains(l.Words, s.Name) && command.IsFlag(f, name) {
			return asList(l.replace(l.faultIndex(), n, "--"+f.Name, value))
		}
	}
	number, err := strconv.Atoi(value)
	limit, offset := l.flag("limit"), l.flag("offset")
	validNumber := err == nil && number >= 1 && number <= 1_000_000
	if name != "page" || !validNumber || limit == nil || offset == nil || offset.Changed {
		return nil
	}
	size, _ := strconv.Atoi(limit.Value.String()) // the parser has accepted it
	return asList(l.replace(l.faultIndex(), n, "--offset", fmt.Sprint((number-1)*size)))
}

// yearsToDates replaces --year 2019 and --year 2018-2020 with a range of dates, --start 2019 and
// --end 2020 with one end of it, --years 5 with --last 5y, and --by year with --by-year.
func yearsToDates(l *Line) []result.Argv {
	name, value, n := l.splitFlag()
	isYears := strings.HasPrefix("years", strings.ToLower(value)) && len(value) > 3
	if name == "by" && l.flag("by-year") != nil && isYears {
		return asList(l.replace(l.faultIndex(), n, "--by-year"))
	}
	if l.flag("date-from") == nil {
		return nil
	}
	ends := []string{"start", "started", "start-year", "end", "ended", "end-year"}
	if i := slices.Index(ends, name); i >= 0 && len(value) == 4 && isNumber(value) {
		return asList(l.replace(l.faultIndex(), n, []string{"--date-from", "--date-to"}[i/3], value))
	}
	ranges := []string{"year", "years", "date", "dates", "pubyear", "pub-year", "publication-year"}
	if l.flag("last") == nil || !slices.Contains(ranges, name) {
		return nil
	}
	from, to, _ := strings.Cut(value, "-")
	switch {
	case len(value) <= 2 && isNumber(value) && value != "" && value != "0":
		return asList(l.replace(l.faultIndex(), n, "--last", value+"y"))
	case len(from) == 4 && isNumber(from) && to == "":
		return asList(l.replace(l.faultIndex(), n, "--date-from", from, "--date-to", from))
	case len(from) == 4 && len(to) == 4 && isNumber(from+to):
		return asList(l.replace(l.faultIndex(), n, "--date-from", from, "--date-to", to))
	}
	return nil
}

// valueAsFlag replaces a flag that is a value of another flag with that flag: --recruiting.
func valueAsFlag(l *Line) []result.Argv {
	name, _, _ := l.splitFlag()
	f, value := l.valueFlag(l.Cmd, name)
	_, next, _ := l.splitFlag()
	hasYear := isNumber(next) && next != "" // --start-date 2024
	if f == nil || f.Changed || hasYear || strings.Contains(l.Fault.Word, "=") {
		return nil
	}
	return asList(l.replace(l.faultIndex(), 1, l.flagWords(l.Cmd, f, value)...))
}

// sectionAsFlag replaces a flag named after a section, or --section with names, with the
// sections. If the line asks for a full text, an unknown section becomes the value of --part.
func sectionAsFlag(l *Line) []result.Argv {
	name, value, n := l.splitFlag()
	if command.MatchesName(name, "section", nil) && value != "" {
		part := l.flag("part")
		takesPart := part != nil && !part.Changed && slices.Contains(l.Words, "fulltext")
		if takesPart && !l.hasSection(value) {
			return asList(l.replace(l.faultIndex(), n, "--part", value))
		}
		return asList(l.replace(l.faultIndex(), n, strings.Split(value, ",")...))
	}
	for _, s := range append(slices.Clone(l.sections()), command.Section{Name: "all"}) {
		if command.MatchesName(name, s.Name, s.Synonyms) && len(l.sections()) > 0 && !strings.Contains(l.Fault.Word, "=") {
			return asList(l.replace(l.faultIndex(), 1, s.Name))
		}
	}
	return nil
}

// flagAsArg replaces a flag that describes the arguments of the command with its value: --query,
// --id, or an entity, as in search vaccine --disease measles.
func flagAsArg(l *Line) []result.Argv {
	name, value, n := l.splitFlag()
	def := l.def()
	entity := l.group("search") != nil && l.Tree.Member(l.group("search"), name) != nil
	isArg := NamesArgument(def, l.Cmd.Name(), name) || entity && def.Args.FreeText
	if value == "" || def.Args.Max == 0 || !isArg {
		return nil
	}
	return asList(l.replace(l.faultIndex(), n, value))
}

// NamesArgument reports whether name describes the arguments of a command, such as query or id.
func NamesArgument(def *command.Command, cmd, name string) bool {
	names := []string{
		"query", "q", "term", "terms", "keyword", "keywords", "text", "name", "search", "phrase", "question", "title",
	}
	if !def.Args.FreeText {
		names = []string{"id", "ids", "name", "query", "symbol", "accession", "q"}
	}
	names = append(names, strings.Fields(def.Args.Synonyms)...)
	return def.Args.Max != 0 && (slices.Contains(names, name) || command.MatchesName(name, cmd, def.Synonyms))
}

// flagOfRecord replaces a search by a flag that names another entity with a section of that entity's
// record: search drug --target EGFR.
func flagOfRecord(l *Line) (lines []result.Argv) {
	get, search := l.group("get"), l.group("search")
	name, value, n := l.splitFlag()
	if get == nil || search == nil || l.Cmd.Parent() != search || len(l.Args) >= n || value == "" {
		return nil
	}
	for _, c := range l.Tree.Commands(get) {
		def := l.Tree.Command(c)
		if c.Name() == l.Cmd.Name() || !command.MatchesName(name, c.Name(), def.Synonyms) {
			continue
		}
		for _, s := range def.Sections {
			if command.MatchesName(l.Cmd.Name(), s.Name, s.Synonyms) {
				words := append(l.replace(l.faultIndex(), n, value), s.Name)
				start := slices.Index(words, search.Name())
				lines = append(lines, slices.Concat(words[:start], command.Path(c), words[start+2:]))
			}
		}
	}
	return lines
}

// idFlag replaces a search by an ID with the get command: search article --pmid 32051057.
func idFlag(l *Line) []result.Argv { return asList(l.idFlag()) }

// idFlag returns the get command for a search whose flag at fault names the IDs of its entity and whose
// only arguments are IDs. It returns nil for any other line.
func (l *Line) idFlag() result.Argv {
	get := l.Tree.Counterpart(l.Cmd, "get")
	if get == nil || l.Cmd.Parent() != l.group("search") {
		return nil
	}
	name, value, given := strings.Cut(strings.TrimLeft(l.Fault.Word, "-"), "=")
	def := l.Tree.Command(get)
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	names := strings.FieldsFunc(strings.ToLower(def.Args.Name), notLetter) // pmid, pmcid, doi
	isName := func(w string) bool { return len(w) > 1 && command.MatchesName(name, w, nil) }
	if !slices.ContainsFunc(names, isName) && !NamesArgument(def, get.Name(), strings.ToLower(name)) {
		return nil
	}
	isSeparator := func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) }
	ids := strings.FieldsFunc(value+" "+strings.Join(l.Args, " "), isSeparator)
	isForeign := func(w string) bool { return def.IsID == nil || !def.IsID(w) }
	if len(ids) == 0 || slices.ContainsFunc(ids, isForeign) {
		return nil
	}
	line := l.replace(l.faultIndex(), 1)
	if given {
		line = l.replace(l.faultIndex(), 1, value)
	}
	start := slices.Index(line, l.Cmd.Parent().Name())
	return slices.Concat(line[:start], command.Path(get), line[start+2:])
}
