package polite

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// A file of which a part has come goes on where it ended, and is whole once.
func TestSaveGoesOnWhereItEnded(t *testing.T) {
	whole := `{"rows":"` + strings.Repeat("0123456789", 50_000) + `"}`
	const held = 400_000
	f := &File{Path: filepath.Join(t.TempDir(), "reply")}
	call := func() *Call { return NewCall(Endpoint{Path: "table", Form: JSON}) }
	cut := errors.New("cut")
	var asked []http.Header
	service := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
		asked = append(asked, req.Header.Clone())
		switch {
		case n == 0:
			return &http.Response{StatusCode: 200, Header: http.Header{"Etag": {`"one"`}}, ContentLength: int64(len(whole)), Body: io.NopCloser(io.MultiReader(strings.NewReader(whole[:held]), iotest.ErrReader(cut)))}, nil
		case req.Header.Get("If-None-Match") != "":
			return reply(304, ""), nil
		case req.Header.Get("Range") != fmt.Sprintf("bytes=%d-", held) || req.Header.Get("If-Range") != `"one"`:
			return reply(416, ""), nil
		}
		return reply(206, whole[held:], "Content-Range", fmt.Sprintf("bytes %d-%d/%d", held, len(whole)-1, len(whole)), "ETag", `"one"`), nil
	}}
	o := options(service)
	o.MaxRetries = 0
	s := open(o).To(contractual)
	if err := s.Save(t.Context(), call(), f); err == nil {
		t.Fatal("a cut reply is no failure")
	}
	if err := s.Save(t.Context(), call(), f); err != nil {
		t.Fatal(err, asked)
	}
	if got, err := os.ReadFile(f.Path); err != nil || string(got) != whole || f.Validator() != `"one"` {
		t.Errorf("%d bytes, %v, %s", len(got), err, f.Validator())
	}
	n := service.count()
	if err := s.Save(t.Context(), call(), f); err != nil || service.count() != n {
		t.Errorf("a whole file was asked for again: %v", err)
	}
	known := &File{Path: filepath.Join(t.TempDir(), "next"), Known: f.Validator()}
	if err := s.Save(t.Context(), call(), known); err != nil || !known.Unchanged {
		t.Errorf("%v, unchanged %v", err, known.Unchanged)
	}
	if _, err := os.Stat(known.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an unchanged file was left: %v", err)
	}
}

// A disk that cannot be written is a failure of the file, not of the source.
func TestSaveNamesTheDisk(t *testing.T) {
	err := open(options(always(200, `{}`))).To(contractual).Save(t.Context(), NewCall(Endpoint{Path: "table", Form: JSON}), &File{Path: filepath.Join(t.TempDir(), "no", "such", "folder")})
	var disk *FileError
	if !errors.As(err, &disk) || disk.Unwrap() == nil || disk.Error() == "" {
		t.Errorf("%v", err)
	}
}
