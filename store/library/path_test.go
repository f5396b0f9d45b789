package library

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/store"
)

const outside = "the text outside of the library"

// walled returns a library in a folder with other files around it, and links to them inside.
func walled(t testing.TB) *Library {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "library")
	for name, text := range map[string]string{
		"secret.md": outside, "other/secret.md": outside, "library/p/a.md": "inside", "library/p/b c.md": "inside",
		"library/top.md": outside, "library/p/deep/x.md": outside, "library/p/.hidden.md": outside, "library/p/key.txt": outside,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"p/link.md": "../../secret.md", "p/absolute.md": filepath.Join(dir, "secret.md"), "p/near.md": "a.md",
		"linked": "../other", "p/folder.md": "../../other", "twin": "p", "p/loop.md": "loop.md",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return New(root)
}

// spellings lists ways to write a path out of the library.
var spellings = []string{
	"..", "../secret.md", "../../secret.md", "p/../../secret.md", "p/..", "p/../top.md", "./top.md", "p/./a.md", "p//a.md", "/p/a.md", "p/a.md/",
	"%2e%2e/secret.md", "..%2fsecret.md", "p/..%2f..%2fsecret.md", "p/%2e%2e%2f%2e%2e%2fsecret.md", "p/%252e%252e%252fsecret.md", "%2e%2e%2fother/secret.md",
	"p%2f..%2f..%2fother/secret.md", "p/..%5c..%5csecret.md", `p/..\..\secret.md`, `..\other/secret.md`, "p/%c0%ae%c0%ae%c0%afsecret.md", "p/\u2025/secret.md",
	"//server/share/secret.md", `\\server\share/secret.md`, `\\?\C:\secret.md/a.md`, "file:///etc/passwd", "/etc/passwd", "C:/secret.md", "p/C:secret.md", "p/a.md:stream", "p/a.md::$DATA",
	"p/a.md\x00", "p/a.md%00", "p/a.md%00.md", "p\x00/a.md", "p%00/a.md", "P/a.md", "p/A.md", "p/A.MD", "p/a.MD", "p/NUL.md", "p/nul", "CON/a.md", "COM1.md/a.md",
	"p/a.md.", "p./a.md", "p /a.md", "p/a.md ", "p/ a.md", "p/a.md%20", "p/a.md%0a", "p/a%E2%80%AE.md", "~/secret.md", "p/~", "p/deep/x.md", "p/deep%2fx.md", "p/.hidden.md", "p/key.txt",
	"p/link.md", "p/absolute.md", "p/near.md", "linked/secret.md", "p/folder.md", "p/folder.md/secret.md", "twin/a.md", "p/loop.md", "p", "p/", "/", "", "p/.md", "top.md", "p/a.md?x", "p/a.md#x", "p/a%2.md", "p/*.md",
}

func TestNoSpellingReachesOutOfTheLibrary(t *testing.T) {
	l := walled(t)
	for _, uri := range []string{"research://p/a.md", "research://p/b%20c.md", "research://%70/%61.md", "research://p/b c.md"} {
		t.Run(uri, func(t *testing.T) {
			project, name, ok := ParseURI(uri)
			if _, text, err := l.Read(project, name); !ok || err != nil || text != "inside" {
				t.Errorf("%s: %q, %v", uri, text, err)
			}
		})
	}
	for _, s := range spellings {
		for _, uri := range []string{"research://" + s, "research:" + s, "RESEARCH://" + s, "research:///" + s, s} {
			t.Run(uri, func(t *testing.T) {
				project, name, ok := ParseURI(uri)
				if !ok {
					return
				}
				if _, text, err := l.Read(project, name); err == nil || text != "" {
					t.Errorf("%q was read as %q/%q: %q", uri, project, name, text)
				}
			})
		}
		for i := 0; i <= len(s); i++ { // names without a URI
			if _, text, err := l.Read(s[:i], strings.TrimPrefix(s[i:], "/")); err == nil && (s != "p/a.md/" || text != "inside") {
				t.Errorf("%q and %q: %q", s[:i], s[i:], text)
			}
		}
	}
}

func TestNoSpellingIsWrittenOutOfTheLibrary(t *testing.T) {
	l := walled(t)
	before := tree(t, filepath.Dir(l.dir))
	for _, s := range spellings {
		project, name, _ := strings.Cut(s, "/")
		for _, err := range []error{
			func() error { _, err := l.Write(project, name, FrontMatter{}, "x", true); return err }(),
			func() error {
				_, err := l.Write("p", strings.TrimSuffix(s, ".md")+"/../../x.md", FrontMatter{}, "x", true)
				return err
			}(),
		} {
			t.Run(fmt.Sprint(err), func(t *testing.T) {
				if err == nil && !IsName(name) {
					t.Errorf("%q was written", s)
				}
			})
		}
	}
	if _, err := l.Write("linked", "new.md", FrontMatter{}, "x", true); !IsKind(err, store.NotFound) {
		t.Errorf("a file was written through a link: %v", err)
	}
	after := tree(t, filepath.Dir(l.dir))
	for name, text := range before {
		if !strings.HasPrefix(name, "library/p/") && after[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	for name := range after {
		if _, old := before[name]; !old && !strings.HasPrefix(name, "library/p/") {
			t.Errorf("%s was made", name)
		}
	}
}

// tree returns every regular file below a folder with its text.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every file can be read by its URI.
func TestURIsAreRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.md", "50%.md", "%2e%2e.md", "é.md", "文.md", "a+b&c=d.md", "a'(b).md", "README.md", "x.y.md", "#1.md"} {
		t.Run(name, func(t *testing.T) {
			if os.PathSeparator == '\\' && strings.ContainsAny(name, "%") {
				return
			}
			put1(t, dir, "pro ject/"+name, name)
			uri := URI("pro ject", name)
			if u, err := url.Parse(URI("project", name)); err != nil || u.Scheme != "research" || u.Host != "project" || u.Path != "/"+name {
				t.Errorf("%q is no URI of a file %q: %v", URI("project", name), name, err)
			}
			project, file, ok := ParseURI(uri)
			_, text, err := New(dir).Read(project, file)
			if !ok || err != nil || text != name {
				t.Errorf("%s (%s): %q %v", uri, name, text, err)
			}
		})
	}
}

func FuzzURI(f *testing.F) {
	l := walled(f)
	for _, s := range spellings {
		f.Add("research://" + s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		project, name, ok := ParseURI(uri)
		if !ok {
			return
		}
		if p, n, again := ParseURI(URI(project, name)); !again || p != project || n != name {
			t.Errorf("%q/%q has the URI %q", project, name, URI(project, name))
		}
		if !filepath.IsLocal(filepath.Join(project, name)) || filepath.Base(name) != name || filepath.Base(project) != project {
			t.Errorf("%q is a path out of the library", uri)
		}
		if _, text, err := l.Read(project, name); err == nil && (text != "inside" || project != "p" || name != "a.md" && name != "b c.md") {
			t.Errorf("%q: %q", uri, text)
		}
	})
}
