// Package release makes everything that a release is made of, from goreleaser.yaml: archives
// for six platforms with their checksums and bills of materials, Linux packages, manifests
// of package managers, and what is packed here around the same binaries: wheels, npm
// packages, bundles for MCP hosts, an image and a recipe for conda.
//
//	go run ./build release --snapshot   all of it, in dist, without a network
//	go run ./build release              a release of the tag, drafted on GitHub
//
// Names that others have: biomcp on PyPI is an unrelated package, so the wheels and the npm
// packages are [Name]; every other package, and the command in all of them, is biomcp.
//
// The tools, GoReleaser and the one for bills of materials, are pinned in tools.mod, apart
// from what the program needs: v2.16 of GoReleaser is the last that Go 1.26 builds from what
// the module proxy has. GoReleaser runs the other commands of this package:
//
//	release parts VERSION            man pages, completions, licences
//	release pack VERSION UNIXTIME    packages of the binaries
//	release sign FILE SIGNATURE      with the key of MINISIGN_KEY_FILE
package release

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"aead.dev/minisign"
)

// Name is what the package is called where biomcp is taken.
const Name = "biomcp-go"

// Run runs a command; none, or flags, go to GoReleaser's release. next is the
// version of a snapshot without a tag.
func Run(args []string, next string) error {
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch {
	case command == "parts" && len(args) == 2:
		return parts(".release", args[1])
	case command == "pack" && len(args) == 3:
		seconds, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		return pack("dist", args[1], time.Unix(seconds, 0).UTC())
	case command == "sign" && len(args) == 3:
		return sign(args[1], args[2])
	case command == "" || command[0] == '-':
		return release(args, next)
	}
	return errors.New("say: go run ./build release --snapshot")
}

func release(flags []string, next string) error {
	cmd := exec.Command("go", append([]string{"tool", "-modfile=build/release/tools.mod", "goreleaser", "release", "--clean", "--config=build/release/goreleaser.yaml"}, flags...)...)
	cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdout, os.Stderr, os.Environ()
	if len(flags) > 0 && flags[0] == "--snapshot" {
		cmd.Args = append(cmd.Args, "--skip=sign")
		cmd.Env = append(cmd.Env, "GORELEASER_CURRENT_TAG=v"+next)
	}
	return cmd.Run()
}

// sign writes the signature of a file, as minisign does.
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
