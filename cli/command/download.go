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

// ShowProgress shows how far something is: a bar with rate and time left at a terminal,
// lines on a pipe. line says it in words; the bar of a file that is downloaded has the name of
// the file in place of them. done ends it.
func (in *Input) ShowProgress(file string) (show func(at, total int64, line func() string), done func()) {
	if !in.IO.ErrTTY {
		last := in.App.Now()
		return func(_, _ int64, line func() string) {
			if now := in.App.Now(); now.Sub(last) >= lineInterval {
				last = now
				fmt.Fprintln(in.IO.Err, line())
			}
		}, func() {}
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(in.IO.Err), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionShowBytes(file != ""), progressbar.OptionSetDescription(file))
	return func(at, total int64, line func() string) {
		if total > 0 && bar.GetMax64() != total {
			bar.ChangeMax64(total)
		}
		if file == "" {
			bar.Describe(line())
		}
		_ = bar.Set64(at) // a bar that cannot be drawn does not fail the work
	}, func() { _ = bar.Finish() }
}

// ShowDownload shows how much of a file has come, nothing with --quiet.
func (in *Input) ShowDownload(file string) (show func(held, total int64), done func()) {
	if in.IO.Err == nil || in.IO.Err == io.Discard {
		return nil, func() {}
	}
	draw, done := in.ShowProgress(file)
	return func(held, total int64) {
		draw(held, total, func() string { return downloadLine(file, held, total) })
	}, done
}

func downloadLine(id string, held, total int64) string {
	if total < 0 {
		return fmt.Sprintf("%s: %s", id, result.Size(held))
	}
	return fmt.Sprintf("%s: %s of %s", id, result.Size(held), result.Size(total))
}
