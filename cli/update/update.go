// Package update finds the latest release and replaces the running program with it.
//
//	r, err := update.Source{Releases: address, Key: key}.Latest(ctx)
//	data, err := r.Program(ctx, nil)
//	err = update.Replace(program, data)
//
// The latest release is identified by its list of checksums, which is signed with minisign
// (https://jedisct1.github.io/minisign). An attacker who controls the server therefore
// cannot substitute another program. minisign needs only one short public key in the
// binary. A certificate-based signature would also need a transparency log and the roots
// of its authority, which change.
//
// Programs installed by a package manager are updated by it; see [ManagerOf].
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

// Releases and Key are set in a release build. Releases is the base address of the releases,
// laid out as on GitHub. Key is the public key that verifies their lists of checksums.
var Releases, Key string

// Limits of a download.
const (
	maxList        = 64 << 10         // bytes of a list of checksums or its signature
	maxArchive     = 256 << 20        // bytes of an archive
	listTimeout    = 30 * time.Second // for a list and its signature
	archiveTimeout = 15 * time.Minute
)

// A Source is a server of releases and the key that verifies them.
type Source struct{ Releases, Key string }

// A Release is one release for this platform.
type Release struct {
	Version string
	Archive string // address of the archive
	sum     string // SHA-256 of the archive in hexadecimal
}

// An Error reports a problem with a release or its server.
type Error struct {
	Message  string
	Tampered bool // the data does not match the signature or the checksum
}

func (e *Error) Error() string { return e.Message }

// checksumLine matches the line for this platform in the list of checksums.
var checksumLine = pattern.Lazy(`^([0-9a-f]{64})  (biomcp_([0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)_` +
	runtime.GOOS + `_` + runtime.GOARCH + `\.(?:tar\.gz|zip))$`)

// Latest returns the latest release. The error is an [Error], or the error of the context.
func (s Source) Latest(ctx context.Context) (Release, error) {
	ctx, stop := context.WithTimeout(ctx, listTimeout)
	defer stop()
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(s.Key)); err != nil {
		return Release{}, &Error{Message: "this program was built without the key of its releases"}
	}
	list, err := fetch(ctx, s.Releases+"/latest/download/checksums.txt", maxList, nil)
	if err != nil {
		return Release{}, err
	}
	signature, err := fetch(ctx, s.Releases+"/latest/download/checksums.txt.minisig", maxList, nil)
	if err != nil {
		return Release{}, err
	}
	if !minisign.Verify(key, list, signature) {
		return Release{}, &Error{"the checksums of the release are not signed with the key of this program", true}
	}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		if m := checksumLine().FindStringSubmatch(lines.Text()); m != nil {
			return Release{Version: m[3], Archive: s.Releases + "/download/v" + m[3] + "/" + m[2], sum: m[1]}, nil
		}
	}
	return Release{}, &Error{Message: "the latest release has no archive for " + runtime.GOOS + "/" + runtime.GOARCH}
}

// Newer reports whether version a is later than b.
func Newer(a, b string) bool { return semver.Compare("v"+a, "v"+b) > 0 }

// Program downloads the program of a release. It calls show, unless nil, with the bytes
// received and the total, which is -1 if unknown.
func (r Release) Program(ctx context.Context, show func(held, total int64)) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, archiveTimeout)
	defer stop()
	archive, err := fetch(ctx, r.Archive, maxArchive, show)
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

// unpack returns the program in an archive.
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
		return readAll(f, maxArchive)
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
			return readAll(t, maxArchive)
		}
	}
}

var errTooLarge = errors.New("it is too large")

// readAll reads r to its end. It returns errTooLarge if that exceeds limit bytes.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errTooLarge
	}
	return data, err
}

// fetch downloads a complete file of at most limit bytes from the server.
func fetch(ctx context.Context, address string, limit int64, show func(held, total int64)) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &Error{Message: "the address of the releases cannot be asked: " + err.Error()}
	}
	fail := func(problem string) ([]byte, error) {
		return nil, &Error{Message: "the server of the releases " + problem + ": " + req.URL.Redacted()}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fail("cannot be reached")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fail("answered " + resp.Status)
	}
	var body io.Reader = resp.Body
	if show != nil {
		body = &progressReader{body, 0, resp.ContentLength, show}
	}
	data, err := readAll(body, limit)
	switch {
	case errors.Is(err, errTooLarge):
		return fail("sent too much")
	case err != nil || resp.ContentLength >= 0 && int64(len(data)) != resp.ContentLength:
		return fail("stopped before the end of a file")
	}
	return data, nil
}

// progressReader reports the number of bytes read to show.
type progressReader struct {
	io.Reader
	held, total int64
	show        func(held, total int64)
}

func (c *progressReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.held += int64(n)
	c.show(c.held, c.total)
	return n, err
}
