package httpclient

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
	"testing/synctest"
	"time"
)

// An interrupted download is resumed, and a complete file is not requested again.
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
			body := io.MultiReader(strings.NewReader(whole[:held]), iotest.ErrReader(cut))
			return &http.Response{StatusCode: 200, Header: http.Header{"Etag": {`"one"`}},
				ContentLength: int64(len(whole)), Body: io.NopCloser(body)}, nil
		case req.Header.Get("If-None-Match") != "":
			return reply(304, ""), nil
		case req.Header.Get("Range") != fmt.Sprintf("bytes=%d-", held) || req.Header.Get("If-Range") != `"one"`:
			return reply(416, ""), nil
		}
		part := fmt.Sprintf("bytes %d-%d/%d", held, len(whole)-1, len(whole))
		return reply(206, whole[held:], "Content-Range", part, "ETag", `"one"`), nil
	}}
	o := options(service)
	o.MaxRetries = 0
	s := open(o).Service(contractual)
	if err := s.Save(t.Context(), call(), f); err == nil {
		t.Fatal("a cut reply is no failure")
	}
	if err := s.Save(t.Context(), call(), f); err != nil {
		t.Fatal(err, asked)
	}
	if got, err := os.ReadFile(f.Path); err != nil {
		t.Error(err)
	} else if string(got) != whole {
		t.Errorf("the file has %d bytes, want the %d of the reply", len(got), len(whole))
	}
	if got := f.Validator(); got != `"one"` {
		t.Errorf("validator %s, want %q", got, "one")
	}
	n := service.count()
	if err := s.Save(t.Context(), call(), f); err != nil {
		t.Errorf("saving a complete file again: %v", err)
	}
	if m := service.count(); m != n {
		t.Errorf("%d requests for a complete file, want none", m-n)
	}
	known := &File{Path: filepath.Join(t.TempDir(), "next"), KnownValidator: f.Validator()}
	if err := s.Save(t.Context(), call(), known); err != nil || !known.Unchanged {
		t.Errorf("%v, unchanged %v", err, known.Unchanged)
	}
	if _, err := os.Stat(known.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an unchanged file was left: %v", err)
	}
}

// A disk failure is an error of the file, not of the source.
func TestSaveNamesTheDisk(t *testing.T) {
	f := &File{Path: filepath.Join(t.TempDir(), "no", "such", "folder")}
	s := open(options(always(200, `{}`))).Service(contractual)
	err := s.Save(t.Context(), NewCall(Endpoint{Path: "table", Form: JSON}), f)
	var disk *FileError
	if !errors.As(err, &disk) || disk.Unwrap() == nil || disk.Error() == "" {
		t.Errorf("%v", err)
	}
}

// A download that gets less than 1 kB a second for a minute fails, even if no pause is long. A faster
// one goes on for as long as it takes.
func TestSaveHasALeastSpeed(t *testing.T) {
	const pause = 10 * time.Second
	for perSecond, slow := range map[int]bool{1: true, 900: true, 1100: false} {
		for _, breaks := range []bool{false, true} { // the connection breaks off after every third piece
			t.Run(fmt.Sprintf("%d bytes a second, breaks %v", perSecond, breaks), func(t *testing.T) {
				dir := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					whole := "[" + strings.Repeat(" ", 100_000) + "]"
					service := &network{answer: func(_ int, req *http.Request) (*http.Response, error) {
						from := 0
						if _, err := fmt.Sscanf(req.Header.Get("Range"), "bytes=%d-", &from); err != nil {
							from = 0
						}
						body := &trickle{text: whole[from:], piece: perSecond * int(pause/time.Second), pause: pause}
						if breaks {
							body.pieces = 3
						}
						return &http.Response{StatusCode: 206, Header: http.Header{"Etag": {`"one"`},
							"Content-Range": {fmt.Sprintf("bytes %d-%d/%d", from, len(whole)-1, len(whole))}},
							ContentLength: int64(len(whole) - from), Body: io.NopCloser(body)}, nil
					}}
					o := options(service)
					o.MaxRetries = 20
					f := &File{Path: filepath.Join(dir, "f")}
					began := time.Now()
					err := open(o).Service(contractual).Save(t.Context(), NewCall(Endpoint{Path: "table", Form: JSON}), f)
					took := time.Since(began)
					if !slow {
						if err != nil {
							t.Errorf("after %s: %v", took, err)
						}
						return
					}
					failure(t, err, Timeout)
					if want := "sent less than 1000 bytes a second for 1m0s"; !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q in it", err, want)
					}
					if took < slowTime || took > 2*slowTime {
						t.Errorf("it failed after %s, want about %s", took, slowTime)
					}
				})
			})
		}
	}
}

// trickle is a body that comes in pieces, and breaks off after some of them.
type trickle struct {
	text          string
	piece, pieces int // size, and number if not zero
	pause         time.Duration
	sent          int
}

func (b *trickle) Read(p []byte) (int, error) {
	switch {
	case b.text == "":
		return 0, io.EOF
	case b.pieces > 0 && b.sent == b.pieces:
		return 0, io.ErrUnexpectedEOF
	}
	time.Sleep(b.pause)
	n := copy(p, b.text[:min(b.piece, len(b.text))])
	b.text, b.sent = b.text[n:], b.sent+1
	return n, nil
}

// The time that a slow disk takes between two reads does not count.
func TestSpeedIsThatOfReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		idle := time.AfterFunc(time.Hour, func() { t.Error("the idle timer expired") })
		defer idle.Stop()
		text := strings.Repeat("x", 100)
		r := &idleReader{iotest.OneByteReader(strings.NewReader(text)), &File{}, idle, time.Hour}
		for i := range text {
			if _, err := r.Read(make([]byte, 10)); err != nil {
				t.Fatalf("byte %d: %v", i, err)
			}
			time.Sleep(10 * time.Second)
		}
	})
}
