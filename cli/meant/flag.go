package meant

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

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

// typed splits the flag at fault into its name and value, and returns the number of words
// that they take. The value is "" if the next word is a flag or the line ends.
func (l *Line) typed() (name, value string, n int) {
	name, value, given := strings.Cut(strings.TrimLeft(l.Fault.Word, "-"), "=")
	if i := l.at(); !given && i >= 0 && i+1 < len(l.Words) && !isFlag(l.Words[i+1]) {
		return name, l.Words[i+1], 2
	}
	return name, value, 1
}

// withFlag replaces the flag at fault with f and keeps the value. It returns nil if f
// requires a value and none was typed.
func (l *Line) withFlag(f *pflag.Flag) result.Argv {
	_, value, n := l.typed()
	switch {
	case f.Value.Type() == "bool" && strings.Contains(l.Fault.Word, "="):
		return l.replaced(l.at(), 1, "--"+f.Name+"="+value)
	case f.Value.Type() == "bool" && slices.Contains(strings.Split(f.Name, "-"), value): // --count-by year
		return l.replaced(l.at(), n, "--"+f.Name)
	case f.Value.Type() == "bool" || f.Value.Type() == "count":
		return l.replaced(l.at(), 1, "--"+f.Name)
	case value == "":
		return nil
	case strings.Contains(l.Fault.Word, "="):
		return l.replaced(l.at(), 1, "--"+f.Name+"="+value)
	}
	return l.replaced(l.at(), n, "--"+f.Name, value)
}

// flagAlso replaces a synonym of a flag with the flag's name. If the value is missing, it
// also proposes the first values that the flag accepts: --plot.
func flagAlso(l *Line) (lines []result.Argv) {
	name, value, _ := l.typed()
	for f := range l.flags(l.Cmd) {
		if !command.IsFlag(f, name) {
			continue
		}
		lines = append(lines, l.withFlag(f))
		for i, v := range command.Begun(f, "") {
			if value == "" && i < most {
				lines = append(lines, l.replaced(l.at(), 1, "--"+f.Name, v))
			}
		}
	}
	return lines
}

// begunFlag completes the prefix of a flag's name. It returns nil if more than two flags match. It
// skips a switch that has arguments on both sides, since the next word is a value: --exclude review.
func begunFlag(l *Line) (lines []result.Argv) {
	for f := range l.flags(l.Cmd) {
		if l.begins(f) && !l.between(f) {
			lines = append(lines, l.withFlag(f))
		}
	}
	if len(lines) > most {
		return nil
	}
	return lines
}

// mistypedFlag replaces a misspelt flag with the closest one of the command.
func mistypedFlag(l *Line) []result.Argv {
	var names []string
	for f := range l.flags(l.Cmd) {
		names = append(names, f.Name)
	}
	name, _, _ := l.typed()
	if near := l.flag(command.Nearest(name, names)); near != nil && !(l.begins(near) && l.between(near)) {
		return one(l.withFlag(near))
	}
	return nil
}

// begins reports whether the flag at fault is a prefix of the name of f.
func (l *Line) begins(f *pflag.Flag) bool {
	name, _, _ := l.typed()
	return len(name) >= 3 && strings.HasPrefix(f.Name, strings.ReplaceAll(name, "_", "-"))
}

// between reports whether f is a switch with arguments on both sides of the flag at fault.
func (l *Line) between(f *pflag.Flag) bool {
	_, _, n := l.typed()
	return f.Value.Type() == "bool" && n > 1 && len(l.Args) > 1
}

// page replaces --page with the --offset of the first row of that page.
func page(l *Line) []result.Argv {
	name, value, n := l.typed()
	number, err := strconv.Atoi(value)
	limit, offset := l.flag("limit"), l.flag("offset")
	if name != "page" || err != nil || number < 1 || number > 1_000_000 || limit == nil || offset == nil || offset.Changed {
		return nil
	}
	size, err := strconv.Atoi(limit.Value.String())
	if err != nil || size < 1 {
		return nil
	}
	return one(l.replaced(l.at(), n, "--offset", fmt.Sprint((number-1)*size)))
}

// years replaces --year 2019 and --year 2018-2020 with a range of dates, --start 2019 and
// --end 2020 with one end of it, --years 5 with --last 5y, and --by year with --by-year.
func years(l *Line) []result.Argv {
	name, value, n := l.typed()
	if name == "by" && l.flag("by-year") != nil && strings.HasPrefix("years", strings.ToLower(value)) && len(value) > 3 {
		return one(l.replaced(l.at(), n, "--by-year"))
	}
	if i := slices.Index([]string{"start", "started", "start-year", "end", "ended", "end-year"}, name); i >= 0 && l.flag("date-from") != nil && len(value) == 4 && isNumber(value) {
		return one(l.replaced(l.at(), n, []string{"--date-from", "--date-to"}[i/3], value))
	}
	if l.flag("date-from") == nil || l.flag("last") == nil || !slices.Contains([]string{"year", "years", "date", "dates", "pubyear", "pub-year", "publication-year"}, name) {
		return nil
	}
	from, to, _ := strings.Cut(value, "-")
	switch {
	case strings.HasPrefix(strings.ToLower(value), "last "):
		return one(l.replaced(l.at(), n, "--last", value))
	case len(value) <= 2 && isNumber(value) && value != "" && value != "0":
		return one(l.replaced(l.at(), n, "--last", value+"y"))
	case len(from) == 4 && isNumber(from) && to == "":
		return one(l.replaced(l.at(), n, "--date-from", from, "--date-to", from))
	case len(from) == 4 && len(to) == 4 && isNumber(from+to):
		return one(l.replaced(l.at(), n, "--date-from", from, "--date-to", to))
	}
	return nil
}

// format replaces --format json and its synonyms with the switch of that format, --json. Another
// format becomes the value of the one flag that accepts it: --format bibtex.
func format(l *Line) []result.Argv {
	name, value, n := l.typed()
	if l.Fault.Reason == command.BadValue {
		name = l.Fault.Flag.Name
	}
	if !formats[name] || value == "" {
		return nil
	}
	form := strings.ToLower(value)
	if f := l.flag(form); f != nil && f.Value.Type() == "bool" {
		return one(l.replaced(l.at(), n, "--"+form))
	}
	if f, word := l.valueFlag(l.Cmd, value); f != nil {
		return one(l.replaced(l.at(), n, l.setting(l.Cmd, f, word)...))
	}
	for f := range l.flags(l.Cmd) {
		if f.Changed && command.IsHostOnly(f) && strings.HasSuffix(f.Value.String(), "."+form) { // --format xlsx -o e.xlsx
			return one(l.replaced(l.at(), n))
		}
	}
	return nil
}

// formats holds the flag names with which other programs select the output format.
var formats = map[string]bool{"format": true, "output": true, "output-format": true, "out": true, "o": true, "f": true, "as": true, "fmt": true}

// valueFlag finds the flag of a command that accepts word, or a synonym of it, as a value.
// It returns the flag and the value, or nil if no flag or more than one does.
func (l *Line) valueFlag(c *cobra.Command, word string) (found *pflag.Flag, value string) {
	for f := range l.flags(c) {
		v, certain := command.ValueOf(f, word)
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

// setting returns a flag and its value, after the section that the flag requires, if any.
func (l *Line) setting(c *cobra.Command, f *pflag.Flag, value string) []string {
	words := []string{"--" + f.Name, value}
	for _, s := range l.Tree.Def(c).Sections {
		if s.Flag == f.Name && !slices.Contains(l.Words, s.Name) {
			return append([]string{s.Name}, words...)
		}
	}
	return words
}

// valueAsFlag replaces a flag that is a value of another flag with that flag: --recruiting.
func valueAsFlag(l *Line) []result.Argv {
	name, _, _ := l.typed()
	f, value := l.valueFlag(l.Cmd, name)
	for _, p := range l.def().Places {
		if f == nil && p.Is != nil && p.Is(name) {
			f, value = l.flag(p.Flag), name
		}
	}
	if _, of, _ := l.typed(); f == nil || strings.Contains(l.Fault.Word, "=") || f.Changed || isNumber(of) && of != "" { // --start-date 2024
		return nil
	}
	return one(l.replaced(l.at(), 1, l.setting(l.Cmd, f, value)...))
}

// sectionAsFlag replaces a flag named after a section, or --section with names, with the
// sections. If the line asks for a full text, an unknown section becomes the value of --part.
func sectionAsFlag(l *Line) []result.Argv {
	name, value, n := l.typed()
	if command.Is(name, "section", nil) && value != "" {
		if part := l.flag("part"); part != nil && !part.Changed && slices.Contains(l.Words, "fulltext") && !l.isSection(value) {
			return one(l.replaced(l.at(), n, "--part", value))
		}
		return one(l.replaced(l.at(), n, strings.Split(value, ",")...))
	}
	for _, s := range append(slices.Clone(l.sections()), command.Section{Name: "all"}) {
		if command.Is(name, s.Name, s.Also) && len(l.sections()) > 0 && !strings.Contains(l.Fault.Word, "=") {
			return one(l.replaced(l.at(), 1, s.Name))
		}
	}
	return nil
}

// inWords replaces a flag that describes the arguments of the command with its value: --query,
// --id, or an entity, as in search vaccine --disease measles.
func inWords(l *Line) []result.Argv {
	name, value, n := l.typed()
	def := l.def()
	names := []string{"query", "q", "term", "terms", "keyword", "keywords", "text", "name", "search", "phrase", "question", "title"}
	if !def.Args.FreeText {
		names = []string{"id", "ids", "name", "query", "symbol", "accession", "q"}
	}
	names = append(names, strings.Fields(def.Args.Also)...)
	entity := l.group("search") != nil && l.Tree.Member(l.group("search"), name) != nil
	own := command.Is(name, l.Cmd.Name(), def.Also)
	if value == "" || def.Args.Max == 0 || !slices.Contains(names, name) && !own && (!entity || !def.Args.FreeText) {
		return nil
	}
	return one(l.replaced(l.at(), n, value))
}

// ofRecord replaces a search with a get command. If the flag names another entity, it reads a
// section of that entity's record: search drug --target EGFR. If the flag names a section of the
// searched entity, it reads that section: search drug metformin --side-effects, search article
// --citing 32051057.
func ofRecord(l *Line) (lines []result.Argv) {
	get, search := l.group("get"), l.group("search")
	if get == nil || search == nil || l.Cmd.Parent() != search {
		return nil
	}
	name, value, n := l.typed()
	if name == "cites" {
		name = "citing" // "cites" would match the section cite, which formats a citation
	}
	for _, c := range l.Tree.Commands(get) {
		for _, s := range l.Tree.Def(c).Sections {
			var words result.Argv
			switch own := c.Name() == l.Cmd.Name(); {
			case own && len(l.Args) > 0 && n == 1 && command.Is(name, s.Name, s.Also):
				words = append(l.replaced(l.at(), 1), s.Name)
			case own && len(l.Args) < n && value != "" && strings.ContainsAny(value, "0123456789") && (l.Tree.Def(c).IsID == nil || l.Tree.Def(c).IsID(value)) && command.Is(name, s.Name, s.Also):
				words = l.replaced(l.at(), n, value, s.Name)
			case !own && len(l.Args) < n && value != "" && command.Is(l.Cmd.Name(), s.Name, s.Also) && command.Is(name, c.Name(), l.Tree.Def(c).Also):
				words = append(l.replaced(l.at(), n, value), s.Name)
			default:
				continue
			}
			start := slices.Index(words, search.Name())
			lines = append(lines, slices.Concat(words[:start], command.Path(c), words[start+2:]))
			if len(l.Args) < n && c.Name() == l.Cmd.Name() {
				return lines
			}
		}
	}
	return lines
}

// ofMember inserts the member of the group that has the flag, if it is the only one: sync
// --all-keys.
func ofMember(l *Line) (lines []result.Argv) {
	name, _, _ := l.typed()
	for _, c := range l.Tree.Commands(l.Cmd) {
		if l.Tree.Flags(c).Lookup(name) != nil {
			lines = append(lines, l.replaced(l.at(), 0, c.Name()))
		}
	}
	if len(lines) > 1 {
		return nil
	}
	return lines
}

// ofEntityRead replaces the command with get if the entity has the flag there: batch article 1 2
// --style ris.
func ofEntityRead(l *Line) []result.Argv {
	get := l.group("get")
	if get == nil || l.def().Args.FreeText || l.Cmd.Parent() != l.Tree.Root || len(l.Args) < 2 {
		return nil
	}
	name, _, _ := l.typed()
	if c := l.Tree.Member(get, l.Args[0]); c != nil && l.Tree.Flags(c).Lookup(name) != nil {
		return one(l.replaced(slices.Index(l.Words, l.Cmd.Name()), 1, get.Name()))
	}
	return nil
}

// longerName replaces a command with one that has the flag and whose name extends the
// command's by a hyphen: serve --port becomes serve-http --port.
func longerName(l *Line) []result.Argv {
	if l.top() {
		return nil
	}
	name, _, _ := l.typed()
	for _, c := range l.Tree.Commands(l.Cmd.Parent()) {
		if f := l.Tree.Flags(c).Lookup(name); f != nil && strings.HasPrefix(c.Name(), l.Cmd.Name()+"-") {
			return one(l.replaced(slices.Index(l.Words, l.Cmd.Name()), 1, c.Name()))
		}
	}
	return nil
}

// These words turn a switch on and off.
var on, off = []string{"true", "yes", "1"}, []string{"false", "no", "0"}

// IsSwitch reports whether a word turns a switch on or off.
func IsSwitch(word string) bool {
	return slices.Contains(slices.Concat(on, off), strings.ToLower(word))
}

// switched removes a word that turns a switch on, and removes the switch as well if the word
// turns it off: --review true.
func switched(l *Line) []result.Argv {
	switch {
	case l.Fault.Flag.Value.Type() != "bool" || !IsSwitch(l.value()):
		return nil
	case slices.Contains(on, strings.ToLower(l.value())):
		return one(l.replaced(l.at()+1, 1))
	}
	return one(l.replaced(l.at(), 2))
}

// twice merges two uses of a flag that takes a comma-separated list: --genes TP53 --genes KRAS.
func twice(l *Line) []result.Argv {
	i := l.at()
	j := slices.Index(l.Words[i+1:], l.Fault.Word) + i + 1
	if !slices.ContainsFunc(l.def().Places, func(p command.Place) bool { return p.Join == "," && p.Flag == l.Fault.Flag.Name }) || j == i || j+1 >= len(l.Words) {
		return nil
	}
	line := l.replaced(j, 2)
	line[i+1] += "," + l.Words[j+1]
	return one(line)
}

// endingAsFlag replaces a flag that is a file extension with the flag that writes such a file:
// --png, --format xlsx. Without a file name, the file is named after the command. If that flag
// writes a table other than the answer's, it proposes --json instead.
func endingAsFlag(l *Line) []result.Argv {
	ending, file, n := l.typed()
	if formats[ending] {
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
		if command.IsOtherTable(f, ending) {
			return one(l.replaced(l.at(), n, "--json"))
		}
		return one(l.replaced(l.at(), n, "--"+f.Name, file))
	}
	return nil
}

// valueAlso replaces a synonym or a prefix of a value with the value.
func valueAlso(l *Line) []result.Argv {
	if v, certain := command.ValueOf(l.Fault.Flag, l.value()); certain && v != "" {
		return one(l.withValue(v))
	}
	return nil
}

// nearValue replaces an invalid value with the closest valid one. For a file flag it proposes the
// file name with each valid extension.
func nearValue(l *Line) (lines []result.Argv) {
	for _, name := range command.FileNames(l.Fault.Flag, l.value()) {
		lines = append(lines, l.withValue(name))
	}
	if v, _ := command.ValueOf(l.Fault.Flag, l.value()); v != "" {
		return one(l.withValue(v))
	}
	return lines
}

// defaultValue replaces a non-numeric value with the default. If a flag with a list of values has
// none on the line, it proposes the values of the list: --chart.
func defaultValue(l *Line) (lines []result.Argv) {
	if l.Fault.Flag.Value.Type() == "int" {
		return one(l.withValue(l.Fault.Flag.DefValue))
	}
	for _, v := range command.Begun(l.Fault.Flag, l.value()) {
		lines = append(lines, l.withValue(v))
	}
	return lines
}

// value returns the value of the flag at fault.
func (l *Line) value() string {
	_, value, _ := l.typed()
	return value
}

func (l *Line) withValue(v string) result.Argv {
	_, _, n := l.typed()
	return l.replaced(l.at(), n, "--"+l.Fault.Flag.Name, v)
}
