package main

import (
	"bytes"
	"go/format"
	"go/token"
	"path/filepath"
	"testing"
)

func TestDeclarationsOfLibraries(t *testing.T) {
	const src = `package p

// F adds.
func F(a int) int { return a + 1 }

var (
	table   = map[string][]int{"a": {1}}
	counted = [...][]int{{1}, {2}}
	run     = func() int { return 1 }
)
`
	const declared = `package p

func F(a int) int

var (
	table   = map[string][]int{}
	counted = [...][]int{{}, {}}
	run     = func() int {}
)
`
	root := filepath.FromSlash("/project")
	for _, c := range []struct{ folder, want string }{{"/library", declared}, {"/project/store", src}} {
		t.Run(c.folder, func(t *testing.T) {
			s := newSources(root)
			name := filepath.Join(filepath.FromSlash(c.folder), "p.go")
			file, err := s.parse(token.NewFileSet(), name, []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := format.Node(&got, s.set, file); err != nil {
				t.Fatal(err)
			}
			if got.String() != c.want {
				t.Errorf("in %s:\n%s\nwant:\n%s", c.folder, &got, c.want)
			}
			if again, _ := s.parse(s.set, name, nil); again != file {
				t.Errorf("%s was parsed twice", name)
			}
		})
	}
}
