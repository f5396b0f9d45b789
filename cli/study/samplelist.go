package study

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/oql"
)

// maxSampleList is the maximum size of a file of samples(FILE), in bytes. For comparison, a million IDs of
// TCGA samples take 16 MB.
const maxSampleList = 16 << 20

// openRegular opens a file for reading. It returns an error for a device, a pipe or a folder, which may not
// end or may wait forever.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	}
	return os.Open(name)
}

// errNotRegular is returned by openRegular.
var errNotRegular = errors.New("it is not a regular file")

// readList reads the IDs in a file, separated by spaces, commas or line ends.
func readList(name string) ([]string, error) {
	refuse := func(why string) error {
		return result.Invalid("samples("+command.Clip(name)+"): "+why, "study", "list")
	}
	file, err := openRegular(name)
	if errors.Is(err, errNotRegular) {
		return nil, refuse(err.Error())
	}
	if err != nil {
		return nil, refuse("the file cannot be read")
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSampleList+1))
	switch {
	case err != nil:
		return nil, refuse("the file cannot be read")
	case len(text) > maxSampleList:
		return nil, refuse(fmt.Sprintf("the file is larger than %d bytes, the maximum for a list of samples", maxSampleList))
	}
	if line, ok := command.NULLine(text); ok {
		return nil, refuse(fmt.Sprintf("line %d holds a NUL byte, so this is not text in UTF-8", line))
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(", \t\r\n\ufeff", r) }), nil
}

// keepLists replaces the files of an expression by names without folders, and returns the samples of each.
func (q *querying) keepLists(x oql.Expr) (lists map[string][]string, err error) {
	samples, err := q.s.Samples()
	if err != nil {
		return nil, err
	}
	nameOf := map[string]string{} // by file
	oql.Walk(x, func(x oql.Expr) {
		list, is := x.(*oql.SampleList)
		if !is || err != nil {
			return
		}
		if name, isKept := nameOf[list.File]; isKept {
			list.File = name
			return
		}
		in, failed := q.source.SampleList(list.File)
		if err = failed; err != nil {
			return
		}
		ids := []string{}
		for i, is := range in {
			if is {
				ids = append(ids, samples.IDs[i])
			}
		}
		if lists == nil {
			lists = map[string][]string{}
		}
		name := uniqueName(fileName(list.File), slices.Collect(maps.Keys(lists)))
		nameOf[list.File], lists[name], list.File = name, ids, name
	})
	return lists, err
}

// fileName returns the last element of a path of any system.
func fileName(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// uniqueName returns name, with a number if it is taken.
func uniqueName(name string, taken []string) string {
	unique := name
	for n := 2; slices.Contains(taken, unique); n++ {
		unique = fmt.Sprintf("%s-%d", name, n)
	}
	return unique
}

// shownExpression returns the expression of a saved group. It hides the folders of files from an agent, which
// may not learn paths of this machine. Versions that did not keep the samples of a file saved its path.
func shownExpression(in *command.Input, g study.SavedGroup) string {
	if in.Policy == command.Person {
		return g.Expression
	}
	x, err := oql.ParseExpr(g.Expression)
	if err != nil { // edited by hand
		return ""
	}
	oql.Walk(x, func(x oql.Expr) {
		if list, is := x.(*oql.SampleList); is {
			list.File = fileName(list.File)
		}
	})
	return x.String()
}
