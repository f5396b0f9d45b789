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

// indexLayout is the number of the layout of index files. One of another layout is
// made again.
const indexLayout = 5

// An index file holds what was read of one table, T, so that the next question need
// not read the table: a line of JSON with the layout and the stamp, then T as gob. It
// is made in a file of another name first and renamed, so that two processes may make
// it at once and one that is killed leaves none.
type indexHead struct {
	Layout int
	Kind   string
	Stamp  stamp
}

// indexed returns T for a data file: from its index where that is of the file's present
// state, else read by build, which reads to the end, and kept. Without a cache folder,
// or if it cannot be written, the table is read each time.
func indexed[T any](s *Study, file, kind string, build func(src *source, keep string) (*T, error)) (*T, error) {
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
		// An index that cannot be kept costs time at the next question, no more.
		_ = writeIndex(path, indexHead{indexLayout, kind, stampOf(src, time.Now())}, t)
	}
	return t, nil
}

// indexPath is where the index of a file is kept.
func (s *Study) indexPath(file, kind string) string {
	name := fmt.Sprintf("%016x-%s.index", xxhash.Sum64String(file), kind)
	return filepath.Join(s.cache, name)
}

// cacheFolder is the folder of the indexes of the study in dir.
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

// shortHash tells apart names that would be alike.
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

// readIndex reads the index at path if it is of the present state of src.
func readIndex[T any](src *source, path, kind string) (*T, bool) {
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
	same, renewed, err := head.Stamp.unchanged(src, time.Now())
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
		_ = writeIndex(path, head, t) // else the hash is compared again next time
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
