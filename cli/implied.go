package cli

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
)

// followImplied continues the answer to a line whose command was implied by its words. It runs the one
// command that discover or suggest leads to. If that fails and the question has another reading, the answer of
// suggest remains. If discover does not know a name, a phrase is searched
// for, and any other line fails as it was typed. ok is false if res is the answer.
func (c *call) followImplied(
	ctx context.Context, in *command.Input, res *result.Result, err error,
) (out result.Outcome, ok bool) {
	if err != nil || c.implied == correct.NoKind || c.implied == correct.ID {
		return out, false
	}
	asked := result.Argv(c.withoutJSON()).String()
	found, isDiscovery := res.Payload.(*discoverReport)
	var target result.Argv
	var because string
	switch {
	case len(res.SingleHit) > 0 && isDiscovery:
		target, because = res.SingleHit, ", the only record that "+asked+" names"
	case len(res.SingleHit) > 0 && isNegated(strings.Join(c.words, " ")):
		res.Notice("no command was run, because it would answer the question without the word that negates it")
		return out, false
	case len(res.SingleHit) > 0:
		target, because = res.SingleHit, ", the first command of "+asked
	case !isDiscovery || found.hasExact() || c.implied == correct.Question:
		return out, false
	case c.implied == correct.Phrase:
		target, because = result.Argv{"search", "article", found.Query}, ", since "+asked+" finds no such name"
	default:
		return c.unknownName(ctx, in, found, res), true
	}
	next := parse(in.Tree().Clone(), slices.Concat(target, c.changedFlags()), c.policy)
	if next.refusal != nil || next.def().Effect != command.Reads {
		return out, false
	}
	next.corrected, next.because, next.nested, next.watch = true, because, c.nested, c.watch
	out = next.run(ctx, in.App, in.IO)
	if report, isSuggestion := res.Payload.(suggestReport); isSuggestion && report.doubtful && out.Failure != nil {
		return out, false // it may be the wrong reading of the question
	}
	if f := out.Failure; isDiscovery && found.local && f != nil && f.Code != result.NotFound {
		res.Notice(target.String() + " did not answer: " + out.Failure.Message)
		return result.Outcome{}, false
	}
	if out.Result != nil && !isDiscovery { // suggest names the words that its command leaves out
		out.Result.Notices = slices.Insert(out.Result.Notices, 1, res.Notices[len(c.correctionNotices()):]...)
	}
	return out, true
}

// isNegated reports whether a question has a word that negates it.
func isNegated(question string) bool {
	question = strings.ReplaceAll(strings.ToLower(question), "’", "'")
	words := strings.FieldsFunc(strings.ReplaceAll(question, "n't", " not"), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"not", "no", "never", "without", "nor", "neither", "none"}, w)
	})
}

// changedFlags returns the flags of the line with their values.
func (c *call) changedFlags() (list []string) {
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		flag := "--" + f.Name
		if f.Value.Type() != "bool" || f.Value.String() != "true" {
			flag += "=" + f.Value.String()
		}
		list = append(list, flag)
	})
	return list
}

// unknownName returns the failure of the line as it was typed, with what discover found.
func (c *call) unknownName(
	ctx context.Context, in *command.Input, found *discoverReport, res *result.Result,
) result.Outcome {
	out := c.typed.run(ctx, in.App, in.IO)
	f := out.Failure
	switch {
	case len(found.Concepts) > 0:
		f.Message += "; only longer names contain it"
		return out
	case found.isComplete():
		f.Message += "; no concept has this name"
	default:
		f.Message += "; whether it is a name is unknown: " + strings.Join(res.Notices[len(c.correctionNotices()):], "; ")
		return out
	}
	isDone := func(line result.Argv) bool { return slices.Equal(line, c.words) }
	lines := slices.DeleteFunc(append([]result.Argv{f.Try}, f.Alternatives...), isDone)
	if len(lines) == 0 {
		lines = []result.Argv{{"search", "article", found.Query}}
	}
	f.Try, f.Alternatives = lines[0], lines[1:]
	return out
}

// withoutJSON returns the words of the line without --json.
func (c *call) withoutJSON() []string {
	return slices.DeleteFunc(slices.Clone(c.words), func(w string) bool { return w == "--json" })
}
