package polite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// judge says whether an answer is whole and in the form that was asked for, or
// how the call failed. An error that NCBI wrote into a whole answer (<ERROR>,
// "ERROR") is not seen here: it is an answer, and asking again would not change
// it. The shapes are those NCBI has been seen to send, often with status 200.
func judge(call Call, resp *http.Response, body []byte) *Failure {
	f := &Failure{Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header, time.Now())}
	fail := func(kind Kind, again bool, format string, args ...any) *Failure {
		f.Kind, f.again, f.Message = kind, again, call.Service+" "+fmt.Sprintf(format, args...)
		return f
	}
	body = trimmed(body)
	if g, ok := gatewayError(body); ok {
		switch text := strings.ToLower(g); {
		case strings.Contains(text, "rate limit"):
			return fail(RateLimited, true, "says that we ask too often (%s)", g)
		case strings.Contains(text, "api key"):
			return fail(BadKey, false, "does not know the API key (%s)", g)
		case resp.StatusCode < 400 || resp.StatusCode >= 500:
			return fail(Upstream, true, "answered with an error of its gateway (%s)", g)
		}
	}
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests:
		return fail(RateLimited, true, "says that we ask too often (HTTP 429)")
	case code >= 500 || code == http.StatusRequestTimeout:
		return fail(Upstream, true, "answered HTTP %d%s", code, said(body))
	case code >= 400:
		return fail(Refused, false, "refused the request: HTTP %d%s", code, said(body))
	case code >= 300:
		return nil // a redirect: the http.Client decides
	}
	root, closed := xmlRoot(body)
	switch {
	case bytes.HasPrefix(body, []byte("NCBI C++ Exception")):
		return fail(Upstream, true, "answered with a fault of its own program%s", said(body))
	case strings.EqualFold(root, "html"):
		return fail(Upstream, true, "answered with a web page instead of data%s", said(body))
	case call.Form == Text:
		return nil
	case len(body) == 0:
		return fail(Upstream, true, "answered with nothing")
	case root != "" && closed && (call.Form == XML || bytes.Contains(body, []byte("<ERROR>"))):
		return nil
	case root != "" && call.Form == XML:
		return fail(Upstream, true, "sent an answer that is cut off")
	case call.Form == JSON && json.Valid(Mend(body)):
		return nil
	case call.Form == JSON && (body[0] == '{' || body[0] == '['):
		return fail(Upstream, true, "sent an answer that is cut off")
	case call.Form == XML && body[0] == '{' && bytes.Contains(body, []byte(`"ERROR"`)) && json.Valid(Mend(body)):
		return nil // a refusal, in JSON whatever form was asked for
	}
	return fail(Upstream, true, "sent something that is not what was asked for%s", said(body))
}

func trimmed(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
}

// gatewayError reads the body that NCBI's front door sends in place of any
// answer, whatever form was asked for:
//
//	{"error":"API rate limit exceeded","api-key":"...","count":"4","limit":"3"}
//
// A service's own answer with an "error" in it has a "header" beside it.
func gatewayError(body []byte) (string, bool) {
	if len(body) == 0 || body[0] != '{' || len(body) > 4<<10 {
		return "", false
	}
	var g map[string]json.RawMessage // a struct would take "ERROR" for "error"
	var text string
	if json.Unmarshal(Mend(body), &g) != nil || g["header"] != nil || json.Unmarshal(g["error"], &text) != nil || text == "" {
		return "", false
	}
	return Redact(text), true
}

// xmlRoot returns the name of the first element of a document, "" where the
// body is no XML or has no element, and whether the document ends with it.
func xmlRoot(body []byte) (name string, closed bool) {
	for {
		body = bytes.TrimSpace(body)
		var end string
		switch {
		case bytes.HasPrefix(body, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(body, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(body, []byte("<!")):
			end = ">"
			if open, sub := bytes.IndexByte(body, '>'), bytes.IndexByte(body, '['); sub >= 0 && sub < open {
				end = "]>" // a DOCTYPE with declarations in it
			}
		case bytes.HasPrefix(body, []byte("<")):
			n := bytes.IndexAny(body, " \t\r\n/>")
			if n <= 1 {
				return "", false
			}
			name = string(body[1:n])
			if bytes.HasSuffix(body, []byte("</"+name+">")) {
				return name, true
			}
			tag := bytes.IndexByte(body, '>')
			return name, tag == len(body)-1 && bytes.HasSuffix(body, []byte("/>"))
		default:
			return "", false
		}
		n := bytes.Index(body, []byte(end))
		if n < 0 {
			return "", false
		}
		body = body[n+len(end):]
	}
}

var (
	stated  = regexp.MustCompile(`(?is)<ERROR>\s*(.*?)\s*</ERROR>|"(?:error|message|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"|<title>\s*(.*?)\s*</title>`)
	markup  = regexp.MustCompile(`<[^>]*>`)
	blanks  = regexp.MustCompile(`\s+`)
	maxSaid = 200
)

// said is what an error body says for itself, short, for the end of a sentence.
func said(body []byte) string {
	if len(body) > 64<<10 {
		body = body[:64<<10]
	}
	text := ""
	if m := stated.FindSubmatch(body); m != nil {
		text = string(m[1]) + string(m[2]) + string(m[3])
	} else if root, _ := xmlRoot(body); root == "" && len(body) > 0 && body[0] != '{' {
		text = string(body)
	}
	text = strings.TrimSpace(blanks.ReplaceAllString(markup.ReplaceAllString(strings.ToValidUTF8(text, ""), " "), " "))
	if text == "" {
		return ""
	}
	if r := []rune(text); len(r) > maxSaid {
		text = string(r[:maxSaid]) + "…"
	}
	return " (" + Redact(text) + ")"
}

// retryAfter reads the header as RFC 9110 10.2.3 has it: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseInt(v, 10, 32); err == nil && s > 0 {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// Mend escapes control characters that stand raw inside a JSON string. NCBI
// writes the lines of a backend's message into "ERROR" as they are, which no
// JSON decoder accepts. Sound JSON is returned as it is.
func Mend(data []byte) []byte {
	var out []byte // nil while nothing had to be changed
	inString, escaped := false, false
	for i, c := range data {
		broken := inString && c < 0x20
		if broken && out == nil {
			out = append(make([]byte, 0, len(data)+64), data[:i]...)
		}
		switch {
		case broken:
			if escaped { // a backslash before a raw newline
				out = append(out, '\\')
			}
			out = fmt.Appendf(out, `\u%04x`, c)
			escaped = false
			continue
		case escaped:
			escaped = false
		case c == '\\' && inString:
			escaped = true
		case c == '"':
			inString = !inString
		}
		if out != nil {
			out = append(out, c)
		}
	}
	if out == nil {
		return data
	}
	return out
}
