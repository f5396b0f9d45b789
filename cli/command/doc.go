// Package command defines commands: their names, help, declared [Effect], flags and
// the function that returns the answer.
//
// A [Command] is a value. [NewTree] turns a root command into a Cobra tree. This uses
// no disk, environment or network and is cheap enough to do for every call. It panics
// if a command declares no effect, so that no command gets one by default. Package cli
// runs the commands; this package never prints and never exits.
//
//	var version = &command.Command{
//		Use: "version", Short: "Print the version", Effect: command.Reads,
//		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) { … },
//	}
package command
