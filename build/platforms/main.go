// Command platforms runs the checks of go vet on the project, including its tests, for
// each published platform. It parses each file once, and of the libraries only the
// declarations. That takes a tenth of the time of go vet, which would compile every
// library again for each platform.
//
//	go run ./build/platforms
//
// The following list describes the differences of Windows and macOS and their checks. "Types"
// means that this command reports no error. Nothing was run on macOS. On Windows, only Wine 8.0
// was used, with a replacement of bcryptprimitives.dll, which Go's runtime requires. There demo,
// an import of 1,033 records, search corpus, health, skill install, a chart written to a file and
// a call over stdio worked as on Linux. os.RemoveAll always fails there, so that demo did not
// remove its temporary folder.
//
//	data and cache folders     command.dataHome, cacheHome: LocalAppData, Library/...; tests with other variables
//	home folder                USERPROFILE on Windows (command.ReadEnv); tests
//	folder of rate limits      /tmp is shared on Unix and belongs to one user on Windows (httpclient.private); types
//	locks                      gofrs/flock: LockFileEx on Windows, flock elsewhere; types
//	rename over an open file   replace.FileIn fails on Windows while another process reads the file: the old file
//	                           stays, and the error is reported; a long log file is then not rotated; types
//	the running program        cli/update renames it on Windows, and links and renames elsewhere; tests of the latter
//	syncing of folders         replace.SyncDir: no such call on Windows; types
//	free space                 unknown on Windows (disk.FreeSpace), so that no download is rejected for it; types
//	Ctrl-C and SIGTERM         os.Interrupt everywhere; Windows sends no SIGTERM; a killed process is tested on Linux
//	width and colour           golang.org/x/term queries the console; types; the terminal tests run on Linux
//	pager                      PAGER; Windows rarely has less, and the text is then printed directly
//	file modes                 0600 of keys and tokens has no effect on Windows; the profile's folder is private there
//	paths in answers           filepath everywhere; a path with a drive in --from is not tested
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
	// Two at once, since go list uses only one processor, and each platform needs two gigabytes of memory.
	work := pool.New().WithErrors().WithMaxGoroutines(2)
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

// check returns the errors of the compiler and of go vet in the packages in and below this
// folder.
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
	// Skip the main packages that go test generates.
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
	// Skip a package without its tests if the package with its tests is present.
	pkgs = slices.DeleteFunc(pkgs, func(pkg *packages.Package) bool {
		return pkg.ID == pkg.PkgPath && tested[pkg.PkgPath]
	})
	// Libraries without function bodies do not type-check. Analyze them and their importers
	// nevertheless.
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
