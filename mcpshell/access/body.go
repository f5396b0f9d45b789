package access

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"
)

// BodyTimeout is the time that a client has to send a body.
const BodyTimeout = 10 * time.Second

// LimitBodyTime gives the client [BodyTimeout] to send the body of a request. A server calls it
// first, because net/http reads the body even if the request is rejected.
func LimitBodyTime(w http.ResponseWriter, q *http.Request) {
	if q.Body != nil && q.Body != http.NoBody {
		setReadDeadline(w, time.Now().Add(BodyTimeout))
	}
}

func setReadDeadline(w http.ResponseWriter, t time.Time) {
	// Only response writers in tests do not support deadlines.
	_ = http.NewResponseController(w).SetReadDeadline(t)
}

// checkLength reads the whole body, so that a handler never waits for it. It rejects a body whose
// declared length is over the limit without reading it.
func (r Rules) checkLength(w http.ResponseWriter, q *http.Request) bool {
	if r.MaxBody <= 0 || q.Body == nil || q.Body == http.NoBody {
		return true
	}
	refuse := func(status int, text string) bool {
		w.Header().Set("Connection", "close")
		WriteError(w, status, text)
		return false
	}
	tooLong := fmt.Sprintf("the body has more than %d bytes", r.MaxBody)
	if q.ContentLength > r.MaxBody {
		return refuse(http.StatusRequestEntityTooLarge, tooLong)
	}
	body, err := io.ReadAll(io.LimitReader(q.Body, r.MaxBody+1))
	switch {
	case int64(len(body)) > r.MaxBody:
		return refuse(http.StatusRequestEntityTooLarge, tooLong)
	case err != nil:
		return refuse(http.StatusRequestTimeout, "the body is incomplete")
	}
	setReadDeadline(w, time.Time{}) // the client may now stay silent until it has its answer
	q.Body = io.NopCloser(bytes.NewReader(body))
	return true
}
