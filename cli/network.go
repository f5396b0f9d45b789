package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/entrez/httpclient"
)

// networkContext returns the context for the requests of a command: the cache policy of its flags, and
// one deadline for all of them. A command that is a part of another shares its deadline. A sync, which
// may take hours, ends when no service has answered for that long. networkContext also shows progress
// until done is called.
func (c *call) networkContext(ctx context.Context, in *command.Input) (_ context.Context, stop func()) {
	ctx = httpclient.WithProgress(ctx, c.watch)
	if c.noCache {
		ctx = httpclient.WithoutCache(ctx)
	}
	if c.offline {
		ctx = httpclient.Offline(ctx)
	}
	reads, limit := c.def().Effect == command.Reads, cmp.Or(in.App.Env.Network.Deadline, httpclient.DefaultDeadline)
	switch {
	case !reads:
		ctx = httpclient.WithSilenceLimit(ctx, limit)
	case !httpclient.HasEnd(ctx):
		ctx = httpclient.WithEnd(ctx, time.Now().Add(limit))
	}
	line := func(took, long time.Duration) string { return progressLine(c.watch, took, long, in.IO.ErrTTY) }
	switch {
	case c.def().Effect == command.Serves:
		return ctx, func() {}
	case c.def().OwnProgress:
		line = func(time.Duration, time.Duration) string { return waitingLine(c.watch.LongestSilence()) }
		if in.IO.Err != nil && in.IO.Err != io.Discard {
			in.IO.Err = &syncWriter{w: in.IO.Err}
		}
	case reads:
		line = func(took, long time.Duration) string {
			return cmp.Or(progressLine(c.watch, took, long, in.IO.ErrTTY),
				fmt.Sprintf("working, %.0f s", took.Seconds()))
		}
	}
	return ctx, showWaiting(in.IO, line)
}

// syncWriter is a writer that the progress display and the command can share.
type syncWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (t *syncWriter) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w.Write(p)
}

// A terminal shows the progress of a command after showAfter. A pipe gets a line every
// lineEvery.
const (
	showAfter = 2 * time.Second
	lineEvery = 5 * time.Second
)

// showWaiting prints the result of line at intervals, unless it is empty, until stop is called.
// line receives the time since the start and the time after which a wait counts as long.
func showWaiting(streams command.IO, line func(took, long time.Duration) string) (stop func()) {
	if streams.Err == nil || streams.Err == io.Discard {
		return func() {}
	}
	every, after, begin, end := lineEvery, lineEvery, "", "\n"
	if streams.ErrTTY {
		every, after, begin, end = time.Second, showAfter, clearLine, ""
	}
	ended := make(chan struct{})
	var wg conc.WaitGroup
	wg.Go(func() {
		shown, start := false, time.Now()
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-ended:
				if shown && streams.ErrTTY {
					fmt.Fprint(streams.Err, clearLine)
				}
				return
			case <-t.C:
				took := time.Since(start)
				if text := line(took, after); took >= after && text != "" {
					shown = true
					fmt.Fprint(streams.Err, begin+text+end)
				}
			}
		}
	})
	return func() {
		close(ended)
		wg.Wait()
	}
}

// progressLine describes a running command: its progress, with a bar on a terminal, or the
// service that it waits for. It returns "" if neither is known.
func progressLine(watch *httpclient.Progress, took, long time.Duration, bar bool) string {
	work, many := watch.CurrentTask()
	wait, waits := watch.LongestWait()
	since := time.Since(wait.Since)
	begun := many && (work.Done > 0 || !waits || since < long)
	switch {
	case begun && bar:
		const width = 24
		n := width * work.Done / work.Total
		return fmt.Sprintf("[%s%s] %d of %d %s, %.0f s", strings.Repeat("=", n), strings.Repeat(" ", width-n),
			work.Done, work.Total, work.Name, took.Seconds())
	case begun:
		return fmt.Sprintf("%d of %d %s, %.0f s", work.Done, work.Total, work.Name, took.Seconds())
	case waits && since >= long:
		return waitingLine(wait, true)
	case waits:
		return fmt.Sprintf("asking %s, %.0f s", wait.Service, took.Seconds())
	}
	return ""
}

// waitingLine names a service that has sent nothing for some time. It returns "" if there is no
// such service.
func waitingLine(wait httpclient.Waiting, waits bool) string {
	since := time.Since(wait.Since)
	if !waits || since < showAfter {
		return ""
	}
	return fmt.Sprintf("waiting for %s: attempt %d, %.0f s", wait.Service, wait.Attempt, since.Seconds())
}

const clearLine = "\r\x1b[2K"

// cacheNotices returns a notice for each service whose cached replies were used instead of live
// ones.
func (c *call) cacheNotices() (notices []string) {
	for _, reply := range c.watch.StaleReplies() {
		why := reply.Service + " could not be reached"
		if c.offline {
			why = "--offline"
		}
		notices = append(notices, fmt.Sprintf("%s: the data of %s is from the response cache, %s old (stored %s)",
			why, reply.Service, age(time.Since(reply.Stored)), reply.Stored.UTC().Format(time.RFC3339)))
	}
	return notices
}

// age formats a duration in its largest unit.
func age(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / u.unit); n == 1 {
			return "1 " + u.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, u.name)
		}
	}
	return "under a minute"
}
