// Package command is what a command is made of: its words, its help, its
// declared [Effect], its flags and the function that answers.
//
// A [Command] is a value. [NewTree] turns a root of them into a Cobra tree,
// which is pure (no disk, environment or network) and cheap enough to be built
// for every call. A command that declares no effect panics there: what a
// command may do is never a default. Running one is package cli's work; this
// package prints nothing and ends no process.
//
//	var version = &command.Command{
//		Use: "version", Short: "Print the version", Effect: command.Reads,
//		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) { … },
//	}
package command
