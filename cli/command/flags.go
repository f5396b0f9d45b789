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

// Flags defines the flags of a command. A flag has one meaning in all commands, and
// flags that several commands share are defined here.
type Flags struct{ set *pflag.FlagSet }

// Annotations on flags.
const (
	hostOnlyKey     = "biomcp:host"   // the flag reads or writes a file on this machine
	fileOrNumberKey = "biomcp:number" // the flag accepts a number as well as a file
	writesKey       = "biomcp:writes" // the flag names a file to write
	rareKey         = "biomcp:rare"   // the description of the MCP tool omits the flag
	groupKey        = "biomcp:group"  // heading under which help shows the flag
	excludesKey     = "biomcp:not"    // a reason, then the flags that the flag excludes
	limitCapKey     = "biomcp:cap"    // maximum of --limit
	synonymsKey     = "biomcp:also"   // synonyms of the flag
	valuePrefix     = "biomcp:value:" // prefix; the rest is a value, and the annotation holds its synonyms
)

// ContinueAt is the name of the flag that sets the offset at which a long answer continues.
const ContinueAt = "continue-at"

// Follow is the name of the flag that makes a command continue with the only candidate it found.
const Follow = "follow"

// Follow defines --follow.
func (f *Flags) Follow(usage string) {
	f.Bool(Follow, false, usage)
	f.Rare(Follow)
	f.Group(OutputFlags, Follow)
}

// defineGlobal defines the flags of every command.
func defineGlobal(f *Flags) {
	f.Bool("json", false, "print one JSON document, even for a failure")
	f.Bool("no-color", false, "no colour, even on a terminal (NO_COLOR does the same)")
	f.Bool("no-cache", false, "ask NCBI again instead of using the response cache")
	f.Bool("offline", false, "answer only from the response cache, regardless of its age")
	f.Bool("long", false, "complete rows and passages, which lists truncate")
	f.AddSynonyms("long", "full", "wide")
	f.Bool("no-pager", false, "print a long answer directly, without $PAGER")
	f.Bool("quiet", false, "no progress on standard error")
	f.Int(ContinueAt, 0, "continue a truncated answer at the position that it names")
	f.Rare(ContinueAt)
	f.Excludes(ContinueAt, "JSON is never cut", "json")
	f.Excludes("offline", "it answers from the cache alone", "no-cache")
	f.set.CountP("verbose", "v", "log to standard error; -vv logs more")
	f.set.BoolP("help", "h", false, "show help for the command")
}

// String defines a flag with a text value.
func (f *Flags) String(name, def, usage string) { f.set.String(name, def, usage) }

// StringP does the same as String and adds a one-letter form.
func (f *Flags) StringP(name, letter, def, usage string) { f.set.StringP(name, letter, def, usage) }

// Float defines a flag with a floating-point value.
func (f *Flags) Float(name string, def float64, usage string) { f.set.Float64(name, def, usage) }

// Strings defines a repeatable flag. Commas do not separate values.
func (f *Flags) Strings(name, usage string) { f.StringsP(name, "", usage) }

// StringsP does the same as Strings and adds a one-letter form.
func (f *Flags) StringsP(name, letter, usage string) {
	f.set.VarP(&stringList{}, name, letter, usage)
}

// Bool defines a switch.
func (f *Flags) Bool(name string, def bool, usage string) { f.set.Bool(name, def, usage) }

// Int defines a flag with an integer value.
func (f *Flags) Int(name string, def int, usage string) { f.set.Int(name, def, usage) }

// Enum defines a flag that accepts one of the given words.
func (f *Flags) Enum(name, def, usage string, words ...string) {
	f.set.Var(&enumValue{value: def, words: words}, name, usage)
}

// EnumList defines a repeatable flag that accepts a comma-separated list of the given words.
func (f *Flags) EnumList(name, def, usage string, words ...string) {
	f.set.Var(&enumValue{value: def, words: words, isList: true}, name, usage)
}

// FileP defines a flag for a file to write. The file name must end in one of the endings, such as
// ".csv". Agents may not use the flag.
func (f *Flags) FileP(name, letter, usage string, endings ...string) {
	f.set.VarP(&fileValue{endings: endings}, name, letter, usage)
	f.HostOnly(name)
	f.Writes(name)
}

// Writes marks a flag that names a file to write. It defines --force, without which the file must not
// exist; see [Input.WriteFile].
func (f *Flags) Writes(name string) {
	f.annotate(name, writesKey, "true")
	if !f.Has(force) {
		f.Bool(force, false, "replace existing files")
		f.AddSynonyms(force, "overwrite", "clobber")
		f.HostOnly(force)
		f.Rare(force)
		f.Group(OutputFlags, force)
	}
	f.Group(OutputFlags, name)
}

// AddEndings makes a file flag accept more endings and appends usage to its description.
func (f *Flags) AddEndings(name, usage string, endings ...string) {
	flag := f.set.Lookup(name)
	flag.Usage += usage
	flag.Value.(*fileValue).endings = append(flag.Value.(*fileValue).endings, endings...)
}

// Page defines --limit and --offset. A command lowers a limit over limitCap and adds a notice.
func (f *Flags) Page(limit, limitCap int) {
	f.Limit(limit, limitCap, "how many to show")
	f.Offset()
}

// Offset defines --offset.
func (f *Flags) Offset() {
	f.set.Int("offset", 0, "how many to skip")
	f.AddSynonyms("offset", "skip", "start", "retstart", "begin")
	f.Rare("offset")
	f.Group(OutputFlags, "offset")
}

// LimitP does the same as Limit and adds a one-letter form.
func (f *Flags) LimitP(letter string, limit, limitCap int, usage string) {
	f.set.IntP("limit", letter, limit, fmt.Sprintf("%s (at most %d)", usage, limitCap))
	f.annotate("limit", limitCapKey, fmt.Sprint(limitCap))
	f.AddSynonyms("limit", strings.Fields(LimitSynonyms)...)
	f.Rare("limit")
	f.Group(OutputFlags, "limit")
}

// Limit defines --limit with its maximum.
func (f *Flags) Limit(limit, limitCap int, usage string) { f.LimitP("", limit, limitCap, usage) }

// LimitSynonyms lists the synonyms of --limit, separated by spaces.
const LimitSynonyms = "max n l num number size top results retmax max-results page-size per-page rows head k"

// AddSynonyms adds synonyms of a flag. A synonym of one letter stands after a single hyphen.
func (f *Flags) AddSynonyms(name string, words ...string) { f.annotate(name, synonymsKey, words...) }

// AddValueSynonyms adds synonyms of values of a flag. For a flag without a list of values, they
// apply to the values that words names.
func (f *Flags) AddValueSynonyms(name string, words Synonyms) {
	if e, is := f.set.Lookup(name).Value.(*enumValue); is {
		e.synonyms = words
		return
	}
	for value, others := range words {
		f.annotate(name, valuePrefix+value, strings.Fields(others)...)
	}
}

// IsFlag reports whether name, typed after hyphens, is the name or a synonym of a flag.
func IsFlag(f *pflag.Flag, name string) bool {
	if len(name) == 1 {
		return f.Shorthand == name || slices.Contains(f.Annotations[synonymsKey], name)
	}
	return MatchesName(name, f.Name, f.Annotations[synonymsKey])
}

// HostOnly marks a flag that reads or writes a file on this machine. An agent that uses the
// flag gets the message, or a general one if message is empty.
func (f *Flags) HostOnly(name string, message ...string) {
	f.annotate(name, hostOnlyKey, strings.Join(message, ""))
}

// FileOrNumber makes a file flag accept a number as well. An agent may use it with a number.
func (f *Flags) FileOrNumber(name string) {
	f.set.Lookup(name).Value.(*fileValue).number = true
	f.annotate(name, fileOrNumberKey, "true")
}

// Rare omits flags from the description of the MCP tool to keep it short. The help and the
// list command show them.
func (f *Flags) Rare(names ...string) {
	for _, name := range names {
		f.annotate(name, rareKey, "true")
	}
}

// Has reports whether a flag is defined.
func (f *Flags) Has(name string) bool { return f.set.Lookup(name) != nil }

// Hide omits a flag from help. Such a flag has no effect, or exists only to be rejected with an explanation.
func (f *Flags) Hide(name string) { f.set.Lookup(name).Hidden = true }

// IsRare reports whether the description of the MCP tool omits a flag.
func IsRare(f *pflag.Flag) bool { return len(f.Annotations[rareKey]) > 0 }

// IsHostOnly reports whether only a person may use a flag.
func IsHostOnly(f *pflag.Flag) bool { return len(f.Annotations[hostOnlyKey]) > 0 }

// annotate sets an annotation of a flag. It panics if the flag is not defined.
func (f *Flags) annotate(name, key string, values ...string) {
	if err := f.set.SetAnnotation(name, key, values); err != nil {
		panic(err)
	}
}

// SetFlag sets a flag to a typed value. A list keeps its previous values. It returns a *RepeatedFlagError if
// the flag takes one value and already has a different one.
func SetFlag(set *pflag.FlagSet, name, value string) error {
	f := set.Lookup(name)
	if f == nil {
		return set.Set(name, value) // returns the error for an unknown flag
	}
	before, given := f.Value.String(), f.Changed
	_, list := f.Value.(pflag.SliceValue)
	if e, is := f.Value.(*enumValue); is && e.isList {
		if list = true; given {
			value = before + "," + value
		}
	}
	if err := set.Set(name, value); err != nil {
		return err
	}
	if repeatable := list || f.Value.Type() == "count"; !given || repeatable || f.Value.String() == before {
		return nil
	}
	return &RepeatedFlagError{Flag: name, Values: [2]string{before, f.Value.String()}}
}

// RepeatedFlagError is returned by SetFlag if a flag that takes one value was given two.
type RepeatedFlagError struct {
	Flag   string
	Values [2]string
}

func (e *RepeatedFlagError) Error() string {
	return fmt.Sprintf("--%s takes one value and is given twice, %q and %q",
		e.Flag, Clip(e.Values[0]), Clip(e.Values[1]))
}

// stringList holds the values of a repeatable flag. It rejects a blank value, since ignoring it
// would broaden the search, as with --gene "$GENE" if GENE is not set. It replaces pflag's
// list, which allocates a 4 kB buffer for each flag of each tree.
type stringList struct{ list []string }

func (t *stringList) String() string     { return "[" + strings.Join(t.list, ",") + "]" }
func (t *stringList) Type() string       { return "stringArray" }
func (t *stringList) GetSlice() []string { return t.list }

func (t *stringList) Set(s string) error { return t.Append(s) }

func (t *stringList) Append(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("the value is empty")
	}
	t.list = append(t.list, s)
	return nil
}

func (t *stringList) Replace(list []string) error {
	t.list = list
	return nil
}

// fileValue is a pflag.Value that accepts a file name with one of the endings.
type fileValue struct {
	name    string
	endings []string
	number  bool // accept a number as well
}

func (f *fileValue) String() string { return f.name }
func (f *fileValue) Type() string   { return "file" }

func (f *fileValue) Set(s string) error {
	_, err := strconv.Atoi(s)
	isNumber := err == nil && f.number
	if !isNumber && !slices.Contains(f.endings, strings.ToLower(filepath.Ext(s))) {
		return fmt.Errorf("%q does not end in one of %s", Clip(s), strings.Join(f.endings, ", "))
	}
	f.name = s
	return nil
}

// enumValue is a pflag.Value that accepts one of the words, or a list of them if isList is true.
type enumValue struct {
	value    string
	words    []string
	isList   bool
	spelling func(word string) string
	synonyms Synonyms
}

func (e *enumValue) String() string { return e.value }

// Type returns the allowed words, which help shows as the placeholder of the value.
func (e *enumValue) Type() string {
	if e.isList {
		return strings.Join(e.words, ",")
	}
	return strings.Join(e.words, "|")
}

// Spelling makes an enum flag accept other spellings of its words. The function spelling converts
// a spelling to the word, and returns other words unchanged.
func (f *Flags) Spelling(name string, spelling func(word string) string) {
	f.set.Lookup(name).Value.(*enumValue).spelling = spelling
}

// FileNames returns a file name with each ending that the flag accepts instead of the wrong one. It
// returns nil if f is not a file flag.
func FileNames(f *pflag.Flag, wrong string) (names []string) {
	name := strings.TrimSuffix(wrong, filepath.Ext(wrong))
	if file, is := f.Value.(*fileValue); is && strings.Trim(name, "-./ ") != "" {
		for _, ending := range file.endings {
			names = append(names, name+ending)
		}
	}
	return names
}

// WritesOtherTable reports whether a flag accepts files with an ending, such as "csv", and writes a table
// other than the answer's, which --output writes.
func WritesOtherTable(f *pflag.Flag, ending string) bool {
	return f.Name != "output" && slices.Contains(FileNames(f, "x"), "x."+ending)
}

// CorrectValue corrects an invalid value of a flag. For an enum flag it returns the word that wrong is a
// synonym of or an unambiguous prefix of, which is certain, or else the closest word. For any other
// flag it returns the value that wrong is a synonym of. If not found, it returns "".
func CorrectValue(f *pflag.Flag, wrong string) (value string, certain bool) {
	e, is := f.Value.(*enumValue)
	if !is {
		for key, words := range f.Annotations {
			value, is := strings.CutPrefix(key, valuePrefix)
			if is && (hyphenate(value) == hyphenate(wrong) || slices.Contains(words, hyphenate(wrong))) {
				return value, true
			}
		}
		return "", false
	}
	certain = true
	asked := e.split(wrong)
	for i, w := range asked {
		word, sure := e.resolve(strings.TrimSpace(w))
		if asked[i] = word; word == "" {
			return "", false
		}
		certain = certain && sure
	}
	return strings.Join(asked, ","), certain
}

// resolve returns the value that word spells, is a synonym of or is the only prefix of, which is
// certain. Otherwise it returns the closest value, or "".
func (e *enumValue) resolve(word string) (value string, certain bool) {
	if value := e.lookup(word); value != "" {
		return value, true
	}
	for _, w := range e.words {
		if MatchesName(word, w, e.synonyms.Lookup(w)) {
			return w, true
		}
	}
	if begun := e.withPrefix(word); len(begun) == 1 {
		return begun[0], true
	}
	return Nearest(word, e.words), false
}

// withPrefix returns the values that begin with word. A word of one or two letters matches nothing.
func (e *enumValue) withPrefix(word string) (values []string) {
	for _, w := range e.words {
		if (word == "" || len(word) >= 3) && strings.HasPrefix(normalize(w), normalize(word)) {
			values = append(values, w)
		}
	}
	return values
}

// ValuesWithPrefix returns the values of a flag that begin with word, or all values if word is "". It knows the
// values of an enum flag, and of a flag whose usage lists them in back quotes: `survival|bar`.
func ValuesWithPrefix(f *pflag.Flag, word string) []string {
	e, is := f.Value.(*enumValue)
	if name, _ := pflag.UnquoteUsage(f); !is && strings.Contains(name, "|") {
		isPlaceholder := func(w string) bool { return strings.ToLower(w) != w || w == "..." }
		e = &enumValue{words: slices.DeleteFunc(strings.Split(name, "|"), isPlaceholder)}
	}
	if e == nil {
		return nil
	}
	return e.withPrefix(word)
}

// split returns the elements of a list, or s itself if the flag accepts a single word.
func (e *enumValue) split(s string) []string {
	if e.isList {
		return strings.Split(s, ",")
	}
	return []string{s}
}

// normalize lowercases word and removes spaces, hyphens and underscores.
func normalize(word string) string { return strings.ToLower(separators.Replace(word)) }

var separators = strings.NewReplacer(" ", "", "-", "", "_", "")

// lookup returns the word of the list that text spells, or "".
func (e *enumValue) lookup(text string) string {
	text = strings.TrimSpace(text)
	if e.spelling != nil {
		text = e.spelling(text)
	}
	for _, word := range e.words {
		if normalize(word) == normalize(text) {
			return word
		}
	}
	return ""
}

func (e *enumValue) Set(s string) error {
	asked := e.split(s)
	for i, w := range asked {
		if asked[i] = e.lookup(w); asked[i] == "" {
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
