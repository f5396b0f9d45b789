package study

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"biomcp/store/replace"
)

// indexLayout is the version of the index file layout. An index with another version is
// rebuilt.
const indexLayout = 8

// An index file caches a parsed table T, so that the next request need not read the data file.
// It holds a line of JSON with the layout and the stamp, then T encoded as gob. It is written
// under a temporary name and renamed, so two processes may write it at once and a killed one
// leaves no partial index.
type indexHead struct {
	Layout int
	Kind   string
	Stamp  stamp
}

// loadIndexed returns the table T of a data file. It reads the index if that matches the file's
// current state. Otherwise it calls build, which must read src to the end, and saves the
// result. Without a writable cache folder the data file is parsed every time. keep is the path
// for the unpacked text, "" if it cannot be saved.
func loadIndexed[T any](s *Study, file, kind string, build func(src *source, keep string) (*T, error)) (*T, error) {
	src, err := s.open(file)
	if err != nil {
		return nil, err
	}
	defer src.close()
	if s.cache == "" {
		return build(src, "")
	}
	path := s.indexPath(src.name, kind)
	if t, ok := readIndex[T](src, path, kind); ok {
		return t, nil
	}
	keep := path + ".text"
	if os.MkdirAll(s.cache, 0o755) != nil {
		keep = ""
	}
	t, err := build(src, keep)
	if err != nil {
		return nil, err
	}
	if keep != "" {
		// Without an index the next request is slower but still correct.
		_ = writeIndex(path, indexHead{indexLayout, kind, stampOf(src, time.Now())}, t)
	}
	return t, nil
}

// indexPath returns the path of the index of a data file.
func (s *Study) indexPath(file, kind string) string {
	name := fmt.Sprintf("%016x-%s.index", xxhash.Sum64String(file), kind)
	return filepath.Join(s.cache, name)
}

// cacheFolder returns the folder for the indexes of the study in dir.
func cacheFolder(cache, dir string) string {
	if cache == "" {
		return ""
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	base := strings.NewReplacer(".", "_", string(filepath.Separator), "_").Replace(filepath.Base(dir))
	return filepath.Join(cache, "studies", base+"-"+shortHash(dir))
}

// shortHash returns a suffix that keeps similar names distinct.
func shortHash(text string) string { return fmt.Sprintf("%08x", uint32(xxhash.Sum64String(text))) }

// RemoveIndex removes the indexes of the study from the cache folder.
func (s *Study) RemoveIndex() error {
	if s.cache == "" {
		return nil
	}
	if err := os.RemoveAll(s.cache); err != nil {
		return &Error{Kind: Failed, Message: "the index of the study cannot be removed", Err: err}
	}
	return nil
}

// readIndex reads the index at path. ok is false if it does not match the current state of src.
func readIndex[T any](src *source, path, kind string) (table *T, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	line, err := r.ReadBytes('\n')
	var head indexHead
	if err != nil || json.Unmarshal(line, &head) != nil || head.Layout != indexLayout || head.Kind != kind {
		return nil, false
	}
	same, renewed, err := head.Stamp.matches(src, time.Now())
	if err != nil || !same {
		return nil, false
	}
	t := new(T)
	if gob.NewDecoder(r).Decode(t) != nil {
		return nil, false
	}
	if p, ok := any(t).(interface{ complete() bool }); ok && !p.complete() {
		return nil, false
	}
	if renewed {
		_ = writeIndex(path, head, t) // saves comparing the hash again next time
	}
	return t, true
}

func writeIndex[T any](path string, head indexHead, t *T) error {
	return replace.File(path, func(w io.Writer) error {
		line, err := json.Marshal(head)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		return gob.NewEncoder(w).Encode(t)
	})
}
