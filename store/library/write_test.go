package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/store"
)

func TestInitMakesAProject(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "too")
	l := New(dir)
	if written, err := l.Init("glp1", FrontMatter{Title: "GLP-1: a review", Tags: []string{"x"}}); !written || err != nil {
		t.Fatal(written, err)
	}
	got, problems := files(t, l)
	if f := got["glp1/README.md"]; f.Title != "GLP-1: a review" || f.ProjectTitle != f.Title || f.Tags[0] != "x" || len(problems) > 0 {
		t.Errorf("%+v %v", f, problems)
	}
	put1(t, dir, "glp1/README.md", "mine")
	if written, err := l.Init("glp1", FrontMatter{Title: "other"}); written || err != nil {
		t.Errorf("an existing README: written %v, %v", written, err)
	}
	if _, text, _ := l.Read("glp1", "README.md"); text != "mine" {
		t.Errorf("README: %q", text)
	}
	for _, name := range []string{"", "..", "a/b", ".git", "a\x00", `a\b`, "nul", "c:", "x ", "GLP1", "a b", "é", strings.Repeat("x", 256)} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if _, err := l.Init(name, FrontMatter{}); !IsKind(err, store.Invalid) {
				t.Errorf("init %q: %v", name, err)
			}
		})
	}
	for text, want := range map[string]string{"GLP-1 & weight": "glp-1-weight", "..": "", "nul": "", "a/../b": "a-b", "文": "", "x": "x"} {
		t.Run(text, func(t *testing.T) {
			if got := ProjectName(text); got != want {
				t.Errorf("a name like %q: %q, want %q", text, got, want)
			}
		})
	}
	if names, err := l.Projects(); err != nil || strings.Join(names, ",") != "glp1" {
		t.Errorf("projects: %v %v", names, err)
	}
}

func TestWriteReplacesOnlyWhenAsked(t *testing.T) {
	l, dir := sample(t)
	if _, err := l.Write("none", "a.md", FrontMatter{}, "", false); !IsKind(err, store.NotFound) {
		t.Errorf("a project that does not exist: %v", err)
	}
	for _, c := range []struct {
		body             string
		replace, written bool
		want             string
	}{{"one", false, true, "one"}, {"two", false, false, "one"}, {"three", true, true, "three"}} {
		t.Run(c.body, func(t *testing.T) {
			written, err := l.Write("glp1", "new.md", FrontMatter{Title: "T"}, c.body, c.replace)
			_, text, readErr := l.Read("glp1", "new.md")
			if written != c.written || err != nil || readErr != nil || text != "---\ntitle: T\n---\n"+c.want {
				t.Errorf("%+v: written %v, %v; %q, %v", c, written, err, text, readErr)
			}
		})
	}
	entries, err := os.ReadDir(filepath.Join(dir, "glp1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".biomcp-") {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// Write replaces a link instead of following it.
func TestWriteDoesNotFollowALink(t *testing.T) {
	l := walled(t)
	if written, err := l.Write("p", "link.md", FrontMatter{}, "new", false); written || err != nil {
		t.Errorf("without replace: %v %v", written, err)
	}
	if written, err := l.Write("p", "link.md", FrontMatter{Title: "T"}, "new", true); !written || err != nil {
		t.Errorf("with replace: %v %v", written, err)
	}
	if text, err := os.ReadFile(filepath.Join(filepath.Dir(l.dir), "secret.md")); err != nil || string(text) != outside {
		t.Errorf("outside: %q %v", text, err)
	}
}

func TestWriteToAFolderThatMayNotBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	l, dir := sample(t)
	if err := os.Chmod(filepath.Join(dir, "bare"), 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := l.Write("bare", "new.md", FrontMatter{}, "x", false)
	if !IsKind(err, store.ReadOnly) || strings.Contains(err.Error(), dir) {
		t.Errorf("%v", err)
	}
}
