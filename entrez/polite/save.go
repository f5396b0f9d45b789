package polite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// A File is where Save keeps a reply that is too long for memory.
//
// What has come of it is at Path, and at Path + ".json" of what it is the beginning:
// the address, the length and the validator (RFC 9110 8.8) of the whole. So the next
// Save goes on where one ended, killed or not, by Range and If-Range; where the source
// has another reply by now, or gives no validator, it begins again.
type File struct {
	Path string
	Show func(held, total int64) // called as bytes come; total is -1 where it is not known. May be nil

	// Known is the Validator of a version that the caller has already. Where the source
	// still has that one, Save leaves no file and sets Unchanged.
	Known     string
	Unchanged bool
	// Check asks the source also of a file that is whole whether it still has that one.
	Check bool

	file     *os.File
	held     int64 // bytes of the reply in the file
	of       whole
	ended    bool          // the file holds the whole reply
	compare  bool          // it does, if the source says so
	heard    time.Time     // when a byte came last, or Save began
	patience time.Duration // how long to wait for the next, over all attempts
	watch    *Watch
}

// until is when the patience with the source ends.
func (f *File) until() time.Time { return f.heard.Add(f.patience) }

// whole is the reply of which a file holds the beginning.
type whole struct {
	Address   string `json:"address"`
	Validator string `json:"validator"`
	Total     int64  `json:"total"` // bytes, -1 where it is not known
}

// FileError is a failure of the disk to keep a reply.
type FileError struct{ Err error }

func (e *FileError) Error() string { return "the download cannot be written: " + plain(e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// Save makes the call and puts the reply into a file, which holds all of it where err
// is nil. There is no limit on the time of the whole, and one of Config.Deadline on the
// time without a byte, in which the source may also ask to wait. It fails as Do does, or with a *FileError.
func (s *Service) Save(ctx context.Context, c *Call, f *File) (err error) {
	if err := f.open(s.Address(c).String()); err != nil {
		return &FileError{err}
	}
	defer func() {
		if closeErr := f.file.Close(); err == nil && closeErr != nil {
			err = &FileError{closeErr}
		}
		if err != nil && f.held == 0 {
			_ = f.Remove() // nothing has come
		}
	}()
	if f.ended && !f.Check {
		return nil
	}
	f.compare, f.ended, f.Unchanged = f.ended, false, false
	c.file = f
	_, err = s.Do(WithoutCache(ctx), c)
	if err == nil && f.Unchanged {
		return f.Remove()
	}
	if err == nil && !f.ended {
		return c.Unreadable(errors.New("it is not the file"))
	}
	return err
}

// Remove removes the file and what is noted about it.
func (f *File) Remove() error {
	for _, name := range []string{f.Path, f.note()} {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &FileError{err}
		}
	}
	return nil
}

func (f *File) note() string { return f.Path + ".json" }

// open opens the file, empty where it is no beginning of the reply of an address.
func (f *File) open(address string) (err error) {
	if f.file, err = os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	f.of, f.ended = whole{Address: address, Total: -1}, false
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	var noted whole
	if note, err := os.ReadFile(f.note()); err == nil && json.Unmarshal(note, &noted) == nil && noted.Address == address {
		f.of = noted
	}
	f.held = info.Size()
	f.ended = f.held > 0 && f.held == f.of.Total
	if f.held > 0 && !f.ended && (f.of.Validator == "" || f.of.Total >= 0 && f.held > f.of.Total) {
		return f.empty()
	}
	return nil
}

func (f *File) empty() error {
	if f.held == 0 {
		return nil
	}
	f.held = 0
	return f.file.Truncate(0)
}

// ask asks for what is missing, as it is: a transport that unpacks it would hide its
// length and its validator.
func (f *File) ask(h http.Header) {
	h.Set("Accept-Encoding", "identity")
	known := f.Known
	if f.compare {
		known = f.of.Validator
	}
	switch {
	case f.held > 0 && !f.compare:
		h.Set("Range", fmt.Sprintf("bytes=%d-", f.held))
		h.Set("If-Range", f.of.Validator)
	case strings.HasPrefix(known, `"`):
		h.Set("If-None-Match", known)
	case known != "":
		h.Set("If-Modified-Since", known)
	}
}

// Validator identifies the saved reply: a strong entity tag or, where the source gives
// none, the date of its last change as in the header Last-Modified; "" where it gives
// neither.
func (f *File) Validator() string { return f.of.Validator }

// begin makes the file ready for the body of a reply: what was missing, or the whole,
// for which the file is emptied.
func (f *File) begin(resp *http.Response) error {
	if resp.StatusCode == http.StatusPartialContent {
		var from, to, total int64
		n, _ := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total)
		if n < 3 || from != f.held || to != total-1 || f.of.Total >= 0 && total != f.of.Total {
			return errors.New("sent another part than was asked for")
		}
		f.of.Total = total
		return nil
	}
	if err := f.empty(); err != nil {
		return &FileError{err}
	}
	f.compare = false
	f.of.Validator, f.of.Total = validator(resp.Header), resp.ContentLength
	return f.writeNote()
}

// writeNote stores which reply the file holds, or holds the beginning of.
func (f *File) writeNote() error {
	note, err := json.Marshal(f.of)
	if err == nil {
		err = os.WriteFile(f.note(), note, 0o600)
	}
	if err != nil {
		return &FileError{err}
	}
	return nil
}

// end notes that the file is whole.
func (f *File) end() error {
	if err := f.file.Sync(); err != nil {
		return &FileError{err}
	}
	f.ended, f.of.Total = true, f.held
	return f.writeNote()
}

// validator is what If-Range may hold: a strong entity tag or a date.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); len(tag) > 2 && tag[0] == '"' {
		return tag
	}
	return h.Get("Last-Modified")
}

// Write appends bytes of the reply.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.held += int64(n)
	f.heard = time.Now()
	f.watch.hear()
	if err != nil {
		return n, &FileError{err}
	}
	if f.Show != nil {
		f.Show(f.held, f.of.Total)
	}
	return n, nil
}

// begins reports whether a file in the form can begin so.
func (form Form) begins(head []byte) bool {
	text := trimmed(head)
	if len(text) == 0 {
		return false
	}
	switch form {
	case Gzip:
		return bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}) // RFC 1952 2.3.1
	case JSON:
		return text[0] == '{' || text[0] == '['
	case XML:
		root, _ := xmlRoot(text)
		return root != "" && !strings.EqualFold(root, "html")
	}
	return text[0] != '<'
}
