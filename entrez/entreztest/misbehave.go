package entreztest

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// misbehave acts a fault out. false: the endpoint answers, with the fault in its
// call.
func (s *Server) misbehave(w http.ResponseWriter, r *http.Request, e endpoint, c *call) bool {
	f := c.fault
	out := func(rep reply) {
		s.log.close(c.seq, rep.status)
		write(w, rep)
	}
	page := func(status int, title, text string) {
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		out(reply{status, htmlType, []byte(htmlPage(title, text))})
	}
	key, limit := c.get("api_key"), 10
	if key == "" {
		key, limit = hostOf(r), 3
	}
	switch f.Kind {
	case Limit429:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		out(limitBody(http.StatusTooManyRequests, key, limit+1, limit))
	case Limit200:
		out(limitBody(http.StatusOK, key, limit+1, limit))
	case BadKey:
		out(badKey(key))
	case URITooLarge:
		out(uriTooLarge())
	case HTML500:
		page(500, "NCBI/eutils202 - WWW Error 500 Diagnostic", "Error 500: Internal Server Error")
	case HTML502:
		page(502, "502 Bad Gateway", "The proxy server received an invalid response from an upstream server.")
	case Down503:
		page(503, "503 Service Unavailable", "The service is temporarily unavailable.")
	case HTML200:
		page(200, "NCBI - Maintenance", "This service is being worked on.")
	case EmptyXML:
		out(xmlReply(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n"))
	case CppException:
		out(textReply("NCBI C++ Exception:\n    Error: (CEutilsException) \"eutils.cpp\", line 311: query() --- connection to the search backend was reset\n"))
	case Error200:
		text := f.Text
		if text == "" {
			text = "Search Backend failed: Database is not supported: " + c.db()
		}
		out(errorIn200(e.name, c, text))
	case RawNewline:
		out(rawJSONError(e.name, e.name+"result", retstartError))
	case DeadWebEnv:
		out(deadWebEnv(e.name, c))
	case Redirect:
		w.Header().Set("Location", f.Target)
		page(http.StatusFound, "302 Found", f.Target)
	case GzipBomb:
		w.Header().Set("Content-Encoding", "gzip")
		out(reply{http.StatusOK, xmlType, bomb()})
	case Hangup:
		panic(http.ErrAbortHandler)
	case Stall:
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-s.faults.waiting():
			return false
		}
	case Endless:
		s.log.close(c.seq, http.StatusOK)
		endless(w, r)
	case Truncated, Cut, CutXML, StallBody, WrongType:
		s.spoil(w, r, c, e.answer(c))
	default: // what changes the answer itself
		return false
	}
	return true
}

// spoil sends a good answer in a bad way.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, c *call, rep reply) {
	s.log.close(c.seq, rep.status)
	half := rep.body[:len(rep.body)/2]
	w.Header().Set("Content-Type", rep.kind)
	switch c.fault.Kind {
	case WrongType:
		rep.kind = "application/octet-stream"
		write(w, rep)
	case CutXML:
		rep.body = half
		write(w, rep)
	case Truncated:
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.body)))
		w.WriteHeader(rep.status)
		_, _ = w.Write(half)
	case Cut:
		w.WriteHeader(rep.status)
		_, _ = w.Write(half)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case StallBody:
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.body)))
		w.WriteHeader(rep.status)
		_, _ = w.Write(half)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-s.faults.waiting():
			_, _ = w.Write(rep.body[len(half):])
		}
	}
}

// endless sends a document that goes on until the client hangs up.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", xmlType)
	w.WriteHeader(http.StatusOK)
	_, err := w.Write([]byte(pubmedProlog))
	filler := bytes.Repeat([]byte("<!-- and so on -->\n"), 4096)
	for err == nil && r.Context().Err() == nil {
		_, err = w.Write(filler)
	}
}

// bomb is a gigabyte of blanks, gzipped.
var bomb = sync.OnceValue(func() []byte {
	var one bytes.Buffer
	z, _ := gzip.NewWriterLevel(&one, gzip.BestCompression) // the level is valid
	_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<20))
	_ = z.Close() // a bytes.Buffer never fails
	return bytes.Repeat(one.Bytes(), 1<<10)
})

// errorIn200 is an error in the endpoint's own wrapper, as JSON where that was
// asked for and exists.
func errorIn200(name string, c *call, text string) reply {
	if c.json() {
		switch name {
		case "esearch", "einfo":
			return rawJSONError(name, name+"result", text)
		case "esummary":
			return jsonReply(http.StatusOK, struct {
				Header header   `json:"header"`
				Result []string `json:"esummaryresult"`
			}{headerOf(name), []string{text}})
		case "elink":
			return jsonReply(http.StatusOK, struct {
				Header header `json:"header"`
				Error  string `json:"ERROR"`
			}{headerOf(name), text})
		}
	}
	switch name {
	case "esearch":
		return esearchError(&call{}, text)
	case "esummary":
		return xmlReply(esummaryProlog + "\t" + tag("ERROR", text) + "\n</eSummaryResult>\n")
	case "efetch":
		return efetchError(http.StatusOK, text)
	case "elink":
		return xmlReply(elinkProlog + "<eLinkResult>\n\n\t" + tag("ERROR", text) + "\n</eLinkResult>\n")
	case "einfo":
		return xmlReply(einfoProlog + "\t" + tag("ERROR", text) + "\n</eInfoResult>\n")
	case "epost":
		return epostError(text)
	case "espell":
		return espellReply(c.db(), c.get("term"), "", "", text)
	case "ecitmatch":
		return textReply(text + "\n")
	}
	return jsonReply(http.StatusOK, struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}{"error", text})
}

func deadWebEnv(name string, c *call) reply {
	key := c.get("query_key")
	if key == "" {
		key = "1"
	}
	if name == "efetch" {
		return efetchError(http.StatusBadRequest,
			"Cannot retrieve history data. query_key: "+key+", WebEnv: "+c.get("WebEnv")+", retstart: "+strconv.Itoa(c.number("retstart", 0))+", retmax: "+strconv.Itoa(c.number("retmax", fetchMost)),
			"Can't fetch uids from history because of: NCBI C++ Exception:\n    Error: UNK_MODULE(CException::eInvalid) \"UNK_FILE\", line 18446744073709551615: UNK_FUNC --- ")
	}
	return errorIn200(name, c, "Unable to obtain query #"+key)
}

func htmlPage(title, text string) string {
	return "<!DOCTYPE html>\n<html>\n<head><title>" + esc(title) + "</title></head>\n<body>\n<h1>" + esc(title) + "</h1>\n<p>" + esc(text) + "</p>\n</body>\n</html>\n"
}

// uriTooLarge is the page of NCBI's web server for an address over its limit.
func uriTooLarge() reply {
	const page = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
  "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
<head><title>TITLE</title></head>
<body><h1>TITLE</h1><p>The URL is longer than this server takes.</p><h2>Error 414</h2></body>
</html>
`
	return reply{http.StatusRequestURITooLong, htmlType, []byte(strings.ReplaceAll(page, "TITLE", "Submitted URI too large!"))}
}
