package mcpshell

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/sourcegraph/conc"
)

// Progress is how far a call is: Done of Total steps, both 0 where it has none to
// count, and in words what it does or waits for, "" where that is not known.
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

// reportProgress sends a client, until the function that it returns is called, how
// many steps of a call are done, or of its seconds have passed where it has no
// steps. Without a token in the request's _meta it sends nothing.
func (s *Shell) reportProgress(ctx context.Context, meta *mcp.Meta, far func() Progress) (stop func()) {
	if meta == nil || meta.ProgressToken == nil {
		return func() {}
	}
	if far == nil {
		far = func() Progress { return Progress{} }
	}
	ctx, cancel := context.WithCancel(ctx)
	var sender conc.WaitGroup
	sender.Go(func() {
		start, tick := time.Now(), time.NewTicker(stepInterval)
		defer tick.Stop()
		var m meter
		for said := start; ; {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				p := far()
				if p.Done == m.done && now.Sub(said) < progressInterval {
					continue
				}
				said = now
				progress, total, text := m.next(p, now.Sub(start).Round(time.Second).Seconds(), s.timeout.Seconds())
				// A client that does not take messages loses them, not its answer.
				_ = s.mcp.SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), map[string]any{
					"progressToken": meta.ProgressToken, "progress": progress, "total": total, "message": text,
				})
			}
		}
	})
	return func() {
		cancel()
		sender.Wait()
	}
}

// meter makes numbers that always grow, as the protocol wants it, of steps that may
// take long and may be counted only after a while.
type meter struct {
	done     int     // of the steps, when it was last asked
	begun    bool    // steps are counted
	base     float64 // what was reported before
	last     float64 // what was reported last
	unmoving float64 // how often no step was done
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
