// Command platforms runs the checks of go vet on the project, tests included, for
// each platform it is published for. It reads all packages from source, and of the
// libraries only the declarations, each file once: go vet itself would compile every
// library once more for each platform, which takes ten times as long.
//
//	go run ./build/platforms
//
// What differs on Windows and macOS, and how it was checked. "Types" is this command: it
// compiles there with its tests and go vet finds nothing. Nothing was run on macOS, and
// nothing on Windows but under Wine 8.0, with a stand-in for bcryptprimitives.dll, which Go's
// runtime needs: there demo, an import of 1,033 records, search corpus, health, skill install,
// a chart into a file and a call over stdio did what they do on Linux. os.RemoveAll fails
// there, also of a folder made for the purpose, so demo left its temporary folder.
//
//	folders of data and cache    command.dataHome, cacheHome: LocalAppData, Library/...; tests with a made-up environment
//	home folder                  USERPROFILE on Windows (command.ReadEnv); tests
//	folder of the rate's slots   /tmp is shared on Unix, each user's own on Windows (polite.private); types
//	locks                        gofrs/flock: LockFileEx on Windows, flock elsewhere; types
//	rename over an open file     replace.In renames over a file, which fails on Windows while another process reads it: the
//	                             old file stays and the error is told; a log that is too long is then not set aside. Types
//	the running program          cli/update: Windows renames it, others link and rename; tests of the second
//	writing names to the disk    replace.Names: no such call on Windows; types
//	free space                   not known on Windows (disk.FreeSpace), so no download is refused for it; types
//	Ctrl-C and SIGTERM           os.Interrupt on all; Windows sends no SIGTERM; a killed process is tested on Linux
//	width and colour             golang.org/x/term asks the console; types; the terminal tests run on Linux
//	pager                        PAGER, where it can be run; less is rarely there on Windows, and the text is then printed
//	file modes                   0600 of keys and tokens means nothing on Windows, where the profile's folder is private
//	paths in answers             filepath everywhere; a path with a drive in --from is tested on no platform
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	src := newSources(root)
	work := pool.New().WithErrors().WithMaxGoroutines(2) // go list and the first libraries use one processor; each platform takes two gigabytes
	for _, p := range platforms {
		work.Go(func() error {
			errs, err := check(p, src)
			if err != nil {
				errs = append(errs, err)
			}
			for _, err := range errs {
				fmt.Fprintf(os.Stderr, "%s: %v\n", p, err)
			}
			return errors.Join(errs...)
		})
	}
	if work.Wait() != nil {
		os.Exit(1)
	}
}

// check returns what does not compile, and what go vet reports, of the packages in
// and below this folder.
func check(platform string, src *sources) (errs []error, err error) {
	goos, goarch := filepath.Split(platform)
	pkgs, err := packages.Load(&packages.Config{
		Mode:      packages.LoadAllSyntax | packages.NeedModule,
		Env:       append(os.Environ(), "CGO_ENABLED=0", "GOOS="+filepath.Clean(goos), "GOARCH="+goarch),
		Tests:     true,
		Fset:      src.set,
		ParseFile: src.parse,
	}, "./...")
	if err != nil {
		return nil, err
	}
	// The main packages that go test writes are no files of ours.
	pkgs = slices.DeleteFunc(pkgs, func(pkg *packages.Package) bool { return strings.HasSuffix(pkg.ID, ".test") })
	tested := map[string]bool{}
	for _, pkg := range pkgs {
		for _, e := range pkg.Errors {
			errs = append(errs, e)
		}
		tested[pkg.PkgPath] = tested[pkg.PkgPath] || pkg.ID != pkg.PkgPath
	}
	if len(errs) > 0 {
		return errs, nil
	}
	// A package with its tests has all files of the package without.
	pkgs = slices.DeleteFunc(pkgs, func(pkg *packages.Package) bool { return pkg.ID == pkg.PkgPath && tested[pkg.PkgPath] })
	// A library without its function bodies does not type-check, which is no fault of
	// it nor of what imports it.
	packages.Visit(pkgs, nil, func(pkg *packages.Package) { pkg.IllTyped = false })
	vetted, err := checker.Analyze(vet.Suite, pkgs, nil)
	if err != nil {
		return nil, err
	}
	for _, action := range vetted.Roots {
		for _, d := range action.Diagnostics {
			errs = append(errs, fmt.Errorf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message))
		}
		if action.Err != nil {
			errs = append(errs, fmt.Errorf("%v: %w", action, action.Err))
		}
	}
	return errs, nil
}
