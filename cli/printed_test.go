package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// parses fails the test if a command line is refused before it runs.
func parses(t *testing.T, where string, args []string) {
	t.Helper()
	if failure := parse(NewTree(), args, command.Person).refusal; failure != nil {
		t.Errorf("%s: %q cannot be typed: %s", where, strings.Join(args, " "), failure.Message)
	}
}

// printed matches command lines in a text: after a prompt, in a list or in backticks, starting
// with biomcp or with go run.
var printed = regexp.MustCompile("(?m)(?:^\\$ |^- |`)(?:go run \\./cmd/)?biomcp ([^`\\n]*)")

func TestEveryPrintedCommandParses(t *testing.T) {
	for _, file := range []string{"README.md", "CHANGELOG.md", "mcpshell/description.md"} {
		t.Run(file, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("..", file))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, m := range printed.FindAllStringSubmatch(string(body), -1) {
				line := strings.TrimSpace(m[1])
				if !strings.HasPrefix(m[0], "`") || strings.Contains(line, "--") || !strings.Contains(line, "<") {
					line, _, _ = strings.Cut(line, " > ") // a redirection of the shell
					args, err := words.Split(line)
					if err != nil {
						t.Errorf("%s: %q: %v", file, line, err)
						continue
					}
					parses(t, file, args)
					n++
				}
			}
			if n == 0 && file == "README.md" {
				t.Error("no command found in the README")
			}
		})
	}
	for _, line := range []string{`biomcp suggest "<question>"`, "biomcp list"} {
		t.Run(line, func(t *testing.T) {
			if !strings.Contains(instructions, line) {
				t.Errorf("the instructions do not name %s", line)
			}
			args, err := words.Split(strings.TrimPrefix(line, "biomcp "))
			if err != nil {
				t.Fatal(err)
			}
			parses(t, "instructions", args)
		})
	}
	for _, code := range []result.Code{result.Validation, result.NotFound, result.Unknown} {
		parses(t, string(code), hintOf(code))
	}
	tree := NewTree()
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		for _, x := range tree.Command(c).Examples {
			args, err := words.Split(x.Line)
			if err != nil || len(args) == 0 || args[0] != "biomcp" {
				t.Errorf("%s: example %q: %v", c.Name(), x.Line, err)
				continue
			}
			parses(t, "example of "+c.Name(), args[1:])
		}
	}
}

// TestEveryHintInTheSourcesParses checks the suggestions in the source code as far as they are
// literals: the arguments after the message of result.Invalid and result.Missing, and
// result.Argv literals.
func TestEveryHintInTheSourcesParses(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all sources, in one goroutine")
	}
	n := 0
	for _, dir := range []string{".", "../mcpshell"} {
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(node ast.Node) bool {
				var hint []ast.Expr
				switch x := node.(type) {
				case *ast.CallExpr:
					if sel, ok := x.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Invalid" || sel.Sel.Name == "Missing") && len(x.Args) > 1 && !x.Ellipsis.IsValid() {
						hint = x.Args[1:]
					}
				case *ast.CompositeLit:
					if isArgv(x.Type) {
						hint = x.Elts
					}
					if list, ok := x.Type.(*ast.ArrayType); ok && isArgv(list.Elt) {
						for _, e := range x.Elts {
							if line, ok := e.(*ast.CompositeLit); ok {
								if args, _ := literal(line.Elts); len(args) > 0 {
									n++
									parses(t, file, placeholders(line.Elts))
								}
							}
						}
					}
				}
				if args, whole := literal(hint); len(args) > 0 {
					n++
					switch {
					case args[0] == "--":
						return true // end of the flags in a composed line
					case !whole && len(args) == 1 && (args[0] == "get" || args[0] == "search"):
						args = append(args, "article", "--help") // the name of an entity follows
					case !whole: // ids or values follow
						args = placeholders(hint)
					}
					parses(t, file, args)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 50 {
		t.Errorf("only %d hints found: the test looks in the wrong place", n)
	}
}

func isArgv(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Argv"
}

// placeholders returns a line with "1" for every word that is not a literal.
func placeholders(list []ast.Expr) (args []string) {
	for _, e := range list {
		word := "1"
		if one, whole := literal([]ast.Expr{e}); whole {
			word = one[0]
		}
		args = append(args, word)
	}
	return args
}

// literal returns the leading string literals of a list, and whether they are the whole list.
func literal(list []ast.Expr) (args []string, whole bool) {
	for _, e := range list {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return args, false
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return args, false
		}
		args = append(args, s)
	}
	return args, true
}

// TestTextsNameOnlyExistingCommands checks "biomcp <word>" in every text of the sources that
// could be printed.
func TestTextsNameOnlyExistingCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all sources, in one goroutine")
	}
	named := regexp.MustCompile(`\bbiomcp ([a-z][a-z-]+)\b`)
	known := map[string]bool{}
	for _, c := range NewTree().Expand().Root.Commands() {
		known[c.Name()] = true
		for _, a := range c.Aliases {
			known[a] = true
		}
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(node ast.Node) bool {
			lit, ok := node.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			for _, m := range named.FindAllStringSubmatch(lit.Value, -1) {
				if !known[m[1]] && !prose[m[1]] {
					t.Errorf("%s names %q", path, m[0])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// prose lists words that may follow the program name without being a command.
var prose = map[string]bool{"wrote": true, "searches": true, "needs": true, "process": true, "processes": true, "command": true, "commands": true, "database": true}
