package cli

import (
	"context"
	"errors"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// follow runs, with --follow, the command of the only candidate: the one record that an alias
// names, or the one hit of a search. The answer is that command's, and says so. ok is false
// where there is none, or several.
func (c *call) follow(ctx context.Context, in *command.Input, res *result.Result, err error) (out result.Outcome, ok bool) {
	if !in.On(command.Follow) {
		return out, false
	}
	var why string
	var line result.Argv
	var f *result.Failure
	switch {
	case errors.As(err, &f) && f.Meta.Alias != nil && f.Meta.Alias.Kind == "canonical":
		why, line = f.Message, slices.DeleteFunc(slices.Clone(f.Try), func(w string) bool { return w == "--"+command.Follow })
		if f.Meta.Alias.Of == "" && len(line) == 3 {
			line = in.With(nil, command.Follow).Line(line[2:]) // with the flags of this line
		}
	case err == nil && res != nil && len(res.Only) > 0:
		why, line = "there is one hit", res.Only
	default:
		return out, false
	}
	if in.Bool("json") && !slices.Contains(line, "--json") {
		line = append(slices.Clone(line), "--json")
	}
	next := parse(in.Tree().ForCall(), line, c.may)
	next.part = c.part
	out = next.run(ctx, in.App, in.IO)
	if said := slices.DeleteFunc(slices.Clone(line), func(w string) bool { return w == "--json" }); out.Result != nil {
		out.Result.Notices = slices.Insert(out.Result.Notices, 0, why+"; this is "+said.String())
	}
	return out, true
}
