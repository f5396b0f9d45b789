package command

import (
	"bufio"
	"cmp"
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
		same := func(other string) bool { return sameFile(files[other], file) }
		at := slices.IndexFunc(flags[:i], same)
		free := FreeName(file, in.places())
		switch {
		case at >= 0:
			return result.Invalid(fmt.Sprintf("--%s and --%s name the same file, %s", flags[at], flag, Clip(file)),
				in.LineWith("--"+flag, free)...)
		case kindOf(file) == directory:
			return folderFailure(in, flag, file)
		case kindOf(file) == replaceable && !in.Bool(force):
			return existsFailure(in, flag, file)
		}
	}
	return nil
}

// existsFailure returns the error for a file that exists.
func existsFailure(in *Input, flag, file string) error {
	return result.Invalid(fmt.Sprintf("%s exists; --%s replaces it", Clip(file), force),
		in.LineWith("--"+flag, FreeName(file, in.places()))...)
}

// folderFailure returns the error for a folder. It suggests a file in it.
func folderFailure(in *Input, flag, file string) error {
	inside := filepath.Join(file, "out"+cmp.Or(filepath.Ext(file), ".csv"))
	if kindOf(inside) != absent {
		inside = FreeName(inside, in.places())
	}
	return result.Invalid(Clip(file)+" is a folder; name a file", in.LineWith("--"+flag, inside)...)
}

// WriteFile writes the file that a flag names. Unless --force is given it does not replace a file, not
// even one that was created after the command began. It writes to a pipe or a device without replacing
// it, and with --force to the target of a link.
func (in *Input) WriteFile(flag string, write func(io.Writer) error) error {
	file := in.String(flag)
	switch kind := kindOf(file); {
	case kind == directory:
		return folderFailure(in, flag, file)
	case kind == stream:
		return writeStream(file, write)
	case kind == replaceable && in.Bool(force):
		if target, err := filepath.EvalSymlinks(file); err == nil {
			file = target
		}
		return replace.File(file, write)
	}
	err := replace.Create(file, write)
	if errors.Is(err, fs.ErrExist) {
		return existsFailure(in, flag, file)
	}
	return err
}

// writeStream writes to a pipe or a device.
func writeStream(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// A fileKind tells how a file can be written.
type fileKind int

const (
	absent      fileKind = iota // can be created
	replaceable                 // a regular file, a link to one, or a link without a target
	directory                   // or a link to one
	stream                      // a pipe or a device, or a link to one
)

// kindOf returns the kind of the file at a path.
func kindOf(file string) fileKind {
	if _, err := os.Lstat(file); err != nil {
		return absent
	}
	switch info, err := os.Stat(file); {
	case err != nil || info.Mode().IsRegular():
		return replaceable
	case info.IsDir():
		return directory
	}
	return stream
}

// sameFile reports whether two names are of one file.
func sameFile(a, b string) bool {
	if place(a) == place(b) {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// place returns the absolute name of a file, which may be absent. Symbolic links in the name of its folder
// are resolved.
func place(file string) string {
	if whole, err := filepath.Abs(file); err == nil {
		file = whole
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		return filepath.Join(dir, filepath.Base(file))
	}
	return filepath.Clean(file)
}

// places returns the places of the files that the line writes.
func (in *Input) places() (names []string) {
	for _, name := range in.files() {
		names = append(names, place(name))
	}
	return names
}

// FreeName returns the name of a file that does not exist and whose place is not among others: name-2.csv
// for name.csv.
func FreeName(name string, others []string) string {
	extension := filepath.Ext(name)
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), n, extension)
		if kindOf(free) == absent && !slices.Contains(others, place(free)) {
			return free
		}
	}
}

// NextFiles returns pairs for [Input.LineWith] that write the rows from number n on: each file of the line
// gets the suffix -n, or another free name, and --force is omitted.
func (in *Input) NextFiles(n int) (pairs []string) {
	files, places := in.files(), in.places()
	for _, flag := range slices.Sorted(maps.Keys(files)) {
		extension := filepath.Ext(files[flag])
		next := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(files[flag], extension), n, extension)
		switch {
		case kindOf(files[flag]) == stream:
			next = files[flag]
		case kindOf(next) != absent || slices.Contains(places, place(next)):
			next = FreeName(next, places)
		}
		places = append(places, place(next))
		pairs = append(pairs, "--"+flag, next, "--"+force, "")
	}
	return pairs
}

// KeepFiles changes command lines printed after the files of this line were written, so that none of them
// writes to the same files or has --force.
func (in *Input) KeepFiles(lines ...result.Argv) []result.Argv {
	for flag, file := range in.files() {
		again := kindOf(file) == stream // takes any number of answers
		for i, line := range lines {
			line = slices.DeleteFunc(slices.Clone(line), func(word string) bool { return word == "--"+force })
			at := slices.Index(line, "--"+flag)
			if at >= 0 && at+1 < len(line) && !again && sameFile(line[at+1], file) {
				line[at+1] = FreeName(file, in.places())
			}
			lines[i] = line
		}
	}
	return lines
}
