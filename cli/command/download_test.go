package command

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestDownloadIsABarOrLinesOrNothing(t *testing.T) {
	shown := func(tty bool, err io.Writer) {
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		in := &Input{App: &App{Now: func() time.Time { return now }}, IO: IO{Err: err, ErrTTY: tty}}
		show, done := in.ShowDownload("some_study")
		for i := range int64(4) {
			if show != nil {
				show(i*1_000_000, 10_000_000)
			}
			now = now.Add(3 * time.Second)
		}
		done()
	}
	var pipe, terminal strings.Builder
	shown(false, &pipe)
	if pipe.String() != "some_study: 2.0 MB of 10.0 MB\n" {
		t.Errorf("%q", pipe.String())
	}
	shown(true, &terminal)
	if !strings.Contains(terminal.String(), "\rsome_study  ") {
		t.Errorf("%q", terminal.String())
	}
	shown(false, io.Discard)
	if got := downloadLine("some_study", 5000, -1); got != "some_study: 5.0 kB" {
		t.Error(got)
	}
}
