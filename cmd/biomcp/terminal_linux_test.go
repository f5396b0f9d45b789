package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"biomcp/cli"
)

func init() { programs["terminal"] = terminal }

// terminal runs the program with a terminal of 80 columns as standard output, and copies what
// the terminal receives to the standard output of the script. If PAGER is set, standard input is the
// terminal too, since only then the program starts a pager.
func terminal() {
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(err)
	must(unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	must(err)
	must(unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 80}))
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must(err)
	old := os.Stdout
	os.Stdout = screen
	if os.Getenv("PAGER") != "" {
		os.Stdin = screen
	}
	shown := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(control) // reading ends with an error when the terminal closes
		shown <- text
	}()
	code := cli.Main(os.Args[1:])
	must(screen.Close())
	_, err = old.Write(bytes.ReplaceAll(<-shown, []byte("\r\n"), []byte("\n")))
	must(err)
	os.Exit(code)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(92)
	}
}
