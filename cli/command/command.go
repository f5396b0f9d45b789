package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/result"
)

// An Effect describes what a command changes. It decides who may run the command.
type Effect string

// The effects. Only Reads is open to an agent over MCP.
const (
	Reads   Effect = "reads"   // reads from the network or this disk and changes neither
	Stores  Effect = "stores"  // changes the corpus or other data on this machine
	Exports Effect = "exports" // writes files that the user names
	Serves  Effect = "serves"  // runs a server
	Local   Effect = "local"   // concerns this machine: its folders, its shell
)

// A Purpose is the heading under which the first screen lists a top-level command.
type Purpose string

// Purposes lists all purposes in the order of the first screen.
var Purposes = []Purpose{Find, Read, Keep, Analyse, Serve, Start}

// The purposes.
const (
	Find    Purpose = "find"
	Read    Purpose = "read"
	Keep    Purpose = "keep"
	Analyse Purpose = "analyse"
	Serve   Purpose = "serve"
	Start   Purpose = "start" // setup, help and checks
)

// A Command is one command or, if Commands is not empty, a group. A group may run by itself
// if the line names none of its members. Otherwise it has neither Effect nor Run.
type Command struct {
	Use      string // "article <pmid|pmcid|doi>... [section...]"
	Short    string // one line, an imperative without a full stop
	Aliases  []string
	Synonyms []string  // synonyms that a user may type; they are corrected, not accepted like aliases
	Variants []Variant // commands of similar programs that this command replaces with flags
	Purpose  Purpose   // for a top-level command
	Help     Help
	Examples []Example
	Effect   Effect
	// ReadOnlySwitch is a switch of a command that changes something. With this switch, no
	// other flag and no argument, the command only reads, and an agent may run it.
	ReadOnlySwitch string
	// Cacheable reports that the answer depends only on the line, the environment and
	// the replies of sources, not on files or the time. A server may reuse the answer
	// while the replies are unchanged.
	Cacheable bool
	// LocalOnly reports that Run uses no other machine. For a group, it means that none of the
	// members that only read does.
	LocalOnly bool
	// LocalOnlyIf, if not nil, reports the same for an environment.
	LocalOnlyIf func(*Env) bool
	// TakesKey reports that an argument may be a key or token. Other lines with one are rejected.
	TakesKey bool
	// OwnProgress reports that Run displays its own progress.
	OwnProgress bool
	Args        Args
	// Separate, if not nil, reports whether a word is an argument by itself. If all words of a free text
	// are, they are not joined.
	Separate func(word string) bool
	Flags    func(*Flags)
	Sections []Section // parts of the answer that the user names after the IDs
	Run      func(ctx context.Context, in *Input) (*result.Result, error)
	// Check returns the error that Run would return before it reads anything. It decides
	// whether a line may be suggested. A nil Check accepts every line.
	Check func(in *Input) error

	Noun        string // for a group: the kind of its members, "entity"
	SharedFlags string // for a large group: the flags that its members share, "--study <id>"
	Commands    []*Command

	// IsID reports whether word may be an ID for this command. It is nil if the IDs have
	// no recognisable format.
	IsID func(word string) bool
	// MatchExclusive reports whether text has an ID format that belongs to this command alone, such
	// as NCT01234567. It is nil if there is no such format.
	MatchExclusive func(text string) bool
	// ArgFlags lists the flags that arguments of a command without arguments may belong to.
	// A word belongs to the first place that accepts it.
	ArgFlags []ArgFlag
	// Suggest completes arguments in a shell from the tree and the arguments already typed.
	Suggest func(tree *Tree, args []string) []string
	// Refusal replaces the general message if an agent runs a command that is reserved for
	// a person.
	Refusal string
}

// A Variant is a command of a similar program that a command replaces with flags: lollipop is
// query --chart lollipop.
type Variant struct {
	Names []string
	Flags []string // flags with their values
}

// Help explains more than Short. Each part is prose, or a list of several lines; help omits empty parts.
type Help struct {
	Purpose   string // the purpose of the command
	Input     string
	Output    string
	Surprises string // behaviour that a new user would not expect
}

// A Section is a part of an answer that the user can ask for by name.
type Section struct {
	Name, Short string
	Synonyms    []string // synonyms
	Flag        string   // a flag that requires this section, or ""
}

// An ArgFlag is a flag that may be missing before a word.
type ArgFlag struct {
	Flag      string
	Accepts   func(word string) bool // reports whether the flag accepts word; nil accepts all but numbers
	Separator string                 // the separator of several words; "" if the flag accepts one
	// AcceptsTail, if not nil, reports whether word may follow the value of the flag. Such words are joined
	// to the value, or dropped if Separator is "". No other words belong to this place.
	AcceptsTail func(word string) bool
}

// An Example is a command line and its explanation. A test parses the line with the tree.
// The description of the MCP tool contains the first example of each command and those
// with ReadsLess, which show how to read less.
type Example struct {
	Line        string `json:"line"`
	Explanation string `json:"does"`
	ReadsLess   bool   `json:"-"`
}

// Args describes the arguments of a command.
type Args struct {
	Min, Max   int    // bounds of their number; a Max of -1 means no limit
	Name       string // describes the arguments in messages
	Synonyms   string // flags that a user may type before an argument, separated by spaces: "dir folder"
	Completion string // a flag whose values complete the first argument in a shell, "study", or [Folder]
	FreeText   bool   // joins all words to one argument, so that a query needs no quotes
}

// Folder is the value of Completion for an argument that is a folder on this machine.
const Folder = "folder"

// Help shows commands in the order of their definition.
func init() { cobra.EnableCommandSorting = false }

// A Tree holds Cobra commands and the Command that each was made from.
type Tree struct {
	Root         *cobra.Command
	defs         map[*cobra.Command]*Command
	pendingFlags map[*cobra.Command]bool // commands whose flags are not defined yet
	complete     map[*cobra.Command]bool // groups that have all their members
}

// NewTree returns the tree of root and its members. It is cheap, since [Tree.Commands],
// [Tree.Member] and [Tree.Flags] add members and flags on demand. They panic if a command
// cannot be run or authorised.
func NewTree(root *Command) *Tree {
	t := &Tree{
		defs:         map[*cobra.Command]*Command{},
		pendingFlags: map[*cobra.Command]bool{},
		complete:     map[*cobra.Command]bool{},
	}
	t.Root = t.add(root)
	t.Root.SilenceErrors, t.Root.SilenceUsage = true, true
	t.Root.CompletionOptions.DisableDefaultCmd = true
	// Package cli handles "help". Cobra's own help command would print.
	t.Root.SetHelpCommand(&cobra.Command{
		Use: "help", Short: "Explain a command", ValidArgsFunction: cobra.NoFileCompletions, Hidden: true,
	})
	defineGlobal(&Flags{set: t.Root.PersistentFlags()})
	return t
}

// Clone returns a new tree of the same commands, for another call.
func (t *Tree) Clone() *Tree { return NewTree(t.Command(t.Root)) }

// Expand adds all commands and flags to the tree and returns it. Code that walks the tree with
// Cobra's functions requires this.
func (t *Tree) Expand() *Tree {
	t.grow(t.Root)
	return t
}

// grow adds all members and flags below cc.
func (t *Tree) grow(cc *cobra.Command) {
	t.define(cc)
	for _, sub := range t.Commands(cc) {
		t.grow(sub)
	}
}

// Command returns the Command that c was made from, or nil.
func (t *Tree) Command(c *cobra.Command) *Command { return t.defs[c] }

// Commands returns the members of a group in the order of their definition.
func (t *Tree) Commands(group *cobra.Command) []*cobra.Command {
	if def := t.Command(group); def != nil && !t.complete[group] {
		t.complete[group] = true
		present := slices.Clone(group.Commands())
		group.RemoveCommand(present...) // added again below, in order
		for _, c := range def.Commands {
			if i := slices.IndexFunc(present, func(cc *cobra.Command) bool { return t.Command(cc) == c }); i >= 0 {
				group.AddCommand(present[i])
			} else {
				group.AddCommand(t.add(c))
			}
		}
	}
	return group.Commands()
}

// Counterpart returns the command of another group for the same entity, or nil.
func (t *Tree) Counterpart(c *cobra.Command, group string) *cobra.Command {
	return t.Member(t.Member(t.Root, group), c.Name())
}

// Member returns the member of a group whose name or alias is word, or nil. A nil group has no
// members. Member is cheaper than Commands.
func (t *Tree) Member(group *cobra.Command, word string) *cobra.Command {
	if group == nil {
		return nil
	}
	for _, cc := range group.Commands() {
		if t.Command(cc) != nil && t.Command(cc).hasName(word) {
			return cc
		}
	}
	if def := t.Command(group); def != nil && !t.complete[group] {
		for _, c := range def.Commands {
			if c.hasName(word) {
				cc := t.add(c)
				group.AddCommand(cc)
				return cc
			}
		}
	}
	return nil
}

// hasName reports whether word is the name or an alias of a command.
func (c *Command) hasName(word string) bool {
	name, _, _ := strings.Cut(c.Use, " ")
	return name == word || slices.Contains(c.Aliases, word)
}

// Flags returns the flags of a command, including the global ones.
func (t *Tree) Flags(cc *cobra.Command) *pflag.FlagSet {
	t.define(cc)
	cc.Flags().AddFlagSet(t.Root.PersistentFlags())
	return cc.Flags()
}

// define adds the flags of cc unless they are defined already.
func (t *Tree) define(cc *cobra.Command) {
	if t.pendingFlags[cc] {
		delete(t.pendingFlags, cc)
		cc.Flags().SortFlags = false // help shows them in the order of definition
		if c := t.Command(cc); c.Flags != nil {
			c.Flags(&Flags{set: cc.Flags()})
		}
		t.Command(cc).checkFlags(cc.Flags())
	}
}

// add returns a new Cobra command for c, without members and flags.
func (t *Tree) add(c *Command) *cobra.Command {
	c.check()
	cc := &cobra.Command{Use: c.Use, Short: c.Short, Aliases: c.Aliases}
	t.defs[cc], t.pendingFlags[cc] = c, true
	if c.Run == nil {
		return cc
	}
	cc.RunE = func(*cobra.Command, []string) error {
		panic("commands are run by package cli, never by cobra")
	}
	cc.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if c.Suggest == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c.Suggest(t, args), cobra.ShellCompDirectiveNoFileComp
	}
	return cc
}

// check panics if a command cannot be run or authorised.
func (c *Command) check() {
	name, _, _ := strings.Cut(c.Use, " ")
	if name == "" || c.Short == "" {
		panic(fmt.Sprintf("command %q has no name or no description", c.Use))
	}
	if len(c.Commands) > 0 {
		if c.Noun == "" {
			panic(fmt.Sprintf("the group %q has no Noun", name))
		}
		if c.Run == nil && c.Effect == "" {
			return
		}
	}
	switch c.Effect {
	case Reads, Stores, Exports, Serves, Local:
	default:
		panic(fmt.Sprintf("command %q declares no effect", name))
	}
	if c.Run == nil {
		panic(fmt.Sprintf("command %q has nothing to run", name))
	}
	if len(c.Examples) == 0 {
		panic(fmt.Sprintf("command %q shows no example", name))
	}
}

// checkFlags panics if ReadOnlySwitch is not a switch of the command or has no effect.
func (c *Command) checkFlags(flags *pflag.FlagSet) {
	if c.ReadOnlySwitch == "" {
		return
	}
	if f := flags.Lookup(c.ReadOnlySwitch); c.Effect == Reads || f == nil || f.Value.Type() != "bool" {
		panic(fmt.Sprintf("ReadsWith of command %q, --%s, is not a switch that changes its effect", c.Use, c.ReadOnlySwitch))
	}
}

// Complete registers the shell completion of arguments and flag values with Cobra: the words of enum
// flags, the values that have synonyms, and the values on this machine from localValues. Cobra
// keeps registered functions in a global map and never frees them, so call Complete only for a
// tree that handles a request for completions.
func (t *Tree) Complete(localValues func(c *cobra.Command, flag string) []string) {
	for cc, def := range t.defs {
		if source, complete := def.Args.Completion, cc.ValidArgsFunction; source == Folder {
			cc.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
		} else if source != "" {
			cc.ValidArgsFunction = func(c *cobra.Command, args []string, s string) ([]string, cobra.ShellCompDirective) {
				words, directive := complete(c, args, s)
				if len(args) == 0 {
					words = append(words, localValues(c, source)...)
				}
				return words, directive
			}
		}
		cc.Flags().VisitAll(func(f *pflag.Flag) {
			var words []string
			if e, is := f.Value.(*enumValue); is {
				words = e.words
			}
			for key := range f.Annotations {
				if value, is := strings.CutPrefix(key, valuePrefix); is {
					words = append(words, value)
				}
			}
			if IsHostOnly(f) { // the shell completes file names
				return
			}
			values := func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return append(words, localValues(c, f.Name)...), cobra.ShellCompDirectiveNoFileComp
			}
			if err := cc.RegisterFlagCompletionFunc(f.Name, values); err != nil {
				panic(err) // registered twice
			}
		})
	}
}
