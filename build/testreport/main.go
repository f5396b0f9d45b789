// Command testreport runs go test and prints a line for each package with its time, the coverage
// by its own tests and the number of skipped tests. It fails if a test fails and, with
// -cover, if the coverage of a package of the program is less than [minCoverage] percent. It
// appends each skipped test and the reason to a file.
//
//	go run ./build/testreport -skipped FILE [-refuse REGEXP] [-together PATTERN] [--] [-cover] PACKAGES...
//
// Plain -cover compiles an instrumented copy of each package, and of all packages between it
// and its tests, for its tests alone. If tests run the whole program, that is most of the
// program for each package. With -together the packages of the pattern are
// instrumented and compiled once, and the coverage of each by its own tests is read from
// their profile. Go does not cache the results of such tests.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// minCoverage is the minimum coverage in percent of a package of the program by its own tests, in a
// clean clone. It does not apply to simulators and generators, which only tests and builds
// run, nor to main, which scripts run as a process.
const minCoverage = 75

func main() {
	file := flag.String("skipped", "", "the `file` to which tests that were skipped are added")
	refuse := flag.String("refuse", "", "a test that is skipped for a reason that this `regexp` matches fails")
	together := flag.String("together", "", "with -cover, count in all packages of this `pattern` at once")
	flag.Parse()
	if err := run(*file, *refuse, *together, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs go test with args and prints the report. It returns an error if a test fails, if a
// package has too little coverage or if the reason of a skipped test matches refuse.
func run(file, refuse, coverPattern string, args []string) error {
	refused, err := regexp.Compile(refuse)
	if err != nil {
		return err
	}
	const format = `{{with .Module}}{{if .Main}}{{if ne $.Name "main"}}{{$.ImportPath}}{{end}}{{end}}{{end}}`
	listed, err := exec.Command("go", "list", "-deps", "-f", format, "./cmd/...").Output()
	if err != nil {
		return err
	}
	r := newReport(os.Stdout)
	if coverPattern != "" {
		scratch, err := os.MkdirTemp("", "tested")
		if err != nil {
			return err
		}
		defer os.RemoveAll(scratch)
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		r.profiles = filepath.Join(scratch, here)
		// Each test runs in the folder of its package and writes its profile to the same path below scratch.
		const script = `sh -c 'mkdir -p "%[1]s$PWD" && exec "$0" "$@" -test.coverprofile="%[1]s$PWD/profile"'`
		args = append([]string{"-coverpkg=" + coverPattern, "-exec", fmt.Sprintf(script, scratch)}, args...)
	}
	test := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	test.Stderr = os.Stderr
	failed, err := readOutput(test, r.read)
	if err != nil {
		return err
	}
	if err := appendTo(file, r.skipped); err != nil {
		return err
	}
	problems := r.belowMinimum(strings.Fields(string(listed)))
	for _, s := range r.skipped {
		if refuse != "" && refused.MatchString(s) {
			problems = append(problems, "this may not be skipped: "+s)
		}
	}
	fmt.Printf("%d tests and subtests, %d skipped\n", r.tests, len(r.skipped))
	if failed != nil {
		problems = append(problems, "go test: "+failed.Error())
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return nil
}

// readOutput runs a command and passes its output to read. It returns how the command failed, and an
// error if it did not start or if read failed; the command is then killed. Either way it has ended.
func readOutput(cmd *exec.Cmd, read func(io.Reader) error) (failed, err error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := read(out); err != nil {
		return cmp.Or(cmd.Process.Kill(), cmd.Wait()), err
	}
	return cmd.Wait(), nil
}

// appendTo appends lines to a file, unless file is "".
func appendTo(file string, lines []string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(append(lines, ""), "\n"))
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// An event is one line of the output of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// A key identifies a test, or the package itself if test is "".
type key struct{ pkg, test string }

// A report collects events and prints the result of each package.
type report struct {
	out      io.Writer
	profiles string // folder with the profile of each package below its path; "" without -together
	tests    int
	skipped  []string          // "package.Test: reason"
	coverage map[string]string // coverage in percent by package
	counts   map[string]int    // number of skipped tests by package
	output   map[key][]string  // output of tests that have not passed yet
}

func newReport(to io.Writer) *report {
	return &report{out: to, coverage: map[string]string{}, counts: map[string]int{}, output: map[key][]string{}}
}

// read adds the events of the output of go test -json.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(r.out, lines.Text()) // a plain message of go test
			continue
		}
		r.add(e)
	}
	return lines.Err()
}

var coveragePattern = regexp.MustCompile(`coverage: ([0-9.]+)% of statements`)

// add adds an event.
func (r *report) add(e event) {
	at := key{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if m := coveragePattern.FindStringSubmatch(e.Output); m != nil {
			r.coverage[e.Package] = m[1]
			return
		}
		r.output[at] = append(r.output[at], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.finish(e)
			return
		}
		r.tests++
		if e.Action == "skip" {
			r.counts[e.Package]++
			r.skipped = append(r.skipped, e.Package+"."+e.Test+": "+reason(r.output[at]))
		}
		if e.Action == "fail" {
			fmt.Fprint(r.out, strings.Join(r.output[at], ""))
		}
		delete(r.output, at)
	}
}

// finish prints the line of a package. If the package failed, it first prints the output.
func (r *report) finish(e event) {
	at := key{e.Package, ""}
	if e.Action == "fail" {
		for k, lines := range r.output { // includes tests that did not end
			if k.pkg == e.Package {
				fmt.Fprint(r.out, strings.Join(lines, ""))
			}
		}
	}
	delete(r.output, at)
	if r.profiles != "" && r.coverage[e.Package] != "" { // go test prints the coverage of all packages together
		r.coverage[e.Package] = ownCoverage(r.profiles, e.Package)
	}
	covered, skipped := cmp.Or(r.coverage[e.Package], "-"), ""
	if n := r.counts[e.Package]; n > 0 {
		skipped = fmt.Sprintf("  %d skipped", n)
	}
	fmt.Fprintf(r.out, "%-4s  %6.1f s  %5s %%  %s%s\n", e.Action, e.Elapsed, covered, e.Package, skipped)
}

// ownCoverage returns the coverage in percent of a package in the profile of its own tests. It returns
// "0.0" if there is no profile and "" if the package has no statements. The lines of a profile
// are package/file.go:1.2,3.4 STATEMENTS COUNT (golang.org/x/tools/cover).
func ownCoverage(profiles, pkg string) string {
	_, folder, _ := strings.Cut(pkg, "/")
	profile, err := os.ReadFile(filepath.Join(profiles, folder, "profile"))
	if err != nil {
		return "0.0"
	}
	var all, covered float64
	for line := range strings.Lines(string(profile)) {
		file, rest, _ := strings.Cut(line, ":")
		var at string
		var statements, count float64
		if n, _ := fmt.Sscan(rest, &at, &statements, &count); n == 3 && path.Dir(file) == pkg {
			all += statements
			if count > 0 {
				covered += statements
			}
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*covered/all)
}

// skipPosition matches the source position before the message of t.Skip.
var skipPosition = regexp.MustCompile(`^\s*[\w.]+\.go:[0-9]+: (?:SKIPPED: )?`)

// reason returns the last message in the output of a skipped test.
func reason(output []string) string {
	for _, line := range slices.Backward(output) {
		if place := skipPosition.FindString(line); place != "" {
			return strings.TrimSpace(line[len(place):])
		}
	}
	return "no reason was given"
}

// belowMinimum returns a message for each tested package of the program with a coverage of less than
// minCoverage.
func (r *report) belowMinimum(program []string) (problems []string) {
	for _, pkg := range program {
		var percent float64
		if _, err := fmt.Sscan(r.coverage[pkg], &percent); err == nil && percent < minCoverage {
			problems = append(problems, fmt.Sprintf("%s: its own tests cover %s %%, and the minimum is %d %%",
				pkg, r.coverage[pkg], minCoverage))
		}
	}
	return problems
}
