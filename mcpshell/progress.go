package mcpshell

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/sourcegraph/conc"
)

// Progress is the progress of a call: Done of Total steps, both 0 if the call has no steps. Text
// describes the current step; it may be empty.
type Progress struct {
	Done, Total int
	Text        string
}

const (
	// progressInterval is the maximum time between two reports.
	progressInterval = 2 * time.Second
	// stepInterval is the minimum time between two reports.
	stepInterval = progressInterval / 4
)

// reportProgress reports the progress of a call to the client until stop is called: the completed
// steps or, if the call has no steps, the elapsed seconds. It does nothing unless the request's
// _meta has a progress token.
func (s *Shell) reportProgress(ctx context.Context, meta *mcp.Meta, progress func() Progress) (stop func()) {
	if meta == nil || meta.ProgressToken == nil {
		return func() {}
	}
	if progress == nil {
		progress = func() Progress { return Progress{} }
	}
	ctx, cancel := context.WithCancel(ctx)
	var sender conc.WaitGroup
	sender.Go(func() {
		start, tick := time.Now(), time.NewTicker(stepInterval)
		defer tick.Stop()
		var m meter
		for reported := start; ; {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				p := progress()
				if p.Done == m.done && now.Sub(reported) < progressInterval {
					continue
				}
				reported = now
				done, total, text := m.next(p, now.Sub(start).Round(time.Second).Seconds(), s.timeout.Seconds())
				// A client that does not accept messages loses them, but not its answer.
				_ = s.mcp.SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), map[string]any{
					"progressToken": meta.ProgressToken, "progress": done, "total": total, "message": text,
				})
			}
		}
	})
	return func() {
		cancel()
		sender.Wait()
	}
}

// A meter converts steps to strictly increasing numbers, as the protocol requires, even if a step
// takes long or the number of steps is known only later.
type meter struct {
	done    int     // completed steps at the last report
	started bool    // whether the call has reported steps
	base    float64 // value reported before the first step
	last    float64 // value reported last
	repeats float64 // number of reports since the last completed step
}

func (m *meter) next(p Progress, seconds, limit float64) (progress, total float64, text string) {
	text = cmp.Or(p.Text, fmt.Sprintf("%g of at most %g seconds", seconds, limit))
	if p.Total == 0 {
		m.last = seconds
		return seconds, limit, text
	}
	if !m.started {
		m.started, m.base = true, m.last
	}
	if p.Done > m.done {
		m.done, m.repeats = p.Done, 0
	}
	progress, total = m.base+float64(m.done), m.base+float64(p.Total)
	if progress <= m.last {
		m.repeats++
		progress += m.repeats / (m.repeats + 1) // always less than a step
	}
	if m.last = progress; progress > total { // all steps are done, but the call is not
		total++
	}
	return progress, total, text
}
