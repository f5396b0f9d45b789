package corpus

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"biomcp/cli/command"
	"biomcp/rag/intake"
)

// lineInterval is the time between two lines of progress on a pipe.
const lineInterval = 5 * time.Second

// progress shows the progress of a sync: a bar with rate and time left on a
// terminal, plain lines on a pipe. done ends it.
func progress(in *command.Input) (show func(intake.Progress), done func()) {
	start := in.App.Now()
	if !in.IO.ErrTTY {
		last := start
		return func(p intake.Progress) {
			now := in.App.Now()
			if now.Sub(last) < lineInterval {
				return
			}
			last = now
			fmt.Fprintln(in.IO.Err, p.Line(now.Sub(start)))
		}, func() {}
	}
	bar := progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(in.IO.Err), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true),
	)
	return func(p intake.Progress) {
		at, total := p.Bytes, p.TotalBytes
		switch {
		case p.TotalParts > 0:
			at, total = int64(p.Parts), int64(p.TotalParts)
		case p.TotalVectors > 0:
			at, total = int64(p.Vectors), int64(p.TotalVectors)
		case total == 0:
			at, total = int64(p.Records), int64(p.TotalRecords)
		}
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		bar.Describe(p.Line(in.App.Now().Sub(start)))
		_ = bar.Set64(min(at, max(total, 1))) // a bar that cannot be drawn does not fail the sync
	}, func() { _ = bar.Finish() }
}
