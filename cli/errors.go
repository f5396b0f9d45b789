package cli

import (
	"context"
	"errors"

	"biomcp/cli/result"
	"biomcp/entrez/fault"
)

// statusOf returns the exit status for a failure code.
func statusOf(code result.Code) int {
	if code == result.Validation {
		return 2
	}
	return 1
}

// hintOf returns the command to suggest after a failure that suggests none itself.
func hintOf(code result.Code) result.Argv {
	if code == result.Validation || code == result.NotFound {
		return result.Argv{"list"}
	}
	return result.Argv{"health"}
}

// ExitStatus returns the exit status of an outcome.
func ExitStatus(o result.Outcome) int {
	switch {
	case o.Failure == nil:
		return 0
	case o.Failure.Status != 0:
		return o.Failure.Status
	}
	return statusOf(o.Failure.Code)
}

// errInterrupted is the cause of a context that was cancelled by Ctrl-C or SIGTERM.
var errInterrupted = errors.New("interrupted")

// interrupted is the exit status after an interrupt: 128 plus the number of SIGINT.
const interrupted = 130

// failureOf converts an error to a failure by what package fault says that it means. It is the
// only function that does.
func failureOf(ctx context.Context, err error) *result.Failure {
	f, ok := errors.AsType[*result.Failure](err)
	if !ok {
		f = newFailure(fault.Of(err), errors.Is(context.Cause(ctx), errInterrupted))
	}
	if len(f.Try) == 0 {
		f.Try = hintOf(f.Code)
	}
	return f
}

// newFailure returns the failure for an error that means m. An interrupted command that has done
// nothing yet failed for no other reason.
func newFailure(m fault.Meaning, byUser bool) *result.Failure {
	if byUser && !m.Partial {
		return &result.Failure{Code: result.Upstream, Message: "interrupted", Status: interrupted}
	}
	f := &result.Failure{Code: m.Code, Message: m.Message, Details: m.Details, Try: m.Next}
	switch {
	case byUser:
		f.Code, f.Status = result.Upstream, interrupted
	case m.Code == result.Validation && m.Blame() != fault.Caller:
		f.Status = statusOf(result.Upstream) // the line was right
	}
	return f
}

// bug returns the failure for an unexpected error. It does not show the error's text.
func bug() *result.Failure { return newFailure(fault.Bug(), false) }
