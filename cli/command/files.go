package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"biomcp/cli/result"
	"biomcp/store/replace"
)

// force is the flag that allows a command to replace the files it writes.
const force = "force"

// files returns the names of the files that the flags of the line write, by flag.
func (in *Input) files() map[string]string {
	names := map[string]string{}
	in.flags.Visit(func(f *pflag.Flag) {
		name := f.Value.String()
		_, notNumber := strconv.Atoi(name)
		if f.Annotations[writesKey] != nil && name != "" && (f.Annotations[fileOrNumberKey] == nil || notNumber != nil) {
			names[f.Name] = name
		}
	})
	return names
}

// CheckFiles returns an error if a file that the line writes exists, unless --force is given, or if two
// flags name the same file. It suggests the line with a name that is free.
func (in *Input) CheckFiles() error {
	files := in.files()
	flags := slices.Sorted(maps.Keys(files))
	for i, flag := range flags {
		file := files[flag]
		same := func(other string) bool { return filepath.Clean(files[other]) == filepath.Clean(file) }
		at := slices.IndexFunc(flags[:i], same)
		free := FreeName(file, in.taken())
		switch {
		case at >= 0:
			return result.Invalid(fmt.Sprintf("--%s and --%s name the same file, %s", flags[at], flag, Clip(file)),
				in.LineWith("--"+flag, free)...)
		case isFile(file) && !in.Bool(force):
			return existsFailure(in, flag, file)
		}
	}
	return nil
}

// existsFailure returns the error for a file that exists.
func existsFailure(in *Input, flag, file string) error {
	return result.Invalid(fmt.Sprintf("%s exists; --%s replaces it", Clip(file), force),
		in.LineWith("--"+flag, FreeName(file, in.taken()))...)
}

// WriteFile writes the file that a flag names. Unless --force is given it does not replace a file, not
// even one that was created after the command began.
func (in *Input) WriteFile(flag string, write func(io.Writer) error) error {
	file := in.String(flag)
	if in.Bool(force) || !regular(file) {
		return replace.File(file, write)
	}
	err := replace.Create(file, write)
	if errors.Is(err, fs.ErrExist) {
		return existsFailure(in, flag, file)
	}
	return err
}

// regular reports whether a file is a regular file or absent. Others, such as a link or a device, are
// not created but written to.
func regular(file string) bool {
	info, err := os.Stat(file)
	return err != nil || info.Mode().IsRegular()
}

// isFile reports whether a regular file exists.
func isFile(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// taken returns the files that the line writes.
func (in *Input) taken() (names []string) {
	for _, name := range in.files() {
		names = append(names, filepath.Clean(name))
	}
	return names
}

// FreeName returns the name of a file that does not exist and is not in taken: name-2.csv for name.csv.
func FreeName(name string, taken []string) string {
	extension := filepath.Ext(name)
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), n, extension)
		if _, err := os.Lstat(free); err != nil && !slices.Contains(taken, filepath.Clean(free)) {
			return free
		}
	}
}

// NextFiles returns pairs for [Input.LineWith] that write the rows from number n on: each file of the line
// gets the suffix -n, or another free name, and --force is omitted.
func (in *Input) NextFiles(n int) (pairs []string) {
	files, taken := in.files(), in.taken()
	for _, flag := range slices.Sorted(maps.Keys(files)) {
		extension := filepath.Ext(files[flag])
		next := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(files[flag], extension), n, extension)
		if _, err := os.Lstat(next); err == nil || slices.Contains(taken, filepath.Clean(next)) {
			next = FreeName(next, taken)
		}
		taken = append(taken, filepath.Clean(next))
		pairs = append(pairs, "--"+flag, next, "--"+force, "")
	}
	return pairs
}

// KeepFiles changes command lines printed after the files of this line were written, so that none of them
// writes to the same files or has --force.
func (in *Input) KeepFiles(lines ...result.Argv) []result.Argv {
	for flag, file := range in.files() {
		for i, line := range lines {
			line = slices.DeleteFunc(slices.Clone(line), func(word string) bool { return word == "--"+force })
			at := slices.Index(line, "--"+flag)
			if at >= 0 && at+1 < len(line) && filepath.Clean(line[at+1]) == filepath.Clean(file) {
				line[at+1] = FreeName(file, in.taken())
			}
			lines[i] = line
		}
	}
	return lines
}
