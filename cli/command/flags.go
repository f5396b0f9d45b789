package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Flags defines a command's flags. A flag word means the same everywhere: the
// words that several commands share are defined here, once.
type Flags struct{ set *pflag.FlagSet }

// Annotations on flags.
const (
	hostOnly  = "biomcp:host"   // reads or writes a file of this machine
	numberToo = "biomcp:number" // or is a number
	rare      = "biomcp:rare"   // not in the description of the MCP tool
	listCap   = "biomcp:cap"    // the greatest limit that is honoured
	also      = "biomcp:also"   // other words for the flag
	valued    = "biomcp:value:"
)

// At is the flag for the place from which an answer is shown.
const At = "continue-at"

// Follow is the flag to go on with the only candidate where an answer names one.
const Follow = "follow"

// Follow defines --follow.
func (f *Flags) Follow(usage string) {
	f.Bool(Follow, false, usage)
	f.Rare(Follow)
}

// global are the flags of every command.
func global(f *Flags) {
	f.Bool("json", false, "print one JSON document, also for a failure")
	f.Bool("no-color", false, "no colour, also on a terminal (NO_COLOR does the same)")
	f.Bool("no-cache", false, "ask NCBI again instead of using the response cache")
	f.Bool("offline", false, "answer from the response cache alone, whatever its age")
	f.Bool("long", false, "whole rows and passages, which lists cut short")
	f.Also("long", "full", "wide")
	f.Bool("no-pager", false, "print a long answer at once, not through $PAGER")
	f.Bool("quiet", false, "no progress on standard error")
	f.Int(At, 0, "go on with an answer that was cut, from the place that it names")
	f.Rare(At)
	f.set.CountP("verbose", "v", "log to standard error; -vv logs more")
	f.set.BoolP("help", "h", false, "show help for the command")
}

// String defines a flag with a text.
func (f *Flags) String(name, def, usage string) { f.set.String(name, def, usage) }

// StringP is String with a one-letter form.
func (f *Flags) StringP(name, letter, def, usage string) { f.set.StringP(name, letter, def, usage) }

// Float defines a number that may have a fraction.
func (f *Flags) Float(name string, def float64, usage string) { f.set.Float64(name, def, usage) }

// Strings defines a repeatable flag; a value is taken whole, commas included.
func (f *Flags) Strings(name, usage string) { f.StringsP(name, "", usage) }

// StringsP is Strings with a one-letter form.
func (f *Flags) StringsP(name, letter, usage string) {
	f.set.VarP(&texts{}, name, letter, usage)
}

// Bool defines a switch.
func (f *Flags) Bool(name string, def bool, usage string) { f.set.Bool(name, def, usage) }

// Int defines a number.
func (f *Flags) Int(name string, def int, usage string) { f.set.Int(name, def, usage) }

// Enum defines a flag with one of a few words.
func (f *Flags) Enum(name, def, usage string, words ...string) {
	f.set.Var(&enum{value: def, words: words}, name, usage)
}

// EnumList defines a flag with a list of words, separated by commas or each in a flag of its
// own.
func (f *Flags) EnumList(name, def, usage string, words ...string) {
	f.set.Var(&enum{value: def, words: words, many: true}, name, usage)
}

// FileP defines a flag for a file to write, of which the name ends in one of the endings,
// such as ".csv"; only a person may give it.
func (f *Flags) FileP(name, letter, usage string, endings ...string) {
	f.set.VarP(&file{endings: endings}, name, letter, usage)
	f.HostOnly(name)
}

// FileAlso lets the flag of a file take more endings, and adds to its usage what they are for.
func (f *Flags) FileAlso(name, usage string, endings ...string) {
	flag := f.set.Lookup(name)
	flag.Usage += usage
	flag.Value.(*file).endings = append(flag.Value.(*file).endings, endings...)
}

// Page defines --limit and --offset; a limit past the cap is lowered with a notice.
func (f *Flags) Page(limit, limitCap int) {
	f.Limit(limit, limitCap, "how many to show")
	f.Offset()
}

// Offset defines --offset.
func (f *Flags) Offset() {
	f.set.Int("offset", 0, "how many to skip")
	f.Also("offset", "skip", "start", "retstart", "begin")
	f.Rare("offset")
}

// LimitP is Limit with a one-letter form.
func (f *Flags) LimitP(letter string, limit, limitCap int, usage string) {
	f.set.IntP("limit", letter, limit, fmt.Sprintf("%s (at most %d)", usage, limitCap))
	f.annotate("limit", listCap, fmt.Sprint(limitCap))
	f.Also("limit", strings.Fields(Most)...)
	f.Rare("limit")
}

// Limit defines --limit with its cap.
func (f *Flags) Limit(limit, limitCap int, usage string) { f.LimitP("", limit, limitCap, usage) }

// Most is the other words for how many rows are shown.
const Most = "max n l num number size top results retmax max-results page-size per-page rows head k"

// Also adds other words for a flag; one of one letter is typed after a single hyphen.
func (f *Flags) Also(name string, words ...string) { f.annotate(name, also, words...) }

// ValuesAlso adds other words for the values of a flag, or for some of those that it may
// have.
func (f *Flags) ValuesAlso(name string, words Also) {
	if e, is := f.set.Lookup(name).Value.(*enum); is {
		e.also = words
		return
	}
	for value, others := range words {
		f.annotate(name, valued+value, strings.Fields(others)...)
	}
}

// IsFlag reports whether a name typed after hyphens names a flag, or is another word
// for it.
func IsFlag(f *pflag.Flag, name string) bool {
	if len(name) == 1 {
		return f.Shorthand == name || slices.Contains(f.Annotations[also], name)
	}
	return Is(name, f.Name, f.Annotations[also])
}

// HostOnly marks a flag that reads or writes a file of this machine; an agent
// may not use it, and is refused with the message, or without one in general words.
func (f *Flags) HostOnly(name string, message ...string) {
	f.annotate(name, hostOnly, strings.Join(message, ""))
}

// FileOrNumber lets a flag for a file take a number too, which an agent may give it.
func (f *Flags) FileOrNumber(name string) {
	f.set.Lookup(name).Value.(*file).number = true
	f.annotate(name, numberToo, "true")
}

// Rare leaves flags out of the description of the MCP tool, which is short. They are
// in help and in list.
func (f *Flags) Rare(names ...string) {
	for _, name := range names {
		f.annotate(name, rare, "true")
	}
}

// Hide leaves a flag out of help: it is there to be refused with a reason.
func (f *Flags) Hide(name string) { f.set.Lookup(name).Hidden = true }

// IsRare reports whether a flag is left out of the description of the MCP tool.
func IsRare(f *pflag.Flag) bool { return len(f.Annotations[rare]) > 0 }

// IsHostOnly reports whether a flag is only for a person at this machine.
func IsHostOnly(f *pflag.Flag) bool { return len(f.Annotations[hostOnly]) > 0 }

func (f *Flags) annotate(name, key string, values ...string) {
	if err := f.set.SetAnnotation(name, key, values); err != nil {
		panic(err) // the flag was not defined
	}
}

// Give sets a flag as it was typed. A list gets the value too where it has some. A flag
// of one value that has another one is an error: neither would be right.
func Give(set *pflag.FlagSet, name, value string) error {
	f := set.Lookup(name)
	if f == nil {
		return set.Set(name, value) // which says that there is none
	}
	before, given := f.Value.String(), f.Changed
	_, list := f.Value.(pflag.SliceValue)
	if e, is := f.Value.(*enum); is && e.many {
		if list = true; given {
			value = before + "," + value
		}
	}
	if err := set.Set(name, value); err != nil || !given || list || f.Value.Type() == "count" || f.Value.String() == before {
		return err
	}
	return &TwiceError{Flag: name, Values: [2]string{before, f.Value.String()}}
}

// TwiceError is a flag that takes one value and was given two.
type TwiceError struct {
	Flag   string
	Values [2]string
}

func (e *TwiceError) Error() string {
	return fmt.Sprintf("--%s takes one value and is given twice, %q and %q", e.Flag, Clip(e.Values[0]), Clip(e.Values[1]))
}

// texts are the values of a repeatable flag. A blank one is refused: to ignore it
// would broaden the search (--gene "$GENE" where GENE is not set). (pflag's own
// list writes CSV through a buffer of 4 kB for each flag of each tree.)
type texts struct{ list []string }

func (t *texts) String() string     { return "[" + strings.Join(t.list, ",") + "]" }
func (t *texts) Type() string       { return "stringArray" }
func (t *texts) GetSlice() []string { return t.list }

func (t *texts) Set(s string) error { return t.Append(s) }

func (t *texts) Append(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("the value is empty")
	}
	t.list = append(t.list, s)
	return nil
}

func (t *texts) Replace(list []string) error {
	t.list = list
	return nil
}

// file is a pflag.Value that takes the name of a file with one of a few endings.
type file struct {
	name    string
	endings []string
	number  bool // or a number
}

func (f *file) String() string { return f.name }
func (f *file) Type() string   { return "file" }

func (f *file) Set(s string) error {
	if _, err := strconv.Atoi(s); (err != nil || !f.number) && !slices.Contains(f.endings, strings.ToLower(filepath.Ext(s))) {
		return fmt.Errorf("%q does not end in one of %s", Clip(s), strings.Join(f.endings, ", "))
	}
	f.name = s
	return nil
}

// enum is a pflag.Value that takes one of a few words, or a list of them.
type enum struct {
	value    string
	words    []string
	many     bool
	spelling func(word string) string
	also     Also
}

func (e *enum) String() string { return e.value }

// Type is what help shows in place of a value: the allowed words.
func (e *enum) Type() string {
	if e.many {
		return strings.Join(e.words, ",")
	}
	return strings.Join(e.words, "|")
}

// Spelling lets a flag of a few words take other spellings of these: it makes one of them
// of a word, or gives the word back.
func (f *Flags) Spelling(name string, spelling func(word string) string) {
	f.set.Lookup(name).Value.(*enum).spelling = spelling
}

// FileNames are the name of a file with each ending that its flag takes; none of a flag for
// something else.
func FileNames(f *pflag.Flag, wrong string) (names []string) {
	name := strings.TrimSuffix(wrong, filepath.Ext(wrong))
	if file, is := f.Value.(*file); is && strings.Trim(name, "-./ ") != "" {
		for _, ending := range file.endings {
			names = append(names, name+ending)
		}
	}
	return names
}

// IsOtherTable reports whether a flag writes a table with an ending, such as "csv", that is not
// the table of the answer, which --output writes.
func IsOtherTable(f *pflag.Flag, ending string) bool {
	return f.Name != "output" && slices.Contains(FileNames(f, "x"), "x."+ending)
}

// ValueOf returns the value that a flag of a few words accepts in place of a wrong one:
// another word for it, or the only one that it begins, which is certain, or one that is
// near. Of another flag it is a value that the word is another word for. It is "" where
// there is none.
func ValueOf(f *pflag.Flag, wrong string) (value string, certain bool) {
	e, is := f.Value.(*enum)
	if !is {
		for key, words := range f.Annotations {
			if value, is := strings.CutPrefix(key, valued); is && (hyphened(value) == hyphened(wrong) || slices.Contains(words, hyphened(wrong))) {
				return value, true
			}
		}
		return "", false
	}
	certain = true
	asked := e.split(wrong)
	for i, w := range asked {
		word, sure := e.meant(strings.TrimSpace(w))
		if asked[i] = word; word == "" {
			return "", false
		}
		certain = certain && sure
	}
	return strings.Join(asked, ","), certain
}

// meant returns the value that a word is, means or begins, or that is near.
func (e *enum) meant(word string) (value string, certain bool) {
	if value := e.named(word); value != "" {
		return value, true
	}
	for _, w := range e.words {
		if Is(word, w, e.also.For(w)) {
			return w, true
		}
	}
	if begun := e.begun(word); len(begun) == 1 {
		return begun[0], true
	}
	return Nearest(word, e.words), false
}

// begun are the values that begin with a word.
func (e *enum) begun(word string) (values []string) {
	for _, w := range e.words {
		if (word == "" || len(word) >= 3) && strings.HasPrefix(folded(w), folded(word)) {
			values = append(values, w)
		}
	}
	return values
}

// Begun are the values of a flag that begin with a word, all with "", where it has a list of
// them, or its usage has one in back quotes: `survival|bar`.
func Begun(f *pflag.Flag, word string) []string {
	e, is := f.Value.(*enum)
	if name, _ := pflag.UnquoteUsage(f); !is && strings.Contains(name, "|") {
		e = &enum{words: slices.DeleteFunc(strings.Split(name, "|"), func(w string) bool { return strings.ToLower(w) != w || w == "..." })}
	}
	if e == nil {
		return nil
	}
	return e.begun(word)
}

func (e *enum) split(s string) []string {
	if e.many {
		return strings.Split(s, ",")
	}
	return []string{s}
}

// folded is a word without what does not tell values apart: case, blanks, hyphens.
func folded(word string) string { return strings.ToLower(folding.Replace(word)) }

var folding = strings.NewReplacer(" ", "", "-", "", "_", "")

// named is the word of the list that a text spells, "" if there is none.
func (e *enum) named(text string) string {
	text = strings.TrimSpace(text)
	if e.spelling != nil {
		text = e.spelling(text)
	}
	for _, word := range e.words {
		if folded(word) == folded(text) {
			return word
		}
	}
	return ""
}

func (e *enum) Set(s string) error {
	asked := e.split(s)
	for i, w := range asked {
		if asked[i] = e.named(w); asked[i] == "" {
			w = strings.TrimSpace(w)
			if len(e.words) == 1 {
				return fmt.Errorf("%q is not %s, its only value", Clip(w), e.words[0])
			}
			return fmt.Errorf("%q is not one of %s%s", Clip(w), strings.Join(e.words, ", "), DidYouMean(w, e.words))
		}
	}
	e.value = ""
	for i, w := range asked {
		if !slices.Contains(asked[:i], w) {
			e.value += "," + w
		}
	}
	e.value = strings.TrimPrefix(e.value, ",")
	return nil
}
