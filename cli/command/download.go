package command

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"biomcp/cli/result"
)

// lineInterval is the minimum time between two lines of progress on a pipe.
const lineInterval = 5 * time.Second

// ShowProgress returns a function that shows progress and one that ends the display. On a terminal
// it draws a bar with rate and remaining time, elsewhere it writes lines. line describes the progress
// in words. The bar of a download shows the name of the file instead.
func (in *Input) ShowProgress(file string) (show func(at, total int64, line func() string), finish func()) {
	if !in.IO.ErrTTY {
		last := in.App.Now()
		return func(_, _ int64, line func() string) {
			if now := in.App.Now(); now.Sub(last) >= lineInterval {
				last = now
				fmt.Fprintln(in.IO.Err, line())
			}
		}, func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(in.IO.Err), progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true), progressbar.OptionShowBytes(file != ""),
		progressbar.OptionSetDescription(file))
	return func(at, total int64, line func() string) {
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		if file == "" {
			bar.Describe(line())
		}
		_ = bar.Set64(at) // failing to draw the bar is not an error of the command
	}, func() { _ = bar.Finish() }
}

// ShowDownload returns a function that shows the progress of a download and one that ends the
// display. With --quiet the first is nil.
func (in *Input) ShowDownload(file string) (show func(held, total int64), finish func()) {
	if in.IO.Err == nil || in.IO.Err == io.Discard {
		return nil, func() {}
	}
	draw, finish := in.ShowProgress(file)
	return func(held, total int64) {
		draw(held, total, func() string { return downloadLine(file, held, total) })
	}, finish
}

// downloadLine describes the progress of a download; total is negative if unknown.
func downloadLine(id string, held, total int64) string {
	if total < 0 {
		return fmt.Sprintf("%s: %s", id, result.Size(held))
	}
	return fmt.Sprintf("%s: %s of %s", id, result.Size(held), result.Size(total))
}
