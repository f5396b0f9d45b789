package cli_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/entity"
)

// budget is what the program may be made of. To raise a number is a decision: say beside
// it what the growth is for.
var budget = map[string]int{
	// Lines of the binary, by concern; tests and simulators are not in it. The aim is 79,000.
	// What has grown since, beside each concern, is for:
	"lines of charts":   3598,   // statistics, intervals, points, logarithmic axes, PNG, names beside crowded heads
	"lines of cli":      37_179, // parts of narrow lines, trials by start and results; results of trials with of how many and between whom, flagged submissions; code that all records and rows share, 2.5 MB less of it in the binary; labels of brands of combinations, other names of genes in trials; first screen, pager, exports, pages of every list, pasted references, rows for other programs, panels, kept queries, update, completion, prompts, first words, files of ids, co-occurrence by patient, lines of strangers' trials
	"lines of cmd":      49,     // a start without collections
	"lines of entrez":   18_204, // kinds of clinical impact, sections without a title, funding and data of full texts, records with another abstract alone; names of variants, what each reply needs and where it was seen, tags, printed references, phrases of searches without hits
	"lines of mcpshell": 4412,   // shares of the places, the account of calls, PNG, OAuth providers, skills, search and fetch
	"lines of rag":      14_022, // exact titles, spelling, names of genes, refetching, more like these, the most texts that a service takes, news of a sync, hits compared by headings
	"lines of skills":   1057,   // recognisers of what a question names, readings that have a place for all of it
	"lines of store":    23_888, // studies as they are shipped: bounds, several samples, barcodes, further files; searches by meaning on several connections; supplements of clinical files, RNA-seq beside arrays, what cBioPortal leaves out; sums, second copies, deep checks, mending in place, kept queries, HGNC, labels of genes, packages of their own for the file and the word index, limits of shifts
	"lines in all":      102_409,
	// Packages of the binary, the standard library's included.
	// 40 of them write workbooks and man pages, rotate the log of calls, read tokens of
	// providers and check signatures of releases; two are rooms that store was divided into.
	"packages": 651,
	// Functions that take the words of a command line, other than the rules of cli/meant,
	// which a right line does not pass.
	"functions that take words": 42,
	// What an entity and a search can say of themselves.
	"fields of entity.Spec": 18, "fields of entity.SearchSpec": 23,
}

// The program stays within its budget. Run with -v it prints all numbers.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command for the packages of the binary, which the race detector need not see")
	}
	got := map[string]int{
		"fields of entity.Spec":       reflect.TypeFor[entity.Spec[struct{}]]().NumField(),
		"fields of entity.SearchSpec": reflect.TypeFor[entity.SearchSpec[struct{}]]().NumField(),
	}
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles", "./cmd/biomcp")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var pkg struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := in.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		got["packages"]++
		path, ours := strings.CutPrefix(pkg.ImportPath, "biomcp/")
		if !ours {
			continue
		}
		concern, _, _ := strings.Cut(path, "/")
		for _, file := range pkg.GoFiles {
			text, err := os.ReadFile(filepath.Join(pkg.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(text, []byte("\n"))
			got["lines of "+concern] += n
			got["lines in all"] += n
			if concern == "cli" && !strings.HasPrefix(path, "cli/meant") && !strings.HasPrefix(path, "cli/study") || concern == "mcpshell" {
				got["functions that take words"] += len(takers(t, text))
			}
		}
	}
	for name := range got {
		t.Run(name, func(t *testing.T) {
			if _, known := budget[name]; !known {
				t.Errorf("no budget for %s: %d", name, got[name])
			}
		})
	}
	for name, most := range budget {
		t.Logf("%s: %d of %d", name, got[name], most)
		if got[name] > most || got[name] == 0 {
			t.Errorf("%s: %d, and the budget is %d", name, got[name], most)
		}
	}
}

// takers are the functions of a file that have the words of a command line as a
// parameter, by the line on which their body begins.
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
