package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// Input holds the arguments, flags and resources of one call of a command.
type Input struct {
	App    *App
	Args   []string
	IO     IO
	Policy Policy // the permissions of the caller
	Nested bool   // the answer becomes part of another one, so the command makes no calls for suggestions
	Whole  bool   // the rows are exported by another command, so lists are not cut to a page

	path  []string // the words of the command: "search", "article"
	flags *pflag.FlagSet
	tree  *Tree

	omitted []string // flags that Line omits
	list    *idList  // nil if no list was read

	ownerNotices *ownerNotices // shared by the copies of an Input
}

// ownerNotices is a set of notices.
type ownerNotices struct {
	mu    sync.Mutex // guards texts; sections are read concurrently
	texts []string
}

// OwnerNotice returns text, the text of a notice that names a command which stores on this machine. Only
// the owner of a server may run it, so [Input.IsOwnerNotice] reports true for the notice.
func (in *Input) OwnerNotice(text string) string {
	in.ownerNotices.mu.Lock()
	defer in.ownerNotices.mu.Unlock()
	in.ownerNotices.texts = append(in.ownerNotices.texts, text)
	return text
}

// IsOwnerNotice reports whether a notice of the command is one that [Input.OwnerNotice] returned.
func (in *Input) IsOwnerNotice(notice string) bool {
	in.ownerNotices.mu.Lock()
	defer in.ownerNotices.mu.Unlock()
	return slices.Contains(in.ownerNotices.texts, notice)
}

// IO holds the streams that a command may use. It lacks standard output, since a command
// returns its answer.
type IO struct {
	In       io.Reader
	Err      io.Writer // progress, never the answer
	InTTY    bool      // In is a terminal and prompts are visible, so the command can ask for confirmation
	ErrTTY   bool      // Err is a terminal, so the command can draw a progress bar
	Protocol io.Writer // standard output, for a command that serves a protocol on it; otherwise nil
}

// NewInput returns an Input with parsed flags and arguments, for package cli.
func NewInput(app *App, tree *Tree, io IO, path, args []string, flags *pflag.FlagSet) *Input {
	return &Input{App: app, Args: args, IO: io, path: path, flags: flags, tree: tree, ownerNotices: &ownerNotices{}}
}

// Path returns the words of the command: "search", "article".
func (in *Input) Path() []string { return slices.Clone(in.path) }

// Tree returns the tree that contains the command.
func (in *Input) Tree() *Tree { return in.tree }

// WithArgs returns a copy of the input with other arguments. Command lines made from the copy
// omit the given flags.
func (in *Input) WithArgs(args []string, omitted ...string) *Input {
	out := *in
	out.Args, out.omitted = args, slices.Concat(in.omitted, omitted)
	return &out
}

// String returns the text of a flag. It panics if the flag is not defined.
func (in *Input) String(name string) string { return in.flag(name).Value.String() }

// Bool returns the value of a switch. It panics if the flag is not defined.
func (in *Input) Bool(name string) bool { return in.String(name) == "true" }

// Int returns the value of a numeric flag. It panics if the flag is not defined or not a number.
func (in *Input) Int(name string) int {
	n, err := strconv.Atoi(in.String(name))
	if err != nil {
		panic(fmt.Sprintf("flag --%s is not a number", name))
	}
	return n
}

// Strings returns the values of a repeatable flag without empty ones.
func (in *Input) Strings(name string) []string {
	out := []string{}
	for _, v := range in.flag(name).Value.(pflag.SliceValue).GetSlice() {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// List returns the words of an EnumList flag.
func (in *Input) List(name string) []string {
	if s := in.String(name); s != "" {
		return strings.Split(s, ",")
	}
	return []string{}
}

// Given reports whether the flag was typed. It panics if the flag is not defined.
func (in *Input) Given(name string) bool { return in.flag(name).Changed }

// Changed reports whether the flag is defined and was typed.
func (in *Input) Changed(name string) bool {
	f := in.flags.Lookup(name)
	return f != nil && f.Changed
}

// IsSet reports whether the flag is defined, was typed and is neither empty nor false.
func (in *Input) IsSet(name string) bool {
	return in.Changed(name) && !slices.Contains([]string{"", "false"}, in.String(name))
}

// RejectUnused returns an error if any of the flags was given. Commands call it if the flags would
// have no effect. The message consists of the flag and reason.
func (in *Input) RejectUnused(reason string, flags ...string) error {
	for _, name := range flags {
		if in.Given(name) {
			return result.Invalid("--"+name+" "+reason, in.LineWith("--"+name, "")...)
		}
	}
	return nil
}

// Confirm asks for confirmation before something is removed, unless --yes was typed. It returns
// an error if the answer is not yes or if the input is not a terminal; the message names the action,
// and the error suggests retry.
func (in *Input) Confirm(action, question string, retry ...string) error {
	if in.Bool("yes") {
		return nil
	}
	if !in.IO.InTTY {
		return result.Invalid(action+" requires --yes if the input is not a terminal", retry...)
	}
	fmt.Fprint(in.IO.Err, question+" [y/N] ")
	answer, err := bufio.NewReader(in.IO.In).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); err != nil || a != "y" && a != "yes" {
		return result.Invalid("nothing was removed", retry...)
	}
	return nil
}

// Values returns the values that a flag accepts, if it has a list of them.
func (in *Input) Values(name string) []string { return ValuesWithPrefix(in.flag(name), "") }

// Limit returns --limit. If the value exceeds the flag's maximum, Limit returns the maximum and a
// notice. It returns an error if the value is less than 1.
func (in *Input) Limit() (n int, notice string, err error) {
	maximum, _ := strconv.Atoi(in.flag("limit").Annotations[limitCapKey][0])
	return in.LimitUpTo(maximum)
}

// LimitUpTo does the same as Limit, with another maximum.
func (in *Input) LimitUpTo(maximum int) (n int, notice string, err error) {
	n = in.Int("limit")
	if n < 1 {
		message := fmt.Sprintf("--limit must be at least 1, not %d", n)
		return 0, "", result.Invalid(message, in.LineWith("--limit", in.flag("limit").DefValue)...)
	}
	if n > maximum {
		return maximum, fmt.Sprintf("limit lowered from %d to %d, the most this command gives at once", n, maximum), nil
	}
	return n, "", nil
}

// Offset returns --offset. It returns an error if the value is negative.
func (in *Input) Offset() (int, error) {
	n := in.Int("offset")
	if n < 0 {
		return 0, result.Invalid(fmt.Sprintf("--offset must not be negative: %d", n), in.LineWith("--offset", "0")...)
	}
	return n, nil
}

// LineWith returns this command line with some flags set to other values. Each pair is a
// flag, including its hyphens, and its value. An empty value omits the flag.
func (in *Input) LineWith(pairs ...string) result.Argv {
	return in.Line(in.Args, pairs...)
}

// Line returns this command with other arguments. It keeps the typed flags, including --json,
// and sets those in pairs to other values. A flag may have several pairs.
func (in *Input) Line(args []string, pairs ...string) result.Argv {
	if in.list != nil {
		short, from := in.list.replaceIn(args)
		args, pairs = short, slices.Concat(pairs, from)
	}
	set := map[string]bool{}
	for i := 0; i+1 < len(pairs); i += 2 {
		set[pairs[i]] = true
	}
	var flags, asJSON result.Argv
	in.flags.Visit(func(f *pflag.Flag) {
		name := "--" + f.Name
		if set[name] || slices.Contains(in.omitted, f.Name) {
			return
		}
		if f.Name == "json" { // last, so that the line begins with the query
			asJSON = flagWords(f)
			return
		}
		flags = append(flags, flagWords(f)...)
	})
	for i := 0; i+1 < len(pairs); i += 2 {
		switch name, value := pairs[i], pairs[i+1]; {
		case value == "":
		case value == "true" && in.isBool(strings.TrimPrefix(name, "--")): // the word "true" would be an argument
			flags = append(flags, name)
		case strings.HasPrefix(value, "-"):
			flags = append(flags, name+"="+value)
		default:
			flags = append(flags, name, value)
		}
	}
	return Line(in.path, args, append(flags, asJSON...))
}

// Line returns a command line with the flags after the operands. If an operand looks like a flag, all
// operands stand at the end, after "--".
func Line(path, operands, flags []string) result.Argv {
	if slices.ContainsFunc(operands, func(o string) bool { return strings.HasPrefix(o, "-") && o != "-" }) {
		return slices.Concat(path, flags, []string{"--"}, operands)
	}
	return slices.Concat(path, operands, flags)
}

func (in *Input) isBool(name string) bool {
	f := in.flags.Lookup(name)
	return f != nil && f.Value.Type() == "bool"
}

// flagWords returns the words that set a flag to its current value.
func flagWords(f *pflag.Flag) []string {
	name := "--" + f.Name
	switch v := f.Value.(type) {
	case pflag.SliceValue:
		return result.Map(v.GetSlice(), func(s string) string { return name + "=" + s })
	default:
		switch f.Value.Type() {
		case "bool":
			if f.Value.String() == "true" {
				return []string{name}
			}
			return []string{name + "=false"}
		case "count":
			return nil
		}
		if s := f.Value.String(); strings.HasPrefix(s, "-") {
			return []string{name + "=" + s}
		}
		return []string{name, f.Value.String()}
	}
}

func (in *Input) flag(name string) *pflag.Flag {
	f := in.flags.Lookup(name)
	if f == nil {
		panic(fmt.Sprintf("command %q does not define the flag --%s", strings.Join(in.path, " "), name))
	}
	return f
}
