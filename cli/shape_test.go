package cli_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/entity"
)

// shape holds upper limits that guard the design. Raising one is a decision to explain
// in the commit. CI prints the numbers of lines and packages, which have no limit.
var shape = map[string]int{
	// Functions that take the words of a command line, outside cli/study and the rules of
	// cli/correct, which a correct line does not pass.
	"functions that take words": 42,
	// Fields by which an entity and its search are described.
	"fields of entity.Spec": 18, "fields of entity.SearchSpec": 23,
}

func TestTheDesignKeepsItsShape(t *testing.T) {
	got := map[string]int{
		"fields of entity.Spec":       reflect.TypeFor[entity.Spec[struct{}]]().NumField(),
		"fields of entity.SearchSpec": reflect.TypeFor[entity.SearchSpec[struct{}]]().NumField(),
	}
	for _, file := range tracked(t, ".go") {
		pkg := filepath.ToSlash(filepath.Dir(file))
		counted := pkg == "mcpshell" || strings.HasPrefix(pkg, "mcpshell/") || pkg == "cli" || strings.HasPrefix(pkg, "cli/")
		exempt := strings.HasPrefix(pkg, "cli/correct") || strings.HasPrefix(pkg, "cli/study")
		if counted && !exempt && !isTestPackage(pkg) && !strings.HasSuffix(file, "_test.go") {
			got["functions that take words"] += len(takers(t, read(t, file)))
		}
	}
	for name, limit := range shape {
		if got[name] > limit {
			t.Errorf("%s: got %d, want at most %d", name, got[name], limit)
		}
		if got[name] == 0 {
			t.Errorf("%s: got 0; the test no longer finds them", name)
		}
	}
}

// takers returns the functions of a file with the words of a command line as a parameter,
// by the line on which their body begins.
func takers(t *testing.T, file []byte) map[int]string {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", file, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"words", "args", "line", "typed", "argv", "rest"}
	found := map[int]string{}
	for _, d := range f.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is {
			continue
		}
		if slices.ContainsFunc(fn.Type.Params.List, func(p *ast.Field) bool {
			return isWords(p.Type) && slices.ContainsFunc(p.Names, func(id *ast.Ident) bool { return slices.Contains(names, id.Name) })
		}) {
			found[set.Position(fn.Body.Lbrace).Line] = fn.Name.Name
		}
	}
	return found
}

// isWords reports whether a type is []string or result.Argv.
func isWords(e ast.Expr) bool {
	switch t := e.(type) {
	case *ast.ArrayType:
		id, is := t.Elt.(*ast.Ident)
		return is && id.Name == "string"
	case *ast.SelectorExpr:
		return t.Sel.Name == "Argv"
	}
	return false
}
