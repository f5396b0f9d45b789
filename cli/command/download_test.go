package command_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
)

func TestDownloadIsABarOrLinesOrNothing(t *testing.T) {
	shown := func(tty bool, err io.Writer, total int64) {
		now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
		in := &command.Input{App: &command.App{Now: func() time.Time { return now }}, IO: command.IO{Err: err, ErrTTY: tty}}
		show, finish := in.ShowDownload("some_study")
		for i := range int64(4) {
			if show != nil {
				show(i*1_000_000, total)
			}
			now = now.Add(3 * time.Second)
		}
		finish()
	}
	var pipe, terminal strings.Builder
	shown(false, &pipe, 10_000_000)
	if pipe.String() != "some_study: 2.0 MB of 10.0 MB\n" {
		t.Errorf("%q", pipe.String())
	}
	shown(true, &terminal, 10_000_000)
	if !strings.Contains(terminal.String(), "\rsome_study  ") {
		t.Errorf("%q", terminal.String())
	}
	shown(false, io.Discard, 10_000_000)
	pipe.Reset()
	shown(false, &pipe, -1)
	if pipe.String() != "some_study: 2.0 MB\n" {
		t.Errorf("%q", pipe.String())
	}
}
