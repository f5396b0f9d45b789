// Package release makes the files of a release. GoReleaser, configured by goreleaser.yaml, makes
// archives for six platforms with checksums and bills of materials, Linux packages and manifests
// of package managers. This package adds packages of the same binaries: wheels, npm
// packages, bundles for MCP hosts, an image and a recipe for conda.
//
//	go run ./build release --snapshot   everything, in dist
//	go run ./build release              a release of the tag, drafted on GitHub
//
// It first fills the module cache for all platforms. If the cache is full, a snapshot needs no network.
//
// On PyPI, biomcp is an unrelated package. Therefore the wheels and the npm packages are
// called [Name]. Every other package, and the command in all of them, is called biomcp.
//
// GoReleaser and the tool for bills of materials are pinned in tools.mod, separately from the
// dependencies of the program. GoReleaser v2.16 is the last version that Go 1.26 can build
// from the module proxy. GoReleaser runs the other commands of this package:
//
//	release parts VERSION            man pages, completions, licences
//	release bill VERSION FILE BILL   bill of materials of a binary
//	release pack VERSION UNIXTIME    packages of the binaries
//	release sign FILE SIGNATURE      with the key of MINISIGN_KEY_FILE
package release

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"aead.dev/minisign"

	"biomcp/build/home"
)

// Name is the name of the package in registries where biomcp is taken.
const Name = "biomcp-go"

// Run runs a command of this package. If args is empty or begins with a flag, it runs
// "goreleaser release" with these flags.
func Run(args []string) error {
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch {
	case command == "parts" && len(args) == 2:
		return parts(".release", args[1])
	case command == "bill" && len(args) == 4:
		return bill(args[1], args[2], args[3])
	case command == "pack" && len(args) == 3:
		seconds, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		return pack("dist", args[1], time.Unix(seconds, 0).UTC())
	case command == "sign" && len(args) == 3:
		return sign(args[1], args[2])
	case command == "" || command[0] == '-':
		return release(args)
	}
	return errors.New("unknown command; run: go run ./build release --snapshot")
}

// tools are the tools that tools.mod pins.
var tools = []string{modfile, goreleaser, cyclonedx}

const (
	modfile    = "-modfile=build/release/tools.mod"
	goreleaser = "github.com/goreleaser/goreleaser/v2"
	cyclonedx  = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod"
)

// compilerEnv is the environment of the compilers. Each of them runs for a short time and needs little
// memory, so it has one thread, and its garbage collector seldom runs: the go command runs as many
// compilers as there are processors. It must match goreleaser.yaml.
var compilerEnv = []string{"CGO_ENABLED=0", "GOMAXPROCS=1", "GOGC=1600", "GOMEMLIMIT=1GiB"}

// build compiles the command in a package to a file. Further arguments are flags of "go build". The
// compiler gets the flags of the program, so that packages of the program and the tools are compiled once.
func build(program, pkg string, flags ...string) error {
	args := append([]string{"build", "-p", strconv.Itoa(runtime.NumCPU()), "-trimpath", tag, gcflags, "-o", program}, flags...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Stderr, cmd.Env = os.Stderr, append(os.Environ(), compilerEnv...)
	return cmd.Run()
}

// release runs "goreleaser release". With --snapshot as the first flag it does not sign.
func release(flags []string) error {
	owner, name := repository()
	env := append(os.Environ(), "GITHUB_REPOSITORY_OWNER="+owner, "REPOSITORY_NAME="+name)
	args := append([]string{"release", "--clean", "--config=build/release/goreleaser.yaml"}, flags...)
	if len(flags) > 0 && flags[0] == "--snapshot" {
		args = append(args, "--skip=sign")
		env = append(env, "GORELEASER_CURRENT_TAG=v"+metadata().Version)
	} else if at := home.Current(); at != (home.Address{}) && at.Host != "github.com" {
		return fmt.Errorf("a release is drafted on github.com, and this project is at %s; with --snapshot the files "+
			"are only made", at)
	}
	if err := fillModuleCache(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "biomcp-release-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "goreleaser.exe")
	if err := build(program, goreleaser, modfile); err != nil {
		return err
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, env
	return cmd.Run()
}

// fillModuleCache downloads the modules of the program for each platform and those of the tools. It
// returns an error that says what cannot be downloaded, as with GOPROXY=off.
func fillModuleCache() error {
	for _, p := range platforms {
		if err := listPackages("the program for "+p.os+"/"+p.arch, p, tag, "./cmd/biomcp"); err != nil {
			return err
		}
	}
	return listPackages("the tools of build/release/tools.mod", platform{os: runtime.GOOS, arch: runtime.GOARCH}, tools...)
}

// listPackages lists the packages that the arguments of "go list" name with all that they import, which
// downloads missing modules. what names them in an error.
func listPackages(what string, p platform, args ...string) error {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", "{{if false}}{{end}}"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	if err := cmd.Run(); err != nil {
		const progress = "go: downloading "
		reason, lacking := "", "modules"
		for line := range strings.Lines(errs.String()) {
			line = strings.TrimSpace(line)
			if module, isProgress := strings.CutPrefix(line, progress); isProgress {
				lacking = module
			} else if reason == "" {
				reason = line
			}
		}
		return fmt.Errorf("the module cache lacks %s of %s, and they cannot be downloaded: %s; try again with a "+
			"network and GOPROXY=https://proxy.golang.org", lacking, what, reason)
	}
	return nil
}

// sign writes the minisign signature of a file.
func sign(file, signature string) error {
	key, err := minisign.PrivateKeyFromFile(os.Getenv("MINISIGN_PASSWORD"), os.Getenv("MINISIGN_KEY_FILE"))
	if err != nil {
		return fmt.Errorf("the key of MINISIGN_KEY_FILE: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(signature, minisign.Sign(key, text), 0o644)
}
