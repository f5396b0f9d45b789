package polite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// longestHead is the number of bytes examined to recognize the file.
const longestHead = 512

var errIdle = errors.New("no bytes arrived")

// stream makes one attempt at a call whose reply goes into a file. Any other reply, such as a
// refusal or a web page, is returned in memory, to be judged.
func (r *receive) stream(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	defer cancel(nil)
	call, label := callOf(req), callOf(req).source().Label
	f := call.file
	idle := time.AfterFunc(time.Until(f.until()), func() { cancel(errIdle) })
	defer idle.Stop()
	asked := req.Clone(ctx)
	f.ask(asked.Header)

	lost := func(err error, kind Kind, what string) error {
		if context.Cause(ctx) == errIdle {
			silent := time.Since(f.heard)
			return &Error{Kind: Timeout, final: silent >= f.patience, cause: context.DeadlineExceeded,
				Message: fmt.Sprintf("%s sent nothing for %s", label, silent.Round(time.Second))}
		}
		return r.lost(req, ctx, call, err, kind, what)
	}
	resp, err := r.next.RoundTrip(asked)
	if err != nil {
		return nil, lost(err, Unreachable, "could not be reached")
	}
	defer resp.Body.Close()
	body := bufio.NewReaderSize(awake{resp.Body, idle, min(r.timeout, f.patience)}, 256<<10)
	head, err := body.Peek(longestHead)
	if err != nil && err != io.EOF {
		return nil, lost(err, Upstream, brokeOff)
	}
	again := func(why string) error { // empties the file, so that the next attempt starts from the beginning
		if err := f.empty(); err != nil {
			return &FileError{err}
		}
		return &Error{Kind: Upstream, Status: resp.StatusCode, Message: label + " " + why}
	}
	switch code := resp.StatusCode; {
	case code == http.StatusRequestedRangeNotSatisfiable && f.held > 0:
		return nil, again("no longer has the version that was partly downloaded")
	case code == http.StatusNotModified && (f.compare || f.held == 0 && f.Known != ""):
		f.Unchanged, f.ended = !f.compare, true
		return hold(resp, nil), nil
	case code != http.StatusPartialContent && (code != http.StatusOK || !call.Form.begins(head)):
		const most = 64 << 10 // maximum length of a refusal
		said, err := readAll(io.LimitReader(body, most))
		if err != nil {
			return nil, lost(err, Upstream, brokeOff)
		}
		return hold(resp, said), nil
	}
	var disk *FileError
	if err := f.begin(resp); errors.As(err, &disk) {
		return nil, err
	} else if err != nil {
		return nil, again(err.Error())
	}
	_, err = io.Copy(f, io.LimitReader(body, call.bound()+1-f.held))
	switch {
	case errors.As(err, &disk):
		return nil, err
	case err == nil && f.held > call.bound():
		if err := f.empty(); err != nil {
			return nil, &FileError{err}
		}
		return nil, tooLong(call, resp.StatusCode)
	case err == nil && f.of.Total >= 0 && f.held != f.of.Total:
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, lost(err, Upstream, brokeOff)
	}
	if err := f.end(); err != nil {
		return nil, err
	}
	return hold(resp, nil), nil
}

// awake restarts the idle timer whenever bytes are read.
type awake struct {
	io.Reader
	idle *time.Timer
	next time.Duration // the longest wait for the next piece
}

func (a awake) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.idle.Reset(a.next)
	}
	return n, err
}
