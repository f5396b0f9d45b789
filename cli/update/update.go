// Package update finds the latest release, and puts its program in the place of this one.
//
//	r, err := update.Source{Releases: address, Key: key}.Latest(ctx)
//	old, err := update.Replace(program, data)
//
// What the latest release is stands in its list of checksums, which is signed with minisign
// (https://jedisct1.github.io/minisign): whoever holds the server cannot name another
// program. minisign was taken because one short public key in the binary is all it needs,
// also on a machine without a network of its own keys; a signature by way of a certificate
// needs a transparency log and the roots of its authority, which change.
//
// It is not for a program that a package manager has installed: see [ManagerOf].
package update

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"runtime"
	"time"

	"aead.dev/minisign"
	"golang.org/x/mod/semver"

	"biomcp/entrez/pattern"
)

// Releases and Key are set when a release is built: the address under which releases lie, as
// on GitHub, and the public key that their lists of checksums are signed with.
var Releases, Key string

// Bounds of what is read, and how long it may take.
const (
	mostList    = 64 << 10
	mostArchive = 256 << 20
	patience    = 30 * time.Second // for a list
	longest     = 15 * time.Minute // for an archive
)

// Source is where releases come from.
type Source struct{ Releases, Key string }

// Release is one release, for this platform.
type Release struct {
	Version string
	Archive string // its address
	sum     string // SHA-256 in hexadecimal
}

// Error says what is wrong with a release or its server.
type Error struct {
	Message string
	Forged  bool // what came is not what was signed
}

func (e *Error) Error() string { return e.Message }

// listed is a line of the list of checksums for this platform.
var listed = pattern.Lazy(`^([0-9a-f]{64})  (biomcp_([0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)_` + runtime.GOOS + `_` + runtime.GOARCH + `\.(?:tar\.gz|zip))$`)

// Latest asks for the latest release. The error is an [Error], or one of the context.
func (s Source) Latest(ctx context.Context) (Release, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(s.Key)); err != nil {
		return Release{}, &Error{Message: "this program was built without the key of its releases"}
	}
	list, err := fetch(ctx, s.Releases+"/latest/download/checksums.txt", mostList, nil)
	if err != nil {
		return Release{}, err
	}
	signature, err := fetch(ctx, s.Releases+"/latest/download/checksums.txt.minisig", mostList, nil)
	if err != nil {
		return Release{}, err
	}
	if !minisign.Verify(key, list, signature) {
		return Release{}, &Error{"the checksums of the release are not signed with the key of this program", true}
	}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		if m := listed().FindStringSubmatch(lines.Text()); m != nil {
			return Release{Version: m[3], Archive: s.Releases + "/download/v" + m[3] + "/" + m[2], sum: m[1]}, nil
		}
	}
	return Release{}, &Error{Message: "the latest release has no archive for " + runtime.GOOS + "/" + runtime.GOARCH}
}

// Newer reports whether version a is later than b.
func Newer(a, b string) bool { return semver.Compare("v"+a, "v"+b) > 0 }

// Program fetches the program of a release. show gets how much has come.
func (r Release) Program(ctx context.Context, show func(held, total int64)) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, longest)
	defer stop()
	archive, err := fetch(ctx, r.Archive, mostArchive, show)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != r.sum {
		return nil, &Error{"the archive of the release is not the one that was signed: its checksum differs", true}
	}
	program, err := unpack(r.Archive, archive)
	if err != nil {
		return nil, &Error{Message: "the archive of the release cannot be read: " + err.Error()}
	}
	return program, nil
}

// unpack is the program in an archive.
func unpack(name string, archive []byte) ([]byte, error) {
	if path.Ext(name) == ".zip" {
		z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return nil, err
		}
		f, err := z.Open("biomcp.exe")
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return bounded(f, mostArchive)
	}
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(plain); ; {
		head, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("no program in it: %w", err)
		}
		if head.Name == "biomcp" {
			return bounded(t, mostArchive)
		}
	}
}

var errTooLarge = errors.New("it is too large")

func bounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errTooLarge
	}
	return data, err
}

// fetch reads a file of the server, whole.
func fetch(ctx context.Context, address string, most int64, show func(held, total int64)) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &Error{Message: "the address of the releases cannot be asked: " + err.Error()}
	}
	failed := func(what string) ([]byte, error) {
		return nil, &Error{Message: "the server of the releases " + what + ": " + req.URL.Redacted()}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return failed("cannot be reached")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return failed("answered " + resp.Status)
	}
	var body io.Reader = resp.Body
	if show != nil {
		body = &counted{body, 0, resp.ContentLength, show}
	}
	data, err := bounded(body, most)
	switch {
	case errors.Is(err, errTooLarge):
		return failed("sent too much")
	case err != nil || resp.ContentLength >= 0 && int64(len(data)) != resp.ContentLength:
		return failed("stopped before the end of a file")
	}
	return data, nil
}

// counted shows how much was read.
type counted struct {
	io.Reader
	held, total int64
	show        func(held, total int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.held += int64(n)
	c.show(c.held, c.total)
	return n, err
}
