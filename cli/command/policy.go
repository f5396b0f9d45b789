package command

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// A Policy is the set of permissions of a caller.
type Policy int

const (
	// Person may run everything. It applies to a user at a terminal and to a script.
	Person Policy = iota
	// Agent may run commands that only read and may not use files of this machine.
	Agent
)

// RefusalPrefix begins each message for a command that an agent may not run.
const RefusalPrefix = "BioMCP allows read-only commands only"

// Allow returns a failure that lists the allowed commands if the policy forbids c, otherwise
// nil. It runs before flags are parsed.
func (t *Tree) Allow(p Policy, c *cobra.Command) *result.Failure {
	def := t.Command(c)
	if p == Person || !c.HasParent() || def.MayRead() || def.Run == nil && t.ReadOnly(c) {
		return nil
	}
	for def.Run == nil { // no command of the group may be run; use the refusal of the first
		def = def.Commands[0]
	}
	if def.Refusal != "" {
		return result.Invalid(def.Refusal, "list")
	}
	message := fmt.Sprintf("%s: %s is not one of them, and only the server's owner runs it, at a terminal. "+
		"Allowed: %s", RefusalPrefix, pathText(c), t.allowedNames())
	return result.Invalid(message, "list")
}

// AllowInput returns a failure if the policy forbids the flags or arguments, because they
// use files of this machine or because the command would do more than read.
func (t *Tree) AllowInput(p Policy, c *cobra.Command, args []string) *result.Failure {
	if p == Person {
		return nil
	}
	def, bad, message := t.Command(c), "", ""
	var omitted []string // pairs for Input.LineWith that omit the flags
	var form fileForm
	reads := def.Effect == Reads
	if def.ReadOnlySwitch != "" {
		reads = len(args) == 0 && c.Flag(def.ReadOnlySwitch).Value.String() == "true"
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		_, err := strconv.Atoi(f.Value.String())
		isNumber := f.Annotations[fileOrNumberKey] != nil && err == nil
		if IsHostOnly(f) && !isNumber {
			if f.Name == "output" {
				form = formOf(def, c.Flags(), f.Value.String())
			}
			if omitted = append(omitted, "--"+f.Name, ""); bad == "" {
				bad, message = "--"+f.Name, f.Annotations[hostOnlyKey][0]
			}
		}
		reads = reads && (def.Effect == Reads || f.Name == def.ReadOnlySwitch || c.InheritedFlags().Lookup(f.Name) != nil)
	})
	if bad == "" && slices.Contains(args, "-") {
		bad = "the argument -"
	}
	rest := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-" })
	if form.section != "" && !slices.Contains(rest, form.section) && len(rest) > 0 {
		rest = append(rest, form.section)
	}
	try := NewInput(nil, t, IO{}, Path(c), rest, c.Flags()).LineWith(append(omitted, form.pairs...)...)
	fromFile := len(rest) < len(args) || slices.Contains(omitted, "--ids-from")
	noArgs := len(rest) == 0 || fromFile && len(rest) == def.Args.Min
	if def.Args.Max != 0 && noArgs {
		try = append(Path(c), "--help")
	}
	switch {
	case message != "":
		return result.Invalid(message, try...)
	case bad != "":
		return result.Invalid(fileRefusal(bad), try...)
	case !reads:
		line := append(Path(c), "--"+def.ReadOnlySwitch)
		message := fmt.Sprintf("%s: %s is allowed only as %s", RefusalPrefix, pathText(c), strings.Join(line, " "))
		return result.Invalid(message, line...)
	}
	return nil
}

// A fileForm is the form of an answer that has the format of a file.
type fileForm struct {
	pairs   []string // for Input.LineWith
	section string   // the section that the form requires, if any
}

// formOf returns the form of the answer that prints what a file with the given name would hold: --csv or
// --style bibtex.
func formOf(def *Command, flags *pflag.FlagSet, file string) (form fileForm) {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	if ending == "xlsx" {
		ending = "csv"
	}
	if f := flags.Lookup(ending); f != nil && f.Value.Type() == "bool" {
		form.pairs = []string{"--" + ending, "true"}
	} else if f := flags.Lookup("style"); f != nil && !f.Changed && ending != "" {
		if style, certain := CorrectValue(f, ending); certain && style != "" {
			form.pairs = []string{"--style", style}
			if i := slices.IndexFunc(def.Sections, func(s Section) bool { return s.Flag == "style" }); i >= 0 {
				form.section = def.Sections[i].Name
			}
		}
	}
	return form
}

func fileRefusal(subject string) string {
	return fmt.Sprintf("%s: %s reads or writes files of the server's machine", RefusalPrefix, subject)
}

// WrongValue returns the message for a value that a flag does not accept. If the caller may not
// use the flag at all, it returns that message instead.
func (p Policy) WrongValue(f *pflag.Flag, message string) string {
	if p == Agent && IsHostOnly(f) {
		return cmp.Or(f.Annotations[hostOnlyKey][0], fileRefusal("--"+f.Name))
	}
	return message
}

// MayRead reports whether the command only reads, at least with its ReadOnlySwitch switch. Members
// do not count.
func (c *Command) MayRead() bool { return c.Effect == Reads || c.ReadOnlySwitch != "" }

// ReadOnly reports whether an agent may run the command or a member of the group.
func (t *Tree) ReadOnly(c *cobra.Command) bool {
	def := t.Command(c)
	return def != nil && def.readOnly()
}

func (c *Command) readOnly() bool {
	return c.MayRead() || slices.ContainsFunc(c.Commands, (*Command).readOnly)
}

// allowedNames returns the top-level commands that an agent may use.
func (t *Tree) allowedNames() string {
	var names []string
	for _, c := range t.Commands(t.Root) {
		if t.ReadOnly(c) {
			names = append(names, c.Name())
		}
	}
	return strings.Join(names, ", ")
}

// UnknownMember returns the refusal of a word that is not a member of the group.
func (t *Tree) UnknownMember(p Policy, group *cobra.Command, word string) *Refusal {
	def, names := t.Command(group), t.Members(p, group)
	message, all := fmt.Sprintf("no %s %q", def.Noun, Clip(word)), strings.Join(names, ", ")
	path, near := Path(group), Nearest(word, names)
	suggestion := Guess(near)
	if near != "" {
		path = append(path, near)
	}
	if p == Agent {
		message = RefusalPrefix + ": " + message + "; allowed: " + all + suggestion
	} else {
		message += cmp.Or(suggestion, "; available: "+all)
	}
	failure := result.Invalid(message, append(path, "--help")...)
	return &Refusal{Failure: failure, Reason: UnknownMember, Word: word, Near: near}
}

// Members returns the names of the members of a group that the policy allows.
func (t *Tree) Members(p Policy, group *cobra.Command) (names []string) {
	for _, c := range t.Commands(group) {
		if t.Command(c) != nil && (p == Person || t.ReadOnly(c)) {
			names = append(names, c.Name())
		}
	}
	return names
}

// Path returns the words of a command without the name of the program.
func Path(c *cobra.Command) []string {
	if !c.HasParent() {
		return []string{}
	}
	return append(Path(c.Parent()), c.Name())
}

func pathText(c *cobra.Command) string { return strings.Join(Path(c), " ") }

// Clip puts s in one line of at most 120 characters, for safe use in messages.
func Clip(s string) string { return ClipTo(120, s) }

// ClipTo puts s in one line and cuts it after n characters.
func ClipTo(n int, s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		for n > 0 && unicode.Is(unicode.M, r[n]) { // a letter keeps its marks
			n--
		}
		return string(r[:n]) + "…"
	}
	return s
}

// NULLine returns the number of the first line of a text with a NUL byte, if there is one. Then it is not text,
// or is UTF-16.
func NULLine(text []byte) (line int, ok bool) {
	before, _, ok := bytes.Cut(text, []byte{0})
	return bytes.Count(before, []byte("\n")) + 1, ok
}

// Abbreviate joins the first few names for a sentence, followed by the number of the others.
func Abbreviate(names []string) string {
	const few = 5
	if len(names) <= few+1 { // "and 1 more" would not be shorter
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
