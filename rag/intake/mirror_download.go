package intake

import (
	"context"
	"crypto/md5" // the server's checksums; detects damage, not tampering
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmedfiles"
)

// A downloadResult is a file that was downloaded and checked, or an error.
type downloadResult struct {
	file            pubmedfiles.File
	path            string
	sum             string
	alreadyImported bool // imported before with this checksum, so not downloaded
	err             error
}

// downloads holds the downloads in progress, a few more than there are connections.
type downloads struct {
	ready []chan downloadResult // one channel per file, in order
	ahead chan struct{}         // limits downloads ahead of the import, which receives once per file
	group conc.WaitGroup
}

// download fetches the files of r.todo, several at once, until ctx ends.
func (r *mirror) download(ctx context.Context) *downloads {
	d := &downloads{ready: make([]chan downloadResult, len(r.todo)), ahead: make(chan struct{}, r.Connections+1)}
	for i := range d.ready {
		d.ready[i] = make(chan downloadResult, 1)
	}
	next := make(chan int)
	d.group.Go(func() {
		defer close(next)
		for i := range r.todo {
			select {
			case d.ahead <- struct{}{}:
			case <-ctx.Done():
			}
			next <- i // even after ctx is done, so that each file gets a result
		}
	})
	for range r.Connections {
		d.group.Go(func() {
			for i := range next {
				got := downloadResult{file: r.todo[i], err: ctx.Err()}
				if got.err == nil {
					got.err = r.fetch(ctx, &got)
				}
				d.ready[i] <- got
			}
		})
	}
	return d
}

// fetch downloads a file into the folder of downloads. The file gets its final name only if its
// checksum is right. If it is wrong, fetch downloads the file once more.
func (r *mirror) fetch(ctx context.Context, got *downloadResult) (err error) {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return &httpclient.FileError{Err: err}
	}
	got.path = filepath.Join(r.Dir, got.file.Name)
	const attempts = 2
	for range attempts {
		if got.sum, err = r.Files.MD5(ctx, got.file); err != nil {
			return err
		}
		got.alreadyImported, err = r.o.Store.FileDone(ctx, storeFile(got.file, got.sum))
		if got.alreadyImported || err != nil {
			return err
		}
		if have, err := checksum(got.path); err != nil || have == got.sum {
			return err
		}
		part := &httpclient.File{Path: got.path + partial}
		if err := r.Files.Save(ctx, got.file, part); err != nil {
			return err
		}
		have, err := checksum(part.Path)
		if err != nil {
			return err
		}
		if have == got.sum {
			if err := os.Rename(part.Path, got.path); err != nil {
				return &httpclient.FileError{Err: err}
			}
			return part.Remove()
		}
		if err := part.Remove(); err != nil {
			return err
		}
	}
	return &FileError{Name: got.file.Name, Reason: "its checksum is wrong, even after a second download"}
}

// partial is the suffix of downloads that are not checked yet.
const partial = ".part"

// checksum returns the MD5 of a file, or "" if it does not exist.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", &httpclient.FileError{Err: err}
	}
	defer f.Close()
	h := md5.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", &httpclient.FileError{Err: err}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// clean removes files that are no longer needed from the folder of downloads: imported files,
// and files of another year.
func (r *mirror) clean(ctx context.Context) error {
	if r.Keep {
		return nil
	}
	have, err := os.ReadDir(r.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &httpclient.FileError{Err: err}
	}
	listed := map[string]pubmedfiles.File{}
	for _, f := range slices.Concat(r.index.Baseline, r.index.Updates) {
		listed[f.Name] = f
	}
	for _, entry := range have {
		name := strings.TrimSuffix(strings.TrimSuffix(entry.Name(), ".json"), partial)
		if fileNumber(name) == 0 {
			continue
		}
		f, wanted := listed[name]
		if wanted {
			done, err := r.o.Store.FileDone(context.WithoutCancel(ctx), storeFile(f, ""))
			if err != nil {
				return err
			}
			wanted = !done
		}
		if wanted {
			continue
		}
		if err := os.Remove(filepath.Join(r.Dir, entry.Name())); err != nil {
			return &httpclient.FileError{Err: err}
		}
	}
	_ = os.Remove(r.Dir) // fails if the folder is not empty
	return nil
}
