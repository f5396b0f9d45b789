package mcpshell

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/sourcegraph/conc"
)

// Progress is how far a call is: Done of Total steps, both 0 if it has no steps, and
// in words what it does or waits for, "" if that is not known.
type Progress struct {
	Done, Total int
	Text        string
}

const (
	// progressInterval is how often a client that gave a token hears of its call.
	progressInterval = 2 * time.Second
	// stepInterval is how soon it hears of a step.
	stepInterval = progressInterval / 4
)

// reportProgress tells a client, until stop is called, how many steps of a call are
// done, or how many of its seconds have passed if it has no steps. It does so only if
// the request's _meta has a progress token.
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

// meter turns steps into numbers that always grow, as the protocol requires, even if a
// step takes long or the steps are counted only after a while.
type meter struct {
	done     int     // steps, when they were last counted
	begun    bool    // steps are counted
	base     float64 // what was reported before steps were counted
	last     float64 // what was reported last
	unmoving float64 // how often in a row no step was done
}

func (m *meter) next(p Progress, seconds, limit float64) (progress, total float64, text string) {
	text = cmp.Or(p.Text, fmt.Sprintf("%g of at most %g seconds", seconds, limit))
	if p.Total == 0 {
		m.last = seconds
		return seconds, limit, text
	}
	if !m.begun {
		m.begun, m.base = true, m.last
	}
	if p.Done > m.done {
		m.done, m.unmoving = p.Done, 0
	}
	progress, total = m.base+float64(m.done), m.base+float64(p.Total)
	if progress <= m.last {
		m.unmoving++
		progress += m.unmoving / (m.unmoving + 1) // less than a step
	}
	if m.last = progress; progress > total { // all steps are done, and not the call
		total++
	}
	return progress, total, text
}
