package command

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// Input is what a command is run with.
type Input struct {
	App  *App
	Args []string
	IO   IO
	May  Policy // of who asks
	Part bool   // the answer is a part of another one: nothing is asked to help with the next line

	path  []string // the command's own words: "search", "article"
	flags *pflag.FlagSet
	tree  *Tree

	without []string // flags that Line leaves out
}

// IO is the streams a command may use. Standard output is not among them: a
// command returns its answer.
type IO struct {
	In       io.Reader
	Err      io.Writer // progress, never the answer
	InTTY    bool      // In is a terminal and a question would be seen: a person can be asked
	ErrTTY   bool      // Err is a terminal: a progress bar can be drawn
	Protocol io.Writer // standard output, for a command that serves a protocol on it; nil elsewhere
}

// NewInput binds parsed flags and arguments; package cli calls it.
func NewInput(app *App, tree *Tree, io IO, path, args []string, flags *pflag.FlagSet) *Input {
	return &Input{App: app, Args: args, IO: io, path: path, flags: flags, tree: tree}
}

// Path is the words of the command: "search", "article".
func (in *Input) Path() []string { return slices.Clone(in.path) }

// Tree is the tree this command was found in.
func (in *Input) Tree() *Tree { return in.tree }

// With is the same input with other arguments, and without some more flags, which are
// left out of every command line made of it.
func (in *Input) With(args []string, without ...string) *Input {
	out := *in
	out.Args, out.without = args, slices.Concat(in.without, without)
	return &out
}

// String is a flag's text. Asking for a flag that is not defined panics.
func (in *Input) String(name string) string { return in.flag(name).Value.String() }

// Bool is a switch.
func (in *Input) Bool(name string) bool { return in.String(name) == "true" }

// Int is a number.
func (in *Input) Int(name string) int {
	n, err := strconv.Atoi(in.String(name))
	if err != nil {
		panic(fmt.Sprintf("flag --%s is not a number", name))
	}
	return n
}

// Strings is a repeatable flag's values, without empty ones.
func (in *Input) Strings(name string) []string {
	out := []string{}
	for _, v := range in.flag(name).Value.(pflag.SliceValue).GetSlice() {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// List is the words of an EnumList flag.
func (in *Input) List(name string) []string {
	if s := in.String(name); s != "" {
		return strings.Split(s, ",")
	}
	return []string{}
}

// Given reports whether the flag was typed.
func (in *Input) Given(name string) bool { return in.flag(name).Changed }

// Typed is Given for a flag that the command may not have.
func (in *Input) Typed(name string) bool {
	f := in.flags.Lookup(name)
	return f != nil && f.Changed
}

// On reports whether a flag that the command may not have was given a value, or switched on.
func (in *Input) On(name string) bool {
	return in.Typed(name) && !slices.Contains([]string{"", "false"}, in.String(name))
}

// Unused refuses a call with one of some flags that does nothing in it; why follows the
// flag in the message.
func (in *Input) Unused(why string, flags ...string) error {
	for _, name := range flags {
		if in.Given(name) {
			return result.Invalid("--"+name+" "+why, in.Again("--"+name, "")...)
		}
	}
	return nil
}

// Confirm asks whether what is removed may be, unless --yes says so. Where nobody can be asked,
// and where the answer is no, the failure is to be followed by again.
func (in *Input) Confirm(doing, question string, again ...string) error {
	if in.Bool("yes") {
		return nil
	}
	if !in.IO.InTTY {
		return result.Invalid(doing+" needs --yes where nobody can be asked", again...)
	}
	fmt.Fprint(in.IO.Err, question+" [y/N] ")
	answer, err := bufio.NewReader(in.IO.In).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); err != nil || a != "y" && a != "yes" {
		return result.Invalid("nothing was removed", again...)
	}
	return nil
}

// Values are the values that a flag has a list of.
func (in *Input) Values(name string) []string { return Begun(in.flag(name), "") }

// Limit is --limit, lowered to its cap with a notice on r.
func (in *Input) Limit() (n int, notice string, err error) {
	n = in.Int("limit")
	if n < 1 {
		return 0, "", result.Invalid(fmt.Sprintf("--limit must be at least 1, not %d", n), in.Again("--limit", in.flag("limit").DefValue)...)
	}
	if most, _ := strconv.Atoi(in.flag("limit").Annotations[listCap][0]); n > most {
		return most, fmt.Sprintf("limit lowered from %d to %d, the most this command gives at once", n, most), nil
	}
	return n, "", nil
}

// Offset is --offset, which cannot be negative.
func (in *Input) Offset() (int, error) {
	n := in.Int("offset")
	if n < 0 {
		return 0, result.Invalid(fmt.Sprintf("--offset must not be negative: %d", n), in.Again("--offset", "0")...)
	}
	return n, nil
}

// Again is this command line with some flags set to other values: pairs of a
// flag, dashes included, and its value. An empty value leaves a flag out.
func (in *Input) Again(pairs ...string) result.Argv {
	return in.Line(in.Args, pairs...)
}

// Line is this command with other arguments, the flags as typed and those in
// pairs set to other values; a flag may have several pairs. --json is kept, so that the
// next answer is JSON too.
func (in *Input) Line(args []string, pairs ...string) result.Argv {
	set := map[string]bool{}
	for i := 0; i+1 < len(pairs); i += 2 {
		set[pairs[i]] = true
	}
	var flags, asJSON result.Argv
	in.flags.Visit(func(f *pflag.Flag) {
		name := "--" + f.Name
		if set[name] || slices.Contains(in.without, f.Name) {
			return
		}
		if f.Name == "json" { // last: what is asked for reads first
			asJSON = typed(f)
			return
		}
		flags = append(flags, typed(f)...)
	})
	for i := 0; i+1 < len(pairs); i += 2 {
		switch name, value := pairs[i], pairs[i+1]; {
		case value == "":
		case value == "true" && in.isBool(strings.TrimPrefix(name, "--")): // a word behind it would be an argument
			flags = append(flags, name)
		case strings.HasPrefix(value, "-"):
			flags = append(flags, name+"="+value)
		default:
			flags = append(flags, name, value)
		}
	}
	return Line(in.path, args, append(flags, asJSON...))
}

// Line is the line of a command, the flags behind the operands unless one of these looks like a
// flag: then all operands follow "--".
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

// typed is a flag as it would be typed.
func typed(f *pflag.Flag) []string {
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
		panic(fmt.Sprintf("command %q asks for the flag --%s, which it does not define", strings.Join(in.path, " "), name))
	}
	return f
}
