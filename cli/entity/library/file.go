package library

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/library"
)

// file describes a file of the library in lists.
type file struct {
	URI      string   `json:"uri"`
	Project  string   `json:"project"`
	File     string   `json:"file"`
	Title    string   `json:"title"`
	Category *string  `json:"category"`
	Tags     []string `json:"tags"`
	Created  string   `json:"created"`  // RFC 3339, UTC
	Modified string   `json:"modified"` // RFC 3339, UTC
}

func fileOf(f *library.File) file {
	return file{
		URI: f.URI(), Project: f.Project, File: f.Name, Title: f.Title, Tags: f.Tags,
		Created: f.Created.UTC().Format(time.RFC3339), Modified: f.Modified.UTC().Format(time.RFC3339),
		Category: record.NilIfZero(f.Category),
	}
}

// id returns the name by which get library reads the file.
func (f *file) id() string { return f.Project + "/" + f.File }

// fileText is the answer of get library: a file with its text, or some lines of it.
type fileText struct {
	file
	Text string `json:"text"`

	first, lines int // first line shown, from 1; number of lines in the file
}

// Doc returns the text as it is in the file, as a passage.
func (f *fileText) Doc() result.Doc {
	return result.Doc{result.Passage{Block: result.Verbatim{Text: f.Text}}}
}

var getHelp = []string{"get", "library", "--help"}

func get(_ context.Context, in *command.Input, ids []string, _ entity.Sections) (*entity.Found[fileText], error) {
	searcher, err := in.App.Library()
	if err != nil {
		return nil, err
	}
	id := strings.Join(ids, " ")
	project, name, ok := library.ParseURI(id)
	if !ok {
		project, name, ok = strings.Cut(id, "/")
	}
	if !ok {
		f := result.Invalid(fmt.Sprintf("%q is not a file of the library: <project>/<file>", command.Clip(id)),
			"search", "library", id)
		if names, err := searcher.Library.Projects(); err == nil && slices.Contains(names, id) {
			f.Try = result.Argv{"search", "library", "--project", id}
		}
		return nil, f
	}
	f, text, err := searcher.Library.Read(project, name)
	if library.IsKind(err, store.NotFound) {
		return nil, noFile(in, id)
	}
	if err != nil {
		return nil, err
	}
	got := &fileText{file: fileOf(f), Text: text}
	found := &entity.Found[fileText]{Records: []*fileText{got}, Payload: got}
	if err := got.cut(in.String("lines")); err != nil {
		return nil, err
	}
	if in.Given("lines") {
		last := got.first - 1 + lineCount(got.Text)
		notice := fmt.Sprintf("lines %d to %d of %d", got.first, last, got.lines)
		if last < got.lines {
			notice += "; the rest: " + entity.LineFrom(in, last+1, "--lines", fmt.Sprintf("%d-", last+1)).String()
		}
		found.Notices = append(found.Notices, notice)
	}
	return found, nil
}

// noFile returns an error that a file does not exist, and suggests the nearest name.
func noFile(in *command.Input, id string) error {
	failure := result.Missing("the library has no file "+command.Clip(id), "search", "library")
	searcher, err := in.App.Library()
	if err != nil {
		return err
	}
	files, _, err := searcher.Library.Files(context.Background())
	if err != nil {
		return failure
	}
	names := result.Map(files, func(f library.File) string { return f.Project + "/" + f.Name })
	near := command.Nearest(id, names)
	if i := slices.IndexFunc(names, func(name string) bool {
		return strings.EqualFold(name, id) || strings.EqualFold(name, id+".md")
	}); i >= 0 {
		near = names[i]
	}
	if near != "" {
		failure.Message += command.Guess(near)
		failure.Try = result.Argv{"get", "library", near}
	}
	return failure
}

// cut keeps a range of lines: 12, 3-40 or 41-.
func (f *fileText) cut(lines string) error {
	all := strings.SplitAfter(f.Text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	f.first, f.lines = 1, len(all)
	if lines == "" {
		return nil
	}
	r, ok := entity.ParseRange(lines)
	if !ok {
		return result.Invalid(fmt.Sprintf("--lines %q is not a range of lines such as 12, 3-40 or 41-",
			command.Clip(lines)),
			getHelp...)
	}
	if r.From > len(all) {
		return result.Invalid(fmt.Sprintf("--lines %s: the file has %d lines", command.Clip(lines), len(all)),
			"get", "library", f.id())
	}
	f.first, f.Text = r.From, strings.Join(all[r.From-1:min(r.To, len(all))], "")
	return nil
}

func lineCount(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// partChars is the number of bytes of a long file to request at once.
const partChars = 40_000

// fewerLines returns the command for the first lines of those shown: at most half of them, and at
// most partChars bytes.
func fewerLines(in *command.Input, f *fileText, _ float64) result.Argv {
	n, chars := 0, 0
	for line := range strings.Lines(f.Text) {
		if chars += len(line); chars > partChars {
			break
		}
		n++
	}
	shown := lineCount(f.Text)
	if n = min(max(n, 1), shown/2); n < 1 {
		return nil
	}
	return in.LineWith("--lines", fmt.Sprintf("%d-%d", f.first, f.first+n-1))
}
