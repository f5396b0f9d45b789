package command

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"biomcp/cli/result"
)

// lineInterval is the time between two lines of progress on a pipe.
const lineInterval = 5 * time.Second

// ShowDownload shows how much of a file has come: a bar with rate and time left at a
// terminal, lines on a pipe, nothing with --quiet. done ends it.
func (in *Input) ShowDownload(id string) (show func(held, total int64), done func()) {
	if in.IO.Err == nil || in.IO.Err == io.Discard {
		return nil, func() {}
	}
	if !in.IO.ErrTTY {
		last := in.App.Now()
		return func(held, total int64) {
			now := in.App.Now()
			if now.Sub(last) < lineInterval {
				return
			}
			last = now
			fmt.Fprintln(in.IO.Err, downloadLine(id, held, total))
		}, func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(in.IO.Err), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionShowBytes(true), progressbar.OptionSetDescription(id))
	return func(held, total int64) {
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		_ = bar.Set64(held) // a bar that cannot be drawn does not fail the download
	}, func() { _ = bar.Finish() }
}

func downloadLine(id string, held, total int64) string {
	if total < 0 {
		return fmt.Sprintf("%s: %s", id, result.Size(held))
	}
	return fmt.Sprintf("%s: %s of %s", id, result.Size(held), result.Size(total))
}
