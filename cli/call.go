package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/polite"
)

// call is one command line, parsed. The format of the answer, the log, the
// policy and the command itself all go by this one reading of the words.
type call struct {
	globals
	tree    *command.Tree
	cmd     *cobra.Command
	words   []string // the line as it was typed
	args    []string
	may     command.Policy
	part    bool            // it runs as a part of another call
	failure *result.Failure // why it cannot be run
	watch   *polite.Watch   // of the run
}

// globals are the flags of every command. They are set also where the rest of
// the line cannot be parsed.
type globals struct {
	json, noColor, noCache, offline, quiet, help bool
	verbose                                      int // how many -v
}

// parse reads a command line in a tree that no other call uses: the command,
// then its flags and arguments. The first thing that is wrong is the failure;
// the rest is read nevertheless.
func parse(tree *command.Tree, words []string, may command.Policy) *call {
	words = reordered(tree, words)
	c := &call{tree: tree, cmd: tree.Root, may: may, words: words, args: []string{}, watch: &polite.Watch{}}
	rest := c.findCommand(words)
	if c.failure == nil {
		c.failure = tree.Allow(may, c.cmd)
	}
	c.readFlags(rest)
	on := func(name string) bool {
		v, err := c.cmd.Flags().GetBool(name)
		return err == nil && v
	}
	c.json, c.noColor, c.noCache, c.offline, c.quiet = on("json"), on("no-color"), on("no-cache"), on("offline"), on("quiet")
	c.help = c.help || on("help")
	c.verbose, _ = c.cmd.Flags().GetCount("verbose")
	if c.cmd == tree.Root && on("version") {
		c.cmd = tree.Member(tree.Root, "version")
	}
	if c.failure == nil {
		c.failure = c.check()
	}
	return c
}

// reordered is a line in which an entity comes first, as other programs have it, in
// the order of this one: "gene articles BRAF" is "get gene BRAF articles", and
// "gtr sync" is "sync gtr".
func reordered(tree *command.Tree, words []string) []string {
	i := slices.IndexFunc(words, func(w string) bool { return !isFlag(w) })
	if i < 0 || i+1 >= len(words) || tree.Member(tree.Root, words[i]) != nil {
		return words
	}
	member := func(group string) *cobra.Command {
		if g := tree.Member(tree.Root, group); g != nil {
			return tree.Member(g, words[i])
		}
		return nil
	}
	name, what := words[i], words[i+1]
	if what == "sync" && member("sync") != nil {
		return slices.Concat(words[:i], []string{"sync", name}, words[i+2:])
	}
	if get := member("get"); get != nil && slices.ContainsFunc(tree.Def(get).Sections, func(s command.Section) bool { return s.Name == what }) {
		return slices.Concat(words[:i], []string{"get", name}, words[i+2:], []string{what})
	}
	return words
}

// def is the command as it was declared.
func (c *call) def() *command.Command { return c.tree.Def(c.cmd) }

// fail keeps the first failure.
func (c *call) fail(f *result.Failure) {
	if c.failure == nil {
		c.failure = f
	}
}

// findCommand walks down the tree by hand: Cobra's own Find accepts an unknown
// word after a group. Flags may come before or between the words. What it
// returns are the words that are not the command's.
func (c *call) findCommand(words []string) (rest []string) {
	for i := 0; i < len(words); i++ {
		w, def := words[i], c.def()
		next := c.tree.Member(c.cmd, w)
		switch {
		case w == "--" || len(def.Commands) == 0:
			return append(rest, words[i:]...)
		case isFlag(w):
			_, n, _ := flagAt(c.tree.Flags(c.cmd), words[i:])
			rest = append(rest, words[i:i+n]...)
			i += n - 1
		case next != nil:
			c.cmd = next
		case w == "help" && c.cmd == c.tree.Root:
			c.help = true
		case def.Run != nil && def.Args.Max != 0:
			return append(rest, words[i:]...)
		default:
			c.fail(c.tree.Allow(c.may, c.cmd))
			unknown := c.tree.Unknown(c.may, c.cmd, w)
			if line := c.question(words[i:]); line != nil {
				unknown.Message, _, _ = strings.Cut(unknown.Message, "; did you mean")
				unknown.Try = line
			} else if near := c.tree.NearestMember(c.may, c.cmd, w); near != "" {
				unknown.Try = c.corrected(words[i:i+1], near)
			} else if line := c.otherGroup(w); line != nil {
				unknown.Try = line
			} else if line := c.nameAlone(words[i:]); line != nil {
				unknown.Try = line
			} else if left := c.tree.LeftOut(c.may, c.cmd, words[i:]); len(left) > 0 {
				unknown.Try = c.corrected(words[i:i+1], left...)
			}
			c.fail(unknown)
			return append(rest, words[i+1:]...)
		}
	}
	return rest
}

// readFlags sets the flags of the command that was found and collects its
// arguments. It goes on after a flag that is wrong.
func (c *call) readFlags(words []string) {
	set := c.tree.Flags(c.cmd)
	for i := 0; i < len(words); {
		if words[i] == "--" {
			c.args = append(c.args, words[i+1:]...)
			return
		}
		if !isFlag(words[i]) {
			c.args = append(c.args, words[i])
			i++
			continue
		}
		settings, n, err := flagAt(set, words[i:])
		for _, s := range settings {
			if err == nil {
				err = command.Give(set, s.flag, s.value)
			}
		}
		if twice := new(command.TwiceError); errors.As(err, &twice) {
			c.fail(result.Invalid(twice.Error(), append(command.Path(c.cmd), "--help")...))
		} else if err != nil {
			c.fail(c.badFlag(words[i:i+n], err))
		}
		i += n
	}
}

// check refuses a line that was read but cannot be run.
func (c *call) check() *result.Failure {
	def := c.def()
	group := def.Run == nil
	switch {
	case c.help && group && len(c.args) > 0:
		return c.tree.Unknown(c.may, c.cmd, c.args[0])
	case c.help:
		return nil
	case group:
		return bareGroup(c.tree, c.cmd, c.may)
	}
	if def.Args.FreeText && len(c.args) > 1 {
		c.args = []string{strings.Join(c.args, " ")}
	}
	if failure := c.tree.AllowInput(c.may, c.cmd, c.args); failure != nil {
		return failure
	}
	if c.offline && c.noCache {
		return result.Invalid("--offline answers from the cache, which --no-cache leaves out: give one of them", append(command.Path(c.cmd), "--help")...)
	}
	return checkArgs(c.cmd, def.Args, c.args)
}

// isFlag reports whether a word is one or several flags; "-" is an argument.
func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

type setting struct{ flag, value string }

// flagAt reads the flag that words begin with and sets nothing: what it would
// set, and how many words it takes. The error is pflag's.
func flagAt(set *pflag.FlagSet, words []string) (settings []setting, n int, err error) {
	for n = 1; n <= min(2, len(words)); n++ {
		settings = nil
		err = set.ParseAll(words[:n], func(f *pflag.Flag, value string) error {
			settings = append(settings, setting{f.Name, value})
			return nil
		})
		if !errors.As(err, new(*pflag.ValueRequiredError)) {
			return settings, n, err
		}
	}
	return nil, len(words), err
}

func bareGroup(tree *command.Tree, cmd *cobra.Command, may command.Policy) *result.Failure {
	var names []string
	for _, c := range tree.Commands(cmd) {
		if tree.Def(c) != nil && (may == command.Person || tree.ReadOnly(c)) {
			names = append(names, c.Name())
		}
	}
	what := strings.Join(command.Path(cmd), " ")
	if what == "" {
		what = "biomcp"
	}
	return result.Invalid(
		fmt.Sprintf("%s needs %s: %s", what, command.WithArticle(tree.Def(cmd).Noun), strings.Join(names, ", ")),
		append(command.Path(cmd), "--help")...)
}

// badFlag says which flag is wrong and which ones there are, and corrects it
// where the right one is near.
func (c *call) badFlag(typed []string, err error) *result.Failure {
	cmd := c.cmd
	try := append(command.Path(cmd), "--help")
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	message := err.Error()
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &value):
		message = fmt.Sprintf("--%s: %s", value.GetFlag().Name, value.Unwrap())
		if kind := kinds[value.GetFlag().Value.Type()]; kind != "" {
			message = fmt.Sprintf("--%s: %q is not %s", value.GetFlag().Name, command.Clip(value.GetValue()), kind)
		}
		if good := command.NearValue(value.GetFlag(), value.GetValue()); good != "" {
			try = c.corrected(typed, "--"+value.GetFlag().Name, good)
		} else if value.GetValue() == "json" {
			try = c.corrected(typed, "--json")
		}
	case errors.As(err, &unknown):
		name := strings.TrimLeft(unknown.GetSpecifiedName(), "-")
		message = fmt.Sprintf("no flag %q for %s", command.Clip(dashed(name)), strings.TrimSpace("biomcp "+strings.Join(command.Path(cmd), " ")))
		near := command.Nearest(name, names)
		flag, worth := "", ""
		if near == "" || strings.HasPrefix(name, near) {
			flag, worth = command.FlagOf(cmd.Flags(), name)
		}
		if flag != "" {
			message += "; did you mean --" + flag + " " + worth + "?"
			try = c.corrected(typed[:1], "--"+flag, worth)
		} else if near != "" {
			message += "; did you mean --" + near + "?"
			_, value, given := strings.Cut(typed[0], "=")
			if given {
				near += "=" + value
			}
			try = c.corrected(typed[:1], "--"+near)
			if at := slices.Index(try, "--date-from"); name == "year" && at >= 0 && at+1 < len(try) { // a year ends where it began
				try = slices.Insert(try, at+2, "--date-to", try[at+1])
			}
		} else {
			message += "; flags: --" + strings.Join(names, ", --")
			if _, value, _ := strings.Cut(typed[0], "="); c.inQuery(name, value, typed[0]) {
				try = c.corrected(typed[:1], strings.Fields(value)...)
			}
		}
	}
	return result.Invalid(message, try...)
}

// kinds names the types of flags in messages.
var kinds = map[string]string{"int": "a whole number", "count": "a whole number", "bool": "true or false"}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func checkArgs(cmd *cobra.Command, want command.Args, args []string) *result.Failure {
	path := strings.Join(command.Path(cmd), " ")
	switch {
	case len(args) < want.Min:
		return result.Invalid(fmt.Sprintf("%s needs %s", path, want.Name), append(command.Path(cmd), "--help")...)
	case want.Max == 0 && len(args) > 0:
		return result.Invalid(fmt.Sprintf("%s takes no arguments, only flags: %q", path, command.Clip(args[0])), append(command.Path(cmd), "--help")...)
	case want.Max > 0 && len(args) > want.Max:
		return result.Invalid(fmt.Sprintf("%s takes %s, and got %d words", path, want.Name, len(args)), append(command.Path(cmd), "--help")...)
	}
	return nil
}
