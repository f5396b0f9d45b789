package httpclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// receive makes one attempt. It gives up after timeout and reads the complete reply into memory, up
// to the call's maximum length. The maximum applies to decompressed bytes, since the transport
// decompresses, and so protects against gzip bombs. A reply that goes into a file is streamed
// instead.
type receive struct {
	next    http.RoundTripper
	timeout time.Duration
}

func (r *receive) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callOf(req)
	if call.file != nil {
		return r.stream(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), r.timeout)
	defer cancel()

	resp, err := r.request(req.WithContext(ctx))
	if err != nil {
		return nil, r.transportError(req, ctx, call, err, Unreachable, "could not be reached")
	}
	defer resp.Body.Close()
	if call.ReadLimit > 0 {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, call.ReadLimit), resp.Body}
	}
	body, err := readAll(io.LimitReader(resp.Body, call.bound()+1))
	if err != nil {
		return nil, r.transportError(req, ctx, call, err, Upstream, truncated)
	}
	if int64(len(body)) > call.bound() {
		return nil, tooLong(call, resp.StatusCode)
	}
	return withBody(resp, body), nil
}

// request sends a request. If a proxy asks for a password, as it does with this status (RFC 9110
// 15.5.8), the error is a *proxyRefusal: the service has not seen the request.
func (r *receive) request(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusProxyAuthRequired {
		resp.Body.Close()
		return nil, &proxyRefusal{resp.StatusCode, cmp.Or(resp.Status, "407")}
	}
	return resp, err
}

// tooLong returns the error of a reply that exceeds the call's maximum length.
func tooLong(call *Call, status int) *Error {
	return &Error{Kind: Upstream, Status: status, cause: ErrTooLong, Message: fmt.Sprintf(
		"%s sent more than the %d bytes allowed for this answer", call.source().Label, call.bound())}
}

const truncated = "broke off in the middle of its answer"

// readAll reads all of r, like io.ReadAll but in pieces. Growing one buffer by copying would leave
// several times its length as garbage, which a gzip bomb could exploit.
func readAll(r io.Reader) ([]byte, error) {
	const first, most = 32 << 10, 4 << 20
	var pieces [][]byte
	for size := first; ; size = min(2*size, most) {
		piece := make([]byte, 0, size)
		for len(piece) < size {
			n, err := r.Read(piece[len(piece):size])
			piece = piece[:len(piece)+n]
			if err == io.EOF {
				return slices.Concat(append(pieces, piece)...), nil
			}
			if err != nil {
				return nil, err
			}
		}
		pieces = append(pieces, piece)
	}
}

// transportError returns the error of an attempt without a complete reply. kind and problem
// describe the failure unless a timeout, a certificate, the proxy or a closed connection caused it.
func (r *receive) transportError(
	req *http.Request, attempt context.Context, call *Call, err error, kind Kind, problem string,
) error {
	switch {
	case req.Context().Err() != nil:
		return contextError(req.Context(), call.source().Label+" did not answer in the time allowed")
	case attempt.Err() != nil:
		return &Error{Kind: Timeout, cause: context.DeadlineExceeded,
			Message: fmt.Sprintf("%s did not answer within %s", call.source().Label, r.timeout)}
	}
	if e := certificateError(call.source().Label, err); e != nil {
		return e
	}
	if e := protocolError(req, call, err); e != nil {
		return e
	}
	if e := proxyError(req, call.source().Label, err); e != nil {
		return e
	}
	why := reason(err)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		kind, problem, why = Upstream, truncated, "connection closed"
	}
	return &Error{Kind: kind, dial: NotConnected(err),
		Message: fmt.Sprintf("%s %s (%s)", call.source().Label, problem, why)}
}
