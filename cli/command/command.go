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

// Effect says what running a command changes. It decides who may run it.
type Effect string

// The effects. Only Reads is open to an agent over MCP.
const (
	Reads   Effect = "reads"   // reads from the network or this disk and changes neither
	Stores  Effect = "stores"  // changes the corpus or other data on this machine
	Exports Effect = "exports" // writes files that the user names
	Serves  Effect = "serves"  // runs a server
	Local   Effect = "local"   // is about this workstation: its folders, its shell
)

// Purpose is what a person wants a command of the top for; the first screen goes by it.
type Purpose string

// Purposes are what commands are for, in the order of the first screen.
var Purposes = []Purpose{Find, Read, Keep, Analyse, Serve, Start}

// The purposes.
const (
	Find    Purpose = "find"
	Read    Purpose = "read"
	Keep    Purpose = "keep"
	Analyse Purpose = "analyse"
	Serve   Purpose = "serve"
	Start   Purpose = "start" // and learn, check
)

// Command is one command or, with Commands, a group of them. A group may also
// run by itself, where no word of a member follows; one that does not has
// neither Effect nor Run.
type Command struct {
	Use      string // "article <pmid|pmcid|doi>... [section...]"
	Short    string // one line, an imperative without a full stop
	Aliases  []string
	Also     []string // other words for it, which are no aliases: what a user may type first
	For      Purpose  // of a command of the top
	Help     Help
	Examples []Example
	Effect   Effect
	// ReadsWith is a switch of a command that changes something: with it, no
	// other flag and no argument, the command only reads, and an agent may run it.
	ReadsWith string
	// FromReplies says that an answer follows from the line, the environment and the
	// replies of sources, and from nothing else: no file, and not the time. A server
	// may give the same answer again as long as the replies are the same.
	FromReplies bool
	// OnDisk says that Run asks no other machine, in a group that its members that read ask none;
	// OnDiskIf says so for some settings.
	OnDisk   bool
	OnDiskIf func(*Env) bool
	// OwnProgress says that Run shows how far it is by itself.
	OwnProgress bool
	Args        Args
	Flags       func(*Flags)
	Sections    []Section // the parts of an answer that are asked for by name, after the ids
	Run         func(ctx context.Context, in *Input) (*result.Result, error)
	// Check refuses words that Run would refuse before it asks anything; nil refuses
	// none. It tells whether a line may be suggested.
	Check func(in *Input) error

	Noun     string // in a group: what its members are, "entity"
	Shared   string // in a group of many: the flags that its members share, "--study <id>"
	Commands []*Command

	// IsID reports whether a word may be an id of this command's; nil if that cannot
	// be seen.
	IsID func(word string) bool
	// Owns reports whether a text has the form of an id of this command's and of no
	// other's, such as NCT01234567; nil if no form is its own.
	Owns func(text string) bool
	// Places says for which flags the words are that follow a command which takes only
	// flags. A word goes to the first place that accepts it.
	Places []Place
	// Suggest completes arguments in a shell, from the tree and those already typed.
	Suggest func(tree *Tree, args []string) []string
	// Refusal replaces the general message when an agent asks for a command
	// that only a person may run.
	Refusal string
}

// Help explains more than Short; each part is prose, empty parts are left out.
type Help struct {
	About     string // what it is for
	Input     string
	Output    string
	Surprises string // what a new user would not expect
}

// Section is a part of an answer that is asked for by name.
type Section struct {
	Name, Short string
	Also        []string // other words for it
	Flag        string   // that goes with this section alone, "" for none
}

// Place is a flag for which a word may be meant that was typed without one.
type Place struct {
	Flag string
	Is   func(word string) bool // nil accepts every word that is no number
	Join string                 // it accepts several words, joined by this
	Tail func(word string) bool // it is for words behind its value alone, which are joined to it, or left out without Join
}

// Example is a command line, parsed against the tree by a test, and what it does.
// The MCP tool's description has the first of a command, and those that show how to
// read less.
type Example struct {
	Line  string `json:"line"`
	Does  string `json:"does"`
	Saves bool   `json:"-"`
}

// Args bounds the number of arguments; Max -1 is no bound. Name describes them in
// messages. FreeText makes one argument of all words, so that a query needs no
// quotes. Also are flags that
// someone may type for an argument, separated by blanks: "dir folder". Known
// is the flag by whose values a shell completes the first argument, "study", or [Folder].
type Args struct {
	Min, Max int
	Name     string
	Also     string
	Known    string
	FreeText bool
}

// Folder is the Known of an argument that is a folder of this machine.
const Folder = "folder"

// Commands are shown in the order they are listed in.
func init() { cobra.EnableCommandSorting = false }

// Tree is the commands in Cobra's form, each with the Command it was made from.
type Tree struct {
	Root *cobra.Command
	defs map[*cobra.Command]*Command
	bare map[*cobra.Command]bool // its flags are not defined yet
	// whole is the groups that have all their members.
	whole map[*cobra.Command]bool
}

// NewTree builds a tree. It costs little: it grows where [Tree.Commands], [Tree.Member]
// and [Tree.Flags] are asked, and panics there on a command that could not be run or
// authorised.
func NewTree(root *Command) *Tree {
	t := &Tree{defs: map[*cobra.Command]*Command{}, bare: map[*cobra.Command]bool{}, whole: map[*cobra.Command]bool{}}
	t.Root = t.add(root)
	t.Root.SilenceErrors, t.Root.SilenceUsage = true, true
	t.Root.CompletionOptions.DisableDefaultCmd = true
	// "help" is read by package cli; Cobra's own would print.
	t.Root.SetHelpCommand(&cobra.Command{Use: "help", Short: "Explain a command", ValidArgsFunction: cobra.NoFileCompletions, Hidden: true})
	global(&Flags{set: t.Root.PersistentFlags()})
	return t
}

// ForCall is a tree of the same commands for one more call.
func (t *Tree) ForCall() *Tree { return NewTree(t.Def(t.Root)) }

// Whole grows the tree to all its commands and flags, for what walks it by Cobra's own
// means, and returns it.
func (t *Tree) Whole() *Tree {
	t.grow(t.Root)
	return t
}

func (t *Tree) grow(cc *cobra.Command) {
	t.define(cc)
	for _, sub := range t.Commands(cc) {
		t.grow(sub)
	}
}

// Def is the value a Cobra command was made from.
func (t *Tree) Def(c *cobra.Command) *Command { return t.defs[c] }

// Commands are the members of a group, in the order of the list.
func (t *Tree) Commands(group *cobra.Command) []*cobra.Command {
	if def := t.Def(group); def != nil && !t.whole[group] {
		t.whole[group] = true
		some := slices.Clone(group.Commands())
		group.RemoveCommand(some...) // to be put back in order
		for _, c := range def.Commands {
			if i := slices.IndexFunc(some, func(cc *cobra.Command) bool { return t.Def(cc) == c }); i >= 0 {
				group.AddCommand(some[i])
			} else {
				group.AddCommand(t.add(c))
			}
		}
	}
	return group.Commands()
}

// Twin is the command of another group for the same entity, nil if there is none.
func (t *Tree) Twin(c *cobra.Command, group string) *cobra.Command {
	return t.Member(t.Member(t.Root, group), c.Name())
}

// Member is the member of a group that a word names, nil if there is none. It costs
// less than Commands.
func (t *Tree) Member(group *cobra.Command, word string) *cobra.Command {
	for _, cc := range group.Commands() {
		if t.Def(cc) != nil && t.Def(cc).named(word) {
			return cc
		}
	}
	if def := t.Def(group); def != nil && !t.whole[group] {
		for _, c := range def.Commands {
			if c.named(word) {
				cc := t.add(c)
				group.AddCommand(cc)
				return cc
			}
		}
	}
	return nil
}

// named reports whether a word is the name of a command, or another name for it.
func (c *Command) named(word string) bool {
	name, _, _ := strings.Cut(c.Use, " ")
	return name == word || slices.Contains(c.Aliases, word)
}

// Flags is the flags of a command, the global ones included.
func (t *Tree) Flags(cc *cobra.Command) *pflag.FlagSet {
	t.define(cc)
	cc.InheritedFlags() // merges them into the command's own
	return cc.Flags()
}

func (t *Tree) define(cc *cobra.Command) {
	if t.bare[cc] {
		delete(t.bare, cc)
		cc.Flags().SortFlags = false // help shows them as they are listed
		if c := t.Def(cc); c.Flags != nil {
			c.Flags(&Flags{set: cc.Flags()})
		}
		t.Def(cc).checkFlags(cc.Flags())
	}
}

func (t *Tree) add(c *Command) *cobra.Command {
	c.check()
	cc := &cobra.Command{Use: c.Use, Short: c.Short, Aliases: c.Aliases}
	t.defs[cc], t.bare[cc] = c, true
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

// check panics on a command that could not be run or authorised.
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

// checkFlags panics on a command whose flags do not have the switch it only reads with.
func (c *Command) checkFlags(flags *pflag.FlagSet) {
	if f := flags.Lookup(c.ReadsWith); c.ReadsWith != "" && (c.Effect == Reads || f == nil || f.Value.Type() != "bool") {
		panic(fmt.Sprintf("command %q only reads with --%s, which is not a switch that changes its effect", c.Use, c.ReadsWith))
	}
}

// Complete lets Cobra complete arguments and the values of flags in a shell: the words of a
// flag that takes a few, the values that have other words, and what known has of this machine. Cobra
// keeps them in a map of the whole process and never frees them, so that only a tree that is
// asked for completions registers its own.
func (t *Tree) Complete(known func(c *cobra.Command, flag string) []string) {
	for cc, def := range t.defs {
		if what, own := def.Args.Known, cc.ValidArgsFunction; what == Folder {
			cc.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
		} else if what != "" {
			cc.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) (words []string, d cobra.ShellCompDirective) {
				if words, d = own(c, args, typed); len(args) == 0 {
					words = append(words, known(c, what)...)
				}
				return words, d
			}
		}
		cc.Flags().VisitAll(func(f *pflag.Flag) {
			var words []string
			if e, is := f.Value.(*enum); is {
				words = e.words
			}
			for key := range f.Annotations {
				if value, is := strings.CutPrefix(key, valued); is {
					words = append(words, value)
				}
			}
			if IsHostOnly(f) { // files, which the shell completes
				return
			}
			err := cc.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return append(words, known(c, f.Name)...), cobra.ShellCompDirectiveNoFileComp
			})
			if err != nil {
				panic(err) // registered twice
			}
		})
	}
}
