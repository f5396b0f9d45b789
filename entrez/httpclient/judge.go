package httpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/pattern"
)

// judge returns the error of a reply, or nil if the reply is complete and in the expected form. The
// source's own judgement comes first.
func (c *Call) judge(resp *http.Response, body []byte) *Error {
	if c.file != nil && c.file.complete {
		return nil
	}
	fail := func(kind Kind, format string, args ...any) *Error {
		e := c.NewError(kind, c.source().Label+" "+fmt.Sprintf(format, args...))
		e.Status, e.RetryAfter = resp.StatusCode, RetryAfter(resp.Header)
		return e
	}
	r := Reply{Status: resp.StatusCode, Form: c.Form, Body: trimBOM(body)}
	if c.source().CheckReply != nil {
		if v := c.source().CheckReply(r); v != nil {
			e := fail(v.Kind, "%s", v.Text)
			e.final = r.Status >= 400 && !Temporary(r.Status)
			if r.Status == http.StatusOK {
				e.Reply = body
			}
			return e
		}
	}
	switch code := r.Status; {
	case code == http.StatusTooManyRequests:
		return fail(RateLimited, "answered that its request limit is exceeded (HTTP 429)")
	case Temporary(code):
		return fail(Upstream, "answered HTTP %d%s", code, errorDetail(r.Body))
	case code >= 400 && r.foreign():
		e := fail(Upstream, "answered HTTP %d with a page that is not its own%s", code, errorDetail(r.Body))
		e.final = true
		return e
	case code >= 400:
		return fail(Refused, "refused the request: HTTP %d%s", code, errorDetail(r.Body))
	case code >= 300 && resp.Header.Get("Location") != "":
		return nil // the http.Client follows the redirect
	case code >= 300:
		return fail(Refused, "answered with the unexpected status HTTP %d", code)
	case c.Form == Head:
		return nil
	}
	root, closed := xmlRoot(r.Body)
	html := strings.EqualFold(root, "html")
	switch {
	case html && c.Form == Page && closed:
		return nil
	case html && c.Form == Page:
		return fail(Upstream, "sent an answer that is cut off")
	case html:
		return fail(Upstream, "answered with a web page instead of data%s", errorDetail(r.Body))
	case c.Form == Text:
		return nil
	case len(r.Body) == 0:
		return fail(Upstream, "sent an empty answer")
	}
	var whole, begun bool
	switch c.Form {
	case XML:
		whole = root != "" && closed
		begun = root != "" || bytes.HasPrefix(r.Body, []byte("<?xml"))
	case JSON:
		whole = json.Valid(EscapeControls(r.Body))
		begun = r.Body[0] == '{' || r.Body[0] == '['
	}
	switch {
	case whole && !c.complete(r.Body):
		needs := strings.Join(c.Needs, " or ")
		e := fail(Upstream, "sent an answer that cannot be read: it has no %s%s", needs, errorDetail(r.Body))
		e.final = true
		return e
	case whole:
		return nil
	case begun:
		return fail(Upstream, "sent an answer that is cut off")
	}
	return fail(Upstream, "sent an answer in an unexpected format%s", errorDetail(r.Body))
}

// foreign reports whether a refusal is not written by the service: an empty body or a web page. It
// comes from a server in front of the service, which may be down, may have moved or may block the
// client. 414 is about the request line, which every server judges.
func (r Reply) foreign() bool {
	root, _ := xmlRoot(r.Body)
	return r.Status != http.StatusRequestURITooLong && (len(r.Body) == 0 || strings.EqualFold(root, "html"))
}

// complete reports whether a reply has at least one of the parts in Needs.
func (c *Call) complete(body []byte) bool {
	return len(c.Needs) == 0 || slices.ContainsFunc(c.Needs, func(path string) bool {
		switch {
		case c.Form == XML:
			return hasElement(body, path)
		case path == "{}":
			return gjson.ParseBytes(body).IsObject() && gjson.GetBytes(body, "@keys.#").Int() == 0
		}
		found := gjson.GetBytes(body, path)
		if list, _, isList := strings.Cut(path, "#."); isList && found.Get("#").Int() == 0 {
			found = gjson.GetBytes(body, list+"#")
			return found.Exists() && found.Int() == 0
		}
		return found.Exists()
	})
}

// hasElement reports whether an XML document contains an element.
func hasElement(body []byte, name string) bool {
	return slices.ContainsFunc([]string{">", "/", " ", "\n"}, func(after string) bool {
		return bytes.Contains(body, []byte("<"+name+after))
	})
}

// Complete reports whether the body is one complete document in XML or JSON, regardless of Form.
func (r Reply) Complete() bool {
	root, closed := xmlRoot(r.Body)
	return root != "" && closed || json.Valid(EscapeControls(r.Body))
}

// ErrorDetail extracts a short error message from the reply, in parentheses after a space, to append to a
// sentence. It returns "" if there is no message.
func (r Reply) ErrorDetail() string { return errorDetail(r.Body) }

// JSONField returns the string or number at a JSON path such as "error.message". It returns "" if there
// is none, if the body is not JSON, or if it is too long for an error message.
func (r Reply) JSONField(path string) string {
	if len(r.Body) > 64<<10 {
		return ""
	}
	body := EscapeControls(r.Body)
	said := gjson.GetBytes(body, path)
	if said.Type != gjson.String && said.Type != gjson.Number || !json.Valid(body) {
		return ""
	}
	return strings.TrimSpace(said.String())
}

func trimBOM(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
}

// xmlRoot returns the name of the first element of a document and reports whether the document ends
// with it. The name is "" if body is not XML or has no element.
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
				end = "]>" // a DOCTYPE with declarations
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
	errorTextPattern = pattern.Lazy(`(?is)<ERROR>\s*(.*?)\s*</ERROR>` +
		`|"(?:error|message|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"` +
		`|<title>\s*(.*?)\s*</title>`)
	tagPattern     = pattern.Lazy(`<[^>]*>`)
	spacePattern   = pattern.Lazy(`\s+`)
	maxErrorDetail = 200
)

// errorDetail extracts a short error message from body, to append to a sentence.
func errorDetail(body []byte) string {
	if len(body) > 64<<10 {
		body = body[:64<<10]
	}
	text := ""
	if m := errorTextPattern().FindSubmatch(body); m != nil {
		text = string(m[1]) + string(m[2]) + string(m[3])
	} else if root, _ := xmlRoot(body); root == "" && len(body) > 0 && body[0] != '{' {
		text = string(body)
	}
	text = tagPattern().ReplaceAllString(strings.ToValidUTF8(text, ""), " ")
	text = strings.TrimSpace(spacePattern().ReplaceAllString(text, " "))
	if text == "" {
		return ""
	}
	if r := []rune(text); len(r) > maxErrorDetail {
		text = string(r[:maxErrorDetail]) + "…"
	}
	return " (" + Redact(text) + ")"
}

// EscapeControls escapes raw control characters in JSON strings. NCBI copies the line breaks of a backend's
// message into "ERROR", and no JSON decoder accepts that. Valid JSON is returned unchanged.
func EscapeControls(data []byte) []byte {
	var out []byte // nil until something needs escaping
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
