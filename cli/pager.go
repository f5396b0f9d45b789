package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"

	"biomcp/cli/command"
	"biomcp/cli/words"
)

// pager is the program that a text goes through, as git and gh do it; nil if it is
// printed at once: it fits on the screen, there is no terminal, or none is wanted.
func (c *call) pager(env command.Env, s screen, text []byte) []string {
	if !s.terminal || s.kind == "dumb" || c.noPager || s.height <= 0 || bytes.Count(text, []byte("\n")) < s.height {
		return nil
	}
	line, err := words.Split(env.Pager)
	if err != nil || len(line) == 0 || line[0] == "cat" {
		return nil
	}
	return line
}

// show writes a text to a terminal, through a pager if there is one. A pager that does not
// start is done without.
func show(w io.Writer, text []byte, pager []string) error {
	if len(pager) > 0 {
		cmd := exec.Command(pager[0], pager[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), w, os.Stderr
		// The settings of git: less ends where one screen is enough, passes colours on, and
		// leaves the text on the screen.
		cmd.Env = append([]string{"LESS=FRX", "LV=-c"}, os.Environ()...)
		if cmd.Start() == nil {
			signal.Ignore(os.Interrupt) // it is the pager's
			_ = cmd.Wait()              // the reader may leave before the end
			return nil
		}
	}
	_, err := w.Write(text)
	return err
}
