package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sync"
)

// sources parses each file once for all platforms.
type sources struct {
	root  string // the project's folder
	set   *token.FileSet
	mu    sync.Mutex
	files map[string]func() (*ast.File, error)
}

func newSources(root string) *sources {
	return &sources{root: root, set: token.NewFileSet(), files: map[string]func() (*ast.File, error){}}
}

// parse implements packages.Config.ParseFile. It ignores the first argument, since all files
// belong to s.set.
func (s *sources) parse(_ *token.FileSet, name string, src []byte) (*ast.File, error) {
	s.mu.Lock()
	parsed := s.files[name]
	if parsed == nil {
		parsed = sync.OnceValues(func() (*ast.File, error) {
			if rel, err := filepath.Rel(s.root, name); err == nil && filepath.IsLocal(rel) {
				return parser.ParseFile(s.set, name, src, parser.SkipObjectResolution|parser.ParseComments)
			}
			file, err := parser.ParseFile(s.set, name, src, parser.SkipObjectResolution)
			if file != nil {
				declarations(file)
			}
			return file, err
		})
		s.files[name] = parsed
	}
	s.mu.Unlock()
	return parsed()
}

// declarations removes the parts of a library's file that do not affect the types of its
// declarations: function bodies and the elements of composite literals.
func declarations(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Body = nil
		case *ast.FuncLit:
			n.Body = &ast.BlockStmt{Lbrace: n.Body.Lbrace, Rbrace: n.Body.Rbrace}
		case *ast.CompositeLit:
			if array, ok := n.Type.(*ast.ArrayType); ok {
				if _, counted := array.Len.(*ast.Ellipsis); counted {
					return true
				}
			}
			n.Elts = nil
		}
		return true
	})
}
