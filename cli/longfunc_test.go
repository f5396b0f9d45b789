package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Limits of a function. Its lines are all from func to the last brace except those of composite
// literals, which are data; a function literal within one counts. Its branches are its cyclomatic
// complexity: 1, and 1 for each if, for, case that is not the default, && and ||.
const maxLines, maxBranches = 60, 25

// No function of the command line is long.
func TestNoFunctionIsLong(t *testing.T) {
	for _, file := range tracked(t, ".go") {
		pkg := filepath.ToSlash(filepath.Dir(file))
		if !strings.HasPrefix(file, "cli/") || strings.HasSuffix(file, "_test.go") || isTestPackage(pkg) {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Body == nil {
				continue
			}
			if lines, branches := functionSize(set, f); lines > maxLines || branches > maxBranches {
				t.Errorf("%s: %s has %d lines and %d branches, want at most %d and %d", file, f.Name.Name, lines, branches,
					maxLines, maxBranches)
			}
		}
	}
}

// functionSize returns the lines and the branches of a function.
func functionSize(set *token.FileSet, f *ast.FuncDecl) (lines, branches int) {
	line := func(p token.Pos) int { return set.Position(p).Line }
	data := map[int]bool{}
	branches = 1
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for l := line(n.Lbrace) + 1; l <= line(n.Rbrace); l++ {
				data[l] = true
			}
		case *ast.FuncLit:
			for l := line(n.Pos()); l <= line(n.End()); l++ {
				delete(data, l)
			}
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			branches++
		case *ast.CaseClause:
			branches += min(1, len(n.List))
		case *ast.CommClause:
			if n.Comm != nil {
				branches++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				branches++
			}
		}
		return true
	})
	return line(f.End()) - line(f.Pos()) + 1 - len(data), branches
}
