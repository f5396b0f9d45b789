package cli

import (
	"context"
	"encoding/json"
	"io"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// runNested runs another command line as part of this one, for the same caller, with the same cache
// and within the same deadline. stdin is the standard input of that command, or nil.
func runNested(ctx context.Context, in *command.Input, line result.Argv, stdin io.Reader) result.Outcome {
	c := parse(in.Tree().Clone(), line, in.Policy)
	c.nested, c.whole = true, entity.IsData(in)
	return c.run(ctx, in.App, command.IO{In: stdin, Err: io.Discard})
}

// mayRun returns those of the lines that the caller may run.
func mayRun(in *command.Input, lines []result.Argv) []result.Argv {
	c := &call{tree: in.Tree(), policy: in.Policy}
	return c.keepRunnable(in.App, in.IO, result.Outcome{Result: &result.Result{Next: lines}}).Result.Next
}

// part is one of several requests that a command makes at once, such as one to a source.
type part struct {
	source  result.SectionSource
	name    string          // in notices: "search gene", "MeSH"
	failure *result.Failure // nil if it answered
}

// joinParts adds the outcomes of the parts to an answer. It returns an error if at least one part
// failed and none answered.
func joinParts(res *result.Result, parts []part) error {
	answered := false
	var failure *result.Failure
	for _, p := range parts {
		switch {
		case p.failure != nil:
			p.source.Outcome, failure = result.Unavailable, p.failure
			res.Notice(p.name + " did not answer: " + p.failure.Message)
		case p.source.Outcome != result.Inapplicable:
			answered = true
		}
		res.Sections = append(res.Sections, p.source)
	}
	if !answered && failure != nil {
		return failure
	}
	return nil
}

// members returns the JSON members of an answer.
func members(r *result.Result) (map[string]json.RawMessage, error) {
	body, err := result.JSON(r.Payload)
	if err != nil {
		return nil, err
	}
	var out map[string]json.RawMessage
	return out, json.Unmarshal(body, &out)
}

// problem is a failure inside an answer.
type problem struct {
	Code    result.Code `json:"code"`
	Message string      `json:"message"`
	Try     string      `json:"try"`
}

func problemOf(f *result.Failure) *problem {
	p := &problem{Code: f.Code, Message: f.Message}
	if len(f.Try) > 0 {
		p.Try = f.Try.String()
	}
	return p
}
