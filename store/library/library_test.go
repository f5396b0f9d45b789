package library

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/store"
)

// sample returns a library of synthetic notes.
func sample(t *testing.T) (*Library, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"glp1/README.md":  "---\ntitle: GLP-1 and weight\ncategory: obesity\ntags: [glp-1, weight]\ncreated: 2026-01-02\n---\n# Another title\n",
		"glp1/notes.md":   "\ufeff---\r\ntitle: Notes\r\ntags: trials, dose , trials\r\n---\r\ntext\r\n",
		"glp1/plain.md":   "```\n# no heading\n```\n\n## What we know ##\n",
		"bare/one.md":     "no front matter, no heading",
		"loose.md":        "in no project",
		"glp1/deep/x.md":  "too deep",
		"glp1/a.txt":      "not markdown",
		"glp1/.hidden.md": "hidden",
	} {
		put1(t, dir, name, text)
	}
	return New(dir), dir
}

func put1(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, l *Library) (map[string]File, []string) {
	t.Helper()
	list, problems, err := l.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]File{}
	for _, f := range list {
		byName[f.Project+"/"+f.Name] = f
	}
	if len(byName) != len(list) {
		t.Fatalf("a file is listed twice: %v", list)
	}
	return byName, problems
}

func TestFilesTakeWhatTheyDoNotSayFromTheREADME(t *testing.T) {
	l, _ := sample(t)
	got, problems := files(t, l)
	if len(got) != 4 {
		t.Errorf("%d files: %v", len(got), got)
	}
	if len(problems) != 2 || !strings.Contains(problems[0], "glp1/deep") || !strings.Contains(problems[1], "loose.md") {
		t.Errorf("problems: %q", problems)
	}
	for _, c := range []struct{ name, label, title, category, tags string }{
		{"glp1/README.md", "GLP-1 and weight - README.md", "GLP-1 and weight", "obesity", "glp-1,weight"},
		{"glp1/notes.md", "GLP-1 and weight - notes.md", "Notes", "obesity", "trials,dose"},
		{"glp1/plain.md", "GLP-1 and weight - plain.md", "What we know", "obesity", "glp-1,weight"},
		{"bare/one.md", "bare - one.md", "one.md", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := got[c.name]
			if f.Label() != c.label || f.Title != c.title || f.Category != c.category || strings.Join(f.Tags, ",") != c.tags || f.Tags == nil {
				t.Errorf("%s: %q %q %q %q", c.name, f.Label(), f.Title, f.Category, f.Tags)
			}
			one, text, err := l.Read(f.Project, f.Name)
			if err != nil || text == "" {
				t.Fatalf("read %s: %v", c.name, err)
			}
			if one.Label() != f.Label() || one.Category != f.Category || !slices.Equal(one.Tags, f.Tags) || one.Sum != f.Sum {
				t.Errorf("read %s: %+v, listed %+v", c.name, *one, f)
			}
		})
	}
	if created := got["glp1/README.md"].Created; created != time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) {
		t.Errorf("created: %s", created)
	}
	if f := got["bare/one.md"]; f.Created != f.Modified || f.Created.IsZero() {
		t.Errorf("created without front matter: %s, modified %s", f.Created, f.Modified)
	}
}

// The title of a project without a title is its README's first heading or, if there is none, its
// name.
func TestProjectTitle(t *testing.T) {
	for readme, want := range map[string]string{
		"---\ntitle: From matter\n---\n# Heading\n": "From matter",
		"text\n# Heading\n":                         "Heading",
		"text\n":                                    "p",
	} {
		t.Run(readme, func(t *testing.T) {
			dir := t.TempDir()
			put1(t, dir, "p/README.md", readme)
			put1(t, dir, "p/a.md", "text")
			if got, _ := files(t, New(dir)); got["p/a.md"].ProjectTitle != want {
				t.Errorf("%q: title %q, want %q", readme, got["p/a.md"].ProjectTitle, want)
			}
		})
	}
}

func TestChangesAreSeen(t *testing.T) {
	l, dir := sample(t)
	first, _ := files(t, l)
	put1(t, dir, "glp1/notes.md", strings.Replace("\ufeff---\r\ntitle: Notes\r\ntags: trials, dose , trials\r\n---\r\ntext\r\n", "Notes", "Noted", 1)) // same length, written immediately
	put1(t, dir, "new/README.md", "# New\n")
	if err := os.Remove(filepath.Join(dir, "bare", "one.md")); err != nil {
		t.Fatal(err)
	}
	got, _ := files(t, l)
	if got["glp1/notes.md"].Title != "Noted" || got["glp1/notes.md"].Sum == first["glp1/notes.md"].Sum || got["new/README.md"].Title != "New" || len(got) != 4 {
		t.Errorf("after a change: %v", got)
	}
	if len(l.cache) != 4 {
		t.Errorf("%d files are remembered, and there are 4", len(l.cache))
	}
}

// A file that has not changed for a while is not read again.
func TestUnchangedFilesAreNotReadAgain(t *testing.T) {
	l, dir := sample(t)
	old := time.Now().Add(-time.Hour)
	name := filepath.Join(dir, "glp1", "notes.md")
	if err := os.Chtimes(name, old, old); err != nil {
		t.Fatal(err)
	}
	files(t, l)
	k := l.cache["glp1/notes.md"]
	k.file.Title = "remembered"
	l.cache["glp1/notes.md"] = k
	if got, _ := files(t, l); got["glp1/notes.md"].Title != "remembered" {
		t.Errorf("it was read again: %q", got["glp1/notes.md"].Title)
	}
}

func TestWhatCannotBeServedIsNamed(t *testing.T) {
	l, dir := sample(t)
	put1(t, dir, "bad/big.md", strings.Repeat("x", MaxFile+1))
	put1(t, dir, "bad/whole.md", strings.Repeat("x", MaxFile))
	put1(t, dir, "bad/bytes.md", "a\xff\xfe")
	put1(t, dir, "bad/yaml.md", "---\ntitle: [unclosed\n---\n# Served\n")
	put1(t, dir, "bad/date.md", "---\ncreated: soon\n---\n")
	put1(t, dir, "bad/a:b.md", "")
	put1(t, dir, "bad/UPPER.MD", "")
	put1(t, dir, "bad/long.markdown", "")
	put1(t, dir, "bad/inner/note.md", "")
	for _, name := range []string{"bad/data.csv", "bad/figures/one.png", "bad/.git/note.md"} { // not notes
		put1(t, dir, name, "")
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "bad", "link.md")); err != nil {
		t.Fatal(err)
	}
	got, problems := files(t, l)
	text := strings.Join(problems, "\n")
	for _, want := range []string{"bad/big.md is not served: it has more than 4194304 bytes", "bad/bytes.md is not served: it is not UTF-8", "bad/yaml.md: its front matter is not YAML", `bad/date.md: created: "soon" is not a date`, "bad/a:b.md is not served", "bad/link.md is not served: it is a link",
		"bad/UPPER.MD is not served: its name does not end in .md", "bad/long.markdown is not served", "bad/inner is not served: a project is a single folder"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no problem %q in\n%s", want, text)
			}
		})
	}
	if got["bad/yaml.md"].Title != "Served" || got["bad/date.md"].Title != "date.md" || got["bad/whole.md"].Name == "" {
		t.Errorf("served: %v", got)
	}
	for _, name := range []string{"data.csv", "figures", ".git"} {
		if strings.Contains(text, name) {
			t.Errorf("%s, which is not a note, is reported:\n%s", name, text)
		}
	}
	if strings.Contains(text, dir) {
		t.Errorf("a problem names the folder:\n%s", text)
	}
}

func TestAFolderThatDoesNotExistIsEmpty(t *testing.T) {
	l := New(filepath.Join(t.TempDir(), "none"))
	if got, problems := files(t, l); len(got)+len(problems) > 0 {
		t.Errorf("%v %v", got, problems)
	}
	if _, _, err := l.Read("p", "a.md"); !IsKind(err, store.NotFound) {
		t.Errorf("read: %v", err)
	}
	if names, err := l.Projects(); err != nil || len(names) > 0 {
		t.Errorf("projects: %v %v", names, err)
	}
}
