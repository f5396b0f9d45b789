// Command platforms checks that the project, tests included, compiles on each
// platform it is published for. It reads all packages from source: compiling
// every library six times, which go vet would need, takes ten times as long.
//
//	go run ./build/platforms
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	failed := false
	for _, p := range platforms {
		errs, err := check(p)
		if err != nil {
			errs = append(errs, err)
		}
		for _, err := range errs {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p, err)
		}
		failed = failed || len(errs) > 0
	}
	if failed {
		os.Exit(1)
	}
}

// check returns what does not compile of the packages in and below this folder.
func check(platform string) (errs []error, err error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	goos, goarch := filepath.Split(platform)
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes,
		Env:   append(os.Environ(), "CGO_ENABLED=0", "GOOS="+filepath.Clean(goos), "GOARCH="+goarch),
		Tests: true,
		ParseFile: func(set *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
			if rel, outside := filepath.Rel(root, name); outside == nil && filepath.IsLocal(rel) || file == nil {
				return file, err
			}
			for _, d := range file.Decls { // of a library, types are enough
				if f, ok := d.(*ast.FuncDecl); ok {
					f.Body = nil
				}
			}
			return file, err
		},
	}, "./...")
	if err != nil {
		return nil, err
	}
	for _, pkg := range pkgs {
		if strings.HasSuffix(pkg.ID, ".test") { // the main that go test writes, no file of ours
			continue
		}
		for _, e := range pkg.Errors {
			errs = append(errs, e)
		}
	}
	return errs, nil
}
