package entity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/polite"
)

// Ask is a question about one record to a source: what was typed, the network, and how
// many rows are wanted behind how many others, which are --limit and --offset.
type Ask struct {
	*command.Input
	Network *polite.Client
	Limit   int
	Offset  int
}

// Asking is the Find of a [Linked] whose source is a service.
func Asking[R, H any](find func(ctx context.Context, ask *Ask, r R) (*Answer[H], error)) func(context.Context, *command.Input, R) (*Answer[H], error) {
	return func(ctx context.Context, in *command.Input, r R) (*Answer[H], error) {
		limit, offset, err := Bounds(in)
		if err != nil {
			return nil, err
		}
		if offset > mostSkipped {
			return nil, result.Invalid(fmt.Sprintf("--offset of a section is at most %d, not %d; a search has what is behind", mostSkipped, offset), in.Again("--offset", fmt.Sprint(mostSkipped))...)
		}
		a, err := find(ctx, &Ask{in, in.App.Network(), limit, offset}, r)
		if err != nil || a.Total == nil {
			return a, err
		}
		end, there := *a.Total, "there are"
		if a.Reach > 0 && a.Reach < end {
			end, there, a.next = a.Reach, "the last that can be shown is", "; no further ones can be shown"
		}
		if offset > 0 && len(a.Rows) == 0 && *a.Total > 0 {
			return nil, result.Invalid(fmt.Sprintf("--offset %d is past the end: %s %d", offset, there, end), in.Again("--offset", "")...)
		}
		if to := offset + limit; to < end && to <= mostSkipped {
			a.next = "; the next: " + in.Again("--offset", fmt.Sprint(to)).String()
		}
		return a, nil
	}
}

// mostSkipped is the most that --offset skips in a section. Sources without an offset of
// their own are asked for the rows before it too, ClinicalTrials.gov and openFDA for at
// most 1,000 (https://clinicaltrials.gov/data-api/api, https://open.fda.gov/apis/query-parameters/).
const mostSkipped = 950

// Through is how many rows a source without an offset of its own is asked for, of which a
// [Window] is shown.
func (a *Ask) Through() int { return a.Offset + a.Limit }

// Bounds is how many rows of a list are shown, and how many are skipped.
func Bounds(in *command.Input) (limit, offset int, err error) {
	if limit, _, err = in.Limit(); err == nil {
		offset, err = in.Offset()
	}
	return limit, offset, err
}

// Window is the members of a list that are shown, behind offset others.
func Window[T any](all []T, offset, limit int) []T {
	return all[min(offset, len(all)):min(offset+limit, len(all))]
}

// First is the answer of a source that sends its list whole: the rows of it that are asked
// for, and how many there are.
func First[H any](ask *Ask, all []H) *Answer[H] {
	return &Answer[H]{Rows: Window(all, ask.Offset, ask.Limit), Total: new(len(all))}
}

// Inapplicable is why a question makes no sense for a record: the error of a Find that
// does not ask. The section has it as a notice.
type Inapplicable string

func (i Inapplicable) Error() string { return string(i) }

// Slack is how long a source may take after all others have answered.
const Slack = 5 * time.Second

// errSlow ends what was not answered within Slack of the rest.
var errSlow = polite.Late(Slack)

// Together is [AtOnce] for parts of one answer, which no part holds up: what has not come
// Slack after the others and after the last reply is given up, with an error that
// errors.As finds as a *polite.Error. One part alone has the time of its sources.
func Together(ctx context.Context, within time.Duration, n int, ask func(ctx context.Context, i int)) error {
	parts, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	came := make(chan struct{}, n)
	over := make(chan struct{})
	var waiting conc.WaitGroup
	waiting.Go(func() {
		open, slow := n, time.NewTimer(time.Hour)
		defer slow.Stop()
		for open > 0 {
			select {
			case <-came:
				open--
				slow.Reset(Slack)
			case <-slow.C:
				quiet := time.Since(polite.Heard(ctx))
				if open < n && quiet >= Slack {
					cancel(errSlow)
					return
				}
				slow.Reset(max(Slack-quiet, time.Millisecond))
			case <-over:
				return
			}
		}
	})
	defer waiting.Wait()
	defer close(over)
	if err := AtOnce(parts, within, n, func(ctx context.Context, i int) {
		defer func() { came <- struct{}{} }()
		ask(ctx, i)
	}); err != nil && ctx.Err() != nil {
		return err
	}
	return nil
}

// Beside is [Together] for what an answer can do without: of the parts none has more than
// Slack after the last reply.
func Beside(ctx context.Context, asks ...func(context.Context)) error {
	return Together(ctx, 0, len(asks)+1, func(ctx context.Context, i int) {
		if i < len(asks) {
			asks[i](ctx)
		}
	})
}

// AtOnce asks n things at the same time, each in a goroutine of its own, and waits for all
// of them; within bounds them together, 0 does not. A panic in one is the caller's. The
// error says that the call was cancelled; ask itself reports what could not be asked.
func AtOnce(ctx context.Context, within time.Duration, n int, ask func(ctx context.Context, i int)) error {
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	var asking conc.WaitGroup
	for i := range n {
		asking.Go(func() { ask(ctx, i) })
	}
	asking.Wait()
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return nil
}
