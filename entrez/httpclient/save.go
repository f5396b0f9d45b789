package httpclient

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

	"biomcp/entrez/fault"
)

// A File is the destination of a reply that Save writes to disk.
//
// Path holds the bytes received so far. Path + ".json" holds the address, the length and the
// validator (RFC 9110 8.8) of the complete reply. With them the next Save resumes an interrupted
// download by Range and If-Range, even after the process was killed. It starts again if the source
// has changed the reply or sends no validator.
type File struct {
	Path       string
	OnProgress func(held, total int64) // if not nil, reports progress; total is -1 if unknown

	// KnownValidator is the Validator of a version that the caller already has. If the source still
	// has that version, Save leaves no file and sets Unchanged.
	KnownValidator string
	Unchanged      bool
	// Revalidate makes Save ask the source whether a complete file is still current.
	Revalidate bool

	file       *os.File
	size       int64 // bytes of the reply in the file
	reply      replyMeta
	complete   bool          // the file holds the complete reply
	revalidate bool          // the file is complete unless the source has a newer version
	lastByte   time.Time     // when the last byte arrived, or Save began
	idleLimit  time.Duration // maximum time without a byte, across all attempts
	pace       speed
	watch      *Progress
}

// idleDeadline returns the time at which the download fails unless more bytes arrive.
func (f *File) idleDeadline() time.Time { return f.lastByte.Add(f.idleLimit) }

// replyMeta describes the complete reply of a file that may hold only its beginning.
type replyMeta struct {
	Address   string `json:"address"`
	Validator string `json:"validator"`
	Modified  string `json:"modified"` // Last-Modified
	Total     int64  `json:"total"`    // bytes, -1 if unknown
}

// FileError is a failure to write a reply to disk.
type FileError struct{ Err error }

func (e *FileError) Error() string { return "the download cannot be written: " + plain(e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// Meaning returns the code Store.
func (e *FileError) Meaning() fault.Meaning { return fault.Meaning{Code: fault.Store} }

// Save makes the call and writes the reply to a file, which is complete if err is nil. Save limits
// the time without a byte to Config.Deadline, including waits that the source requests, and fails if
// less than 1 kB a second arrives for a minute. It does not limit the total time. It fails as Do does, or with a *FileError.
func (s *Service) Save(ctx context.Context, c *Call, f *File) (err error) {
	if err := f.open(s.Address(c).String()); err != nil {
		return &FileError{err}
	}
	defer func() {
		if closeErr := f.file.Close(); err == nil && closeErr != nil {
			err = &FileError{closeErr}
		}
		if err != nil && f.size == 0 {
			_ = f.Remove() // no byte arrived
		}
	}()
	if f.complete && !f.Revalidate {
		return nil
	}
	f.revalidate, f.complete, f.Unchanged = f.complete, false, false
	c.file = f
	_, err = s.Do(WithoutCache(ctx), c)
	if err == nil && f.Unchanged {
		return f.Remove()
	}
	if err == nil && !f.complete {
		return c.UnreadableError(errors.New("it is not the expected file"))
	}
	return err
}

// Remove deletes the file and the note beside it, which describes the file.
func (f *File) Remove() error {
	for _, name := range []string{f.Path, f.notePath()} {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &FileError{err}
		}
	}
	return nil
}

// notePath returns the path of the file that describes the reply.
func (f *File) notePath() string { return f.Path + ".json" }

// open opens the file for the reply from address. It empties the file if the bytes in it cannot be
// continued.
func (f *File) open(address string) (err error) {
	if f.file, err = os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	f.reply, f.complete = replyMeta{Address: address, Total: -1}, false
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	var noted replyMeta
	if note, err := os.ReadFile(f.notePath()); err == nil {
		if err := json.Unmarshal(note, &noted); err == nil && noted.Address == address {
			f.reply = noted
		}
	}
	f.size = info.Size()
	f.complete = f.size > 0 && f.size == f.reply.Total
	if f.size > 0 && !f.complete && (f.reply.Validator == "" || f.reply.Total >= 0 && f.size > f.reply.Total) {
		return f.empty()
	}
	return nil
}

func (f *File) empty() error {
	if f.size == 0 {
		return nil
	}
	f.size = 0
	return f.file.Truncate(0)
}

// setHeaders sets the headers that request the missing bytes. It forbids compression, because a
// transport that decompresses the reply would hide its length and validator.
func (f *File) setHeaders(h http.Header) {
	h.Set("Accept-Encoding", "identity")
	known := f.KnownValidator
	if f.revalidate {
		known = f.reply.Validator
	}
	switch {
	case f.size > 0 && !f.revalidate:
		h.Set("Range", fmt.Sprintf("bytes=%d-", f.size))
		h.Set("If-Range", f.reply.Validator)
	case strings.HasPrefix(known, `"`):
		h.Set("If-None-Match", known)
	case known != "":
		h.Set("If-Modified-Since", known)
	}
}

// Validator returns a text that identifies the saved version: a strong entity tag, or else the date
// in Last-Modified. It returns "" if the source sends neither.
func (f *File) Validator() string { return f.reply.Validator }

// Modified returns the date on which the source changed the saved version, as in Last-Modified, or "".
func (f *File) Modified() string { return f.reply.Modified }

// prepare readies the file for the body of a reply. The file is emptied first unless the body is
// the missing part.
func (f *File) prepare(resp *http.Response) error {
	if resp.StatusCode == http.StatusPartialContent {
		var from, to, total int64
		n, _ := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total)
		if n < 3 || from != f.size || to != total-1 || f.reply.Total >= 0 && total != f.reply.Total {
			return errors.New("sent a different part from the one requested")
		}
		f.reply.Total = total
		return nil
	}
	if err := f.empty(); err != nil {
		return &FileError{err}
	}
	f.revalidate = false
	f.reply.Validator, f.reply.Total = validator(resp.Header), resp.ContentLength
	f.reply.Modified = resp.Header.Get("Last-Modified")
	return f.writeNote()
}

// writeNote writes the note that describes the reply.
func (f *File) writeNote() error {
	note, err := json.Marshal(f.reply)
	if err == nil {
		err = os.WriteFile(f.notePath(), note, 0o600)
	}
	if err != nil {
		return &FileError{err}
	}
	return nil
}

// finish records that the file is complete.
func (f *File) finish() error {
	if err := f.file.Sync(); err != nil {
		return &FileError{err}
	}
	f.complete, f.reply.Total = true, f.size
	return f.writeNote()
}

// validator returns a value allowed in If-Range: a strong entity tag or a date.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); len(tag) > 2 && tag[0] == '"' {
		return tag
	}
	return h.Get("Last-Modified")
}

// Write appends bytes of the reply.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.size += int64(n)
	f.lastByte = time.Now()
	f.watch.noteAnswer()
	if err != nil {
		return n, &FileError{err}
	}
	if f.OnProgress != nil {
		f.OnProgress(f.size, f.reply.Total)
	}
	return n, nil
}

// matchesHead reports whether head can be the beginning of a file in this form.
func (form Form) matchesHead(head []byte) bool {
	text := trimBOM(head)
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
