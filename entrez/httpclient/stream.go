package httpclient

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// headSize is the number of bytes examined to recognize the file.
const headSize = 512

var errIdle = errors.New("no bytes arrived")

// A download fails if fewer than minSpeed bytes a second arrive for slowTime.
const (
	minSpeed = 1000
	slowTime = time.Minute
)

var errSlow = errors.New("bytes arrived too slowly")

// stream makes one attempt at a call whose reply goes into a file. Any other reply, such as a
// refusal or a web page, is returned in memory, to be judged.
func (r *receive) stream(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	defer cancel(nil)
	call, label := callOf(req), callOf(req).source().Label
	f := call.file
	idle := time.AfterFunc(time.Until(f.idleDeadline()), func() { cancel(errIdle) })
	defer idle.Stop()
	ranged := req.Clone(ctx)
	f.setHeaders(ranged.Header)

	transportError := func(err error, kind Kind, problem string) error {
		if context.Cause(ctx) == errIdle {
			silent := time.Since(f.lastByte)
			return &Error{Kind: Timeout, final: silent >= f.idleLimit, cause: context.DeadlineExceeded,
				Message: fmt.Sprintf("%s sent nothing for %s", label, silent.Round(time.Second))}
		}
		if errors.Is(err, errSlow) {
			return &Error{Kind: Timeout, final: true, cause: context.DeadlineExceeded,
				Message: fmt.Sprintf("%s sent less than %d bytes a second for %s", label, minSpeed, slowTime)}
		}
		return r.transportError(req, ctx, call, err, kind, problem)
	}
	resp, err := r.request(ranged)
	if err != nil {
		return nil, transportError(err, Unreachable, "could not be reached")
	}
	defer resp.Body.Close()
	body := bufio.NewReaderSize(&idleReader{resp.Body, f, idle, min(r.timeout, f.idleLimit)}, 256<<10)
	head, err := body.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, transportError(err, Upstream, truncated)
	}
	restart := func(problem string) error { // empties the file, so that the next attempt starts from the beginning
		if err := f.empty(); err != nil {
			return &FileError{err}
		}
		return &Error{Kind: Upstream, Status: resp.StatusCode, Message: label + " " + problem}
	}
	switch code := resp.StatusCode; {
	case code == http.StatusRequestedRangeNotSatisfiable && f.size > 0:
		return nil, restart("no longer has the version that was partly downloaded")
	case code == http.StatusNotModified && (f.revalidate || f.size == 0 && f.KnownValidator != ""):
		f.Unchanged, f.complete = !f.revalidate, true
		return withBody(resp, nil), nil
	case code != http.StatusPartialContent && (code != http.StatusOK || !call.Form.matchesHead(head)):
		const most = 64 << 10 // maximum length of a refusal
		refusal, err := readAll(io.LimitReader(body, most))
		if err != nil {
			return nil, transportError(err, Upstream, truncated)
		}
		return withBody(resp, refusal), nil
	}
	var disk *FileError
	if err := f.prepare(resp); errors.As(err, &disk) {
		return nil, err
	} else if err != nil {
		return nil, restart(err.Error())
	}
	_, err = io.Copy(f, io.LimitReader(body, call.bound()+1-f.size))
	switch {
	case errors.As(err, &disk):
		return nil, err
	case err == nil && f.size > call.bound():
		if err := f.empty(); err != nil {
			return nil, &FileError{err}
		}
		return nil, tooLong(call, resp.StatusCode)
	case err == nil && f.reply.Total >= 0 && f.size != f.reply.Total:
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, transportError(err, Upstream, truncated)
	}
	if err := f.finish(); err != nil {
		return nil, err
	}
	return withBody(resp, nil), nil
}

// idleReader restarts the idle timer whenever bytes are read, and fails if they come too slowly.
type idleReader struct {
	io.Reader
	file  *File
	idle  *time.Timer
	limit time.Duration // the longest wait for the next piece
}

func (a *idleReader) Read(p []byte) (int, error) {
	began := time.Now()
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.idle.Reset(a.limit)
		if a.file.pace.isSlow(n, time.Since(began)) && err == nil {
			err = errSlow
		}
	}
	return n, err
}

// speed counts the bytes of a download and the time that reading them took, in all attempts.
type speed struct {
	bytes int
	took  time.Duration
}

// isSlow adds n bytes and reports whether slowTime has passed with too few bytes.
func (s *speed) isSlow(n int, took time.Duration) bool {
	s.bytes, s.took = s.bytes+n, s.took+took
	if s.took < slowTime {
		return false
	}
	slow := float64(s.bytes) < minSpeed*s.took.Seconds()
	*s = speed{}
	return slow
}
