package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
)

// Run is the one path of every command, whoever asks: find it in a fresh tree,
// authorise it, parse its words, run it. Rendering the outcome is the door's
// last step (result.Render). A panic becomes an UNKNOWN failure: its text goes
// to the log and to nobody else.
func Run(ctx context.Context, app *command.App, io command.IO, args []string, may command.Policy) result.Outcome {
	return runIn(ctx, NewTree(), app, io, args, may)
}

func runIn(ctx context.Context, tree *command.Tree, app *command.App, io command.IO, args []string, may command.Policy) (out result.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			app.Log.Error("panic", "value", fmt.Sprint(p), "stack", stack())
			out = result.Outcome{Failure: bug()}
		}
	}()
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	cmd, rest, failure := find(tree, args, may)
	if failure != nil {
		return result.Outcome{Failure: failure}
	}
	if failure := tree.Allow(may, cmd); failure != nil {
		return result.Outcome{Failure: failure}
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return result.Outcome{Failure: badFlag(cmd, err)}
	}
	flags := cmd.Flags()
	words := flags.Args()
	if help, _ := flags.GetBool("help"); help {
		if len(tree.Def(cmd).Commands) > 0 && len(words) > 0 {
			return result.Outcome{Failure: tree.Unknown(may, cmd, words[0])}
		}
		return result.Outcome{Result: &result.Result{Payload: explain(tree, cmd)}}
	}
	def := tree.Def(cmd)
	if len(def.Commands) > 0 {
		return result.Outcome{Failure: bareGroup(tree, cmd, may)}
	}
	if failure := command.AllowInput(may, flags, words); failure != nil {
		return result.Outcome{Failure: failure}
	}
	if failure := checkWords(cmd, def.Args, words); failure != nil {
		return result.Outcome{Failure: failure}
	}
	if fresh, _ := flags.GetBool("no-cache"); fresh {
		ctx = entrez.WithoutCache(ctx)
	}
	in := command.NewInput(app, tree, io, command.Path(cmd), words, flags)
	res, err := def.Run(ctx, in)
	out = result.Outcome{Result: res}
	if err != nil {
		out.Failure = failureOf(ctx, err)
		if out.Failure.Code == result.Unknown && out.Failure.Status == 0 {
			app.Log.Error("unclassified error", "command", cmd.Name(), "error", err)
		}
	}
	return out
}

// find walks down the tree by hand: Cobra's own Find accepts an unknown word
// after a group. Flags may stand before or between the words.
func find(tree *command.Tree, args []string, may command.Policy) (*cobra.Command, []string, *result.Failure) {
	cmd := tree.Root
	var flags []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			break
		}
		if strings.HasPrefix(a, "-") && a != "-" {
			// The global flags take no value, so that the next word is a command's.
			flags = append(flags, a)
			continue
		}
		def := tree.Def(cmd)
		if len(def.Commands) == 0 {
			return cmd, append(flags, args[i:]...), nil
		}
		next := child(cmd, a)
		if next == nil {
			if failure := tree.Allow(may, cmd); failure != nil {
				return nil, nil, failure
			}
			return nil, nil, tree.Unknown(may, cmd, a)
		}
		cmd = next
		args, i = args[i+1:], -1
	}
	return cmd, append(flags, afterFlags(args)...), nil
}

// afterFlags is what remains of a line that ended in flags: from "--" on.
func afterFlags(args []string) []string {
	for i, a := range args {
		if a == "--" {
			return args[i:]
		}
	}
	return nil
}

func child(group *cobra.Command, word string) *cobra.Command {
	for _, c := range group.Commands() {
		if c.Name() == word || c.HasAlias(word) {
			return c
		}
	}
	return nil
}

func bareGroup(tree *command.Tree, cmd *cobra.Command, may command.Policy) *result.Failure {
	var names []string
	for _, c := range cmd.Commands() {
		if tree.Def(c) != nil && (may == command.Person || tree.ReadOnly(c)) {
			names = append(names, c.Name())
		}
	}
	what := strings.Join(command.Path(cmd), " ")
	if what == "" {
		what = "biomcp"
	}
	return result.Invalid(
		fmt.Sprintf("%s needs %s: %s", what, withArticle(tree.Def(cmd).Noun), strings.Join(names, ", ")),
		append(command.Path(cmd), "--help")...)
}

// badFlag says which flag is wrong and which ones there are.
func badFlag(cmd *cobra.Command, err error) *result.Failure {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	message := err.Error()
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &value):
		message = fmt.Sprintf("--%s: %s", value.GetFlag().Name, value.Unwrap())
		if kind := value.GetFlag().Value.Type(); kind == "int" || kind == "bool" {
			message = fmt.Sprintf("--%s: %q is not %s", value.GetFlag().Name, command.Clip(value.GetValue()),
				map[string]string{"int": "a whole number", "bool": "true or false"}[kind])
		}
	case errors.As(err, &unknown):
		name := strings.TrimLeft(unknown.GetSpecifiedName(), "-")
		message = fmt.Sprintf("no flag %q for %s", command.Clip(dashed(name)), strings.TrimSpace("biomcp "+strings.Join(command.Path(cmd), " ")))
		if near := command.Nearest(name, names); near != "" {
			message += "; did you mean --" + near + "?"
		} else {
			message += "; flags: --" + strings.Join(names, ", --")
		}
	}
	return result.Invalid(message, append(command.Path(cmd), "--help")...)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func checkWords(cmd *cobra.Command, want command.Args, words []string) *result.Failure {
	path := strings.Join(command.Path(cmd), " ")
	switch {
	case len(words) < want.Min:
		return result.Invalid(fmt.Sprintf("%s needs %s", path, want.Name), append(command.Path(cmd), "--help")...)
	case want.Max == 0 && len(words) > 0:
		return result.Invalid(fmt.Sprintf("%s takes no words, only flags: %q", path, command.Clip(words[0])), append(command.Path(cmd), "--help")...)
	case want.Max > 0 && len(words) > want.Max:
		return result.Invalid(fmt.Sprintf("%s takes %s, and got %d words; put a phrase in quotes", path, want.Name, len(words)), append(command.Path(cmd), "--help")...)
	}
	return nil
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
