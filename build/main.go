// Command build runs the tasks of the project's maintainers. It writes the files that are derived
// from the command tree: the description of the MCP tool, the command reference and the tables of
// the README (command generate).
//
//	go run ./build          write the files
//	go run ./build -check   exit 1 and name the files that are stale
//
// It writes a page with every kind of chart, for visual inspection:
//
//	go run ./build gallery DIR
//
// It measures the search ranking on test collections (package evaluate). -save writes the
// measures of each query to a file, and -against compares with such a file:
//
//	go run ./build eval [-against FILE] [-save FILE] DIR...
//
// It makes the files of a release (package release):
//
//	go run ./build release --snapshot
//
// It gives the project the address at which it is hosted (package home). -dirty does so despite
// changes that are not committed:
//
//	go run ./build home [-dirty] HOST/OWNER/NAME
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"biomcp/build/home"
	"biomcp/build/release"
)

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) > 0 && args[0] == "home":
		err = moveHome(args[1:])
	case len(args) > 0 && args[0] == "release":
		err = release.Run(args[1:])
	default:
		if generate(args) != nil {
			os.Exit(1) // command generate has printed its error
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate runs command generate. It links the whole program, so this command does not import it: a
// release would compile the program twice, because it uses other flags.
func generate(args []string) error {
	cmd := exec.Command("go", append([]string{"run", "./build/generate"}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// moveHome moves the project in the current folder to an address, and prints the names of the changed files.
func moveHome(args []string) error {
	flags := flag.NewFlagSet("home", flag.ContinueOnError)
	dirty := flags.Bool("dirty", false, "change the files despite changes that are not committed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the address of the repository: go run ./build home HOST/OWNER/NAME")
	}
	to, err := home.Parse(flags.Arg(0))
	if err != nil {
		return err
	}
	changed, err := home.Move(".", to, *dirty)
	for _, name := range changed {
		fmt.Println("wrote", name)
	}
	if err == nil && len(changed) == 0 {
		fmt.Println("nothing to change: the project is at", to)
	}
	return err
}
