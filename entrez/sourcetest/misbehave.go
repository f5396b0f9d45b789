package sourcetest

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"biomcp/entrez/httpclient"
)

// refusal returns the reply to a rejected request.
func (s *Server) refusal(v Service, c *Call) Reply {
	if v.WriteFault != nil {
		if own, ok := v.WriteFault(c); ok {
			return own
		}
	}
	refuse := func(status int, text string) Reply {
		return JSON(status, map[string]string{"error": text})
	}
	switch c.Fault.Kind {
	case Limit429:
		return refuse(http.StatusTooManyRequests, "too many requests")
	case BadKey:
		return refuse(http.StatusForbidden, "the key "+c.Client+" is not valid")
	}
	return refuse(http.StatusRequestURITooLong, "the address is too long")
}

// misbehave applies the fault of a call. It returns false if the endpoint must answer, with the
// fault in its call.
func (s *Server) misbehave(w http.ResponseWriter, r *http.Request, v Service, c *Call, answer func() Reply) bool {
	f := c.Fault
	if r.Method == http.MethodHead && slices.Contains(bodyKinds, f.Kind) {
		return false
	}
	out := func(rep Reply) bool {
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		s.log.close(c.Seq, rep.Status)
		write(w, rep)
		return true
	}
	if v.WriteFault != nil {
		if own, ok := v.WriteFault(c); ok {
			return out(own)
		}
	}
	switch f.Kind {
	case Limit429, BadKey, URITooLarge:
		return out(s.refusal(v, c))
	case HTML500:
		return out(Page(500, "500 Internal Server Error", "The server could not answer."))
	case HTML502:
		return out(Page(502, "502 Bad Gateway", "The proxy server received an invalid response from an upstream "+
			"server."))
	case Down503:
		return out(Page(503, "503 Service Unavailable", "The service is temporarily unavailable."))
	case HTML200:
		return out(Page(200, "Maintenance", "This service is being worked on."))
	case HTML403:
		return out(Page(403, "403 Forbidden", "The request was blocked."))
	case HTML404:
		return out(Page(404, "404 Not Found", "The requested address was not found on this server."))
	case Empty:
		return out(Reply{Status: http.StatusOK, Type: answer().Type})
	case OtherForm:
		if v.Source.Ping.Form == httpclient.XML {
			return out(JSON(http.StatusOK, []string{"another", "form"}))
		}
		return out(Reply{Status: http.StatusOK, Type: XMLType,
			Body: []byte(`<?xml version="1.0"?><other>form</other>`)})
	case OtherJSON:
		return out(Reply{Status: http.StatusOK, Type: JSONType, Body: []byte(f.Text)})
	case Redirect:
		w.Header().Set("Location", f.Target)
		return out(Page(http.StatusFound, "302 Found", f.Target))
	case GzipBomb:
		w.Header().Set("Content-Encoding", "gzip")
		return out(Reply{Status: http.StatusOK, Type: XMLType, Body: bomb()})
	case Hangup:
		panic(http.ErrAbortHandler)
	case Stall:
		stall(r, c)
		return false
	case Endless:
		s.log.close(c.Seq, http.StatusOK)
		endless(w, r, answer())
	case Truncated, Cut, CutXML, StallBody, WrongType:
		s.spoil(w, r, c, answer())
	default: // faults that change the answer itself
		return false
	}
	return true
}

// stall waits for Release or until the client leaves.
func stall(r *http.Request, c *Call) {
	select {
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-c.released:
	}
}

// spoil sends a good reply with a fault in its transfer.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, c *Call, rep Reply) {
	s.log.close(c.Seq, rep.Status)
	half := rep.Body[:len(rep.Body)/2]
	rep.head(w)
	begin := func() {
		w.WriteHeader(rep.Status)
		_, _ = w.Write(half)
	}
	switch c.Fault.Kind {
	case WrongType:
		rep.Type = "application/octet-stream"
		write(w, rep)
	case CutXML:
		rep.Body = half
		write(w, rep)
	case Truncated:
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.Body)))
		begin()
	case Cut:
		begin()
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case StallBody:
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.Body)))
		begin()
		_ = http.NewResponseController(w).Flush()
		stall(r, c)
		_, _ = w.Write(rep.Body[len(half):])
	}
}

// endless sends the beginning of a reply, and then spaces until the client leaves.
func endless(w http.ResponseWriter, r *http.Request, rep Reply) {
	rep.head(w)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(rep.Body[:len(rep.Body)/2])
	filler := []byte(strings.Repeat(" \n", 1<<15))
	for err == nil && r.Context().Err() == nil {
		_, err = w.Write(filler)
	}
}

// bomb is a gigabyte of spaces, gzipped.
var bomb = sync.OnceValue(func() []byte {
	var one bytes.Buffer
	z, _ := gzip.NewWriterLevel(&one, gzip.BestCompression) // the level is valid
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = z.Close() // a bytes.Buffer never fails
	return bytes.Repeat(one.Bytes(), 1<<10)
})
