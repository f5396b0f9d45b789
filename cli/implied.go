package cli

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
)

// followImplied continues the answer to a line whose command was implied by its words. It runs the one
// command that discover or suggest leads to. If that fails and the question has another reading, the answer of
// suggest remains. If discover does not know a name, a phrase is a question, and any other line fails as it was
// typed. If suggest has no command for a phrase, the phrase is searched for. ok is false if res is the answer.
func (c *call) followImplied(
	ctx context.Context, in *command.Input, res *result.Result, err error,
) (out result.Outcome, ok bool) {
	if err != nil || c.implied == correct.NoKind || c.implied == correct.ID {
		return out, false
	}
	asked := result.Argv(c.withoutJSON()).String()
	found, isDiscovery := res.Payload.(*discoverReport)
	report, isSuggestion := res.Payload.(suggestReport)
	negated := isNegated(strings.Join(c.words, " "))
	var target result.Argv
	var because string
	switch {
	case len(res.SingleHit) > 0 && isDiscovery:
		target, because = res.SingleHit, ", the only record that "+asked+" names"
	case negated && isSuggestion:
		if len(res.SingleHit) > 0 || c.implied == correct.Phrase {
			res.Notice("no command was run, because it would answer the question without the word that negates it")
		}
		return out, false
	case len(res.SingleHit) > 0 && report.answers(c.implied):
		target, because = res.SingleHit, ", the first command of "+asked
	case isSuggestion && c.implied == correct.Phrase:
		return c.searchPhrase(ctx, in, report.Question, ", since "+asked+" is not certain of a command", res.Next)
	case !isDiscovery || found.hasExact() || c.implied == correct.Question:
		return out, false
	case c.implied == correct.Phrase && negated:
		return c.searchPhrase(ctx, in, found.Query, ", since "+asked+" finds no such name", nil)
	case c.implied == correct.Phrase:
		return c.runNext(ctx, in, result.Argv{"suggest", found.Query}, "", correct.Phrase)
	default:
		return c.unknownName(ctx, in, found, res), true
	}
	if out, ok = c.runNext(ctx, in, target, because, correct.NoKind); !ok {
		return out, false
	}
	return c.afterRun(ctx, in, res, target, out)
}

// afterRun continues after the command target, to which the answer res led, has ended with out. If a phrase was
// misread, it is searched for. ok is false if res remains the answer.
func (c *call) afterRun(
	ctx context.Context, in *command.Input, res *result.Result, target result.Argv, ended result.Outcome,
) (out result.Outcome, ok bool) {
	f := ended.Failure
	found, isDiscovery := res.Payload.(*discoverReport)
	report, isSuggestion := res.Payload.(suggestReport)
	isAbsent := f != nil && f.Code == result.NotFound && !namesRecord(in.Tree(), report.Question)
	misread := f != nil && (report.doubtful || isAbsent || f.Code == result.Validation)
	switch {
	case misread && isSuggestion && c.implied == correct.Phrase:
		return c.searchPhrase(ctx, in, report.Question, ", since "+target.String()+" failed: "+f.Message, nil)
	case f != nil && report.doubtful:
		return ended, false // it may be the wrong reading of the question
	case f != nil && isDiscovery && found.local && f.Code != result.NotFound:
		res.Notice(target.String() + " did not answer: " + f.Message)
		return result.Outcome{}, false
	case ended.Result != nil && !isDiscovery: // suggest names the words that its command leaves out
		isKnown := func(notice string) bool { return slices.Contains(ended.Result.Notices, notice) }
		more := slices.DeleteFunc(slices.Clone(res.Notices[len(c.correctionNotices()):]), isKnown)
		ended.Result.Notices = slices.Insert(ended.Result.Notices, 1, more...)
	}
	return ended, true
}

// namesRecord reports whether a word of a question is an ID, so that its record is asked for and no other text.
func namesRecord(tree *command.Tree, question string) bool {
	return slices.ContainsFunc(strings.Fields(question), func(w string) bool {
		w = strings.Trim(w, ",;.?!")
		return tree.Owner(w) != "" || advice.NumericIDEntity(tree, w) != ""
	})
}

// runNext runs a line that only reads, with the flags of c. implied is the kind of its words if another line may
// follow its answer. ok is false if the line is rejected.
func (c *call) runNext(
	ctx context.Context, in *command.Input, line result.Argv, because string, implied correct.Kind,
) (out result.Outcome, ok bool) {
	next := parse(in.Tree().Clone(), slices.Concat(line, c.changedFlags()), c.policy)
	if next.refusal != nil || next.def().Effect != command.Reads {
		return out, false
	}
	next.corrected, next.because, next.nested, next.watch = true, because, c.nested, c.watch
	next.implied = implied
	return next.run(ctx, in.App, in.IO), true
}

// searchPhrase searches PubMed for a phrase. The answer names other commands that may answer it.
func (c *call) searchPhrase(
	ctx context.Context, in *command.Input, phrase, because string, others []result.Argv,
) (out result.Outcome, ok bool) {
	out, ok = c.runNext(ctx, in, result.Argv{"search", "article", phrase}, because, correct.NoKind)
	var lines []string
	for _, line := range others {
		if line[0] != "skill" && out.Result != nil {
			lines, out.Result.Next = append(lines, line.String()), append(out.Result.Next, line)
		}
	}
	if len(lines) > 0 {
		out.Result.Notices = slices.Insert(out.Result.Notices, 1, "the phrase may also ask for "+strings.Join(lines, ", or "))
	}
	return out, ok
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
