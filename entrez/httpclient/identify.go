package httpclient

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"biomcp/entrez/pattern"
)

// identify adds the parameters that identify the caller, if the source accepts them, and removes
// API keys from replies. It sends a key only to the address of its source.
type identify struct {
	next        http.RoundTripper
	tool, email string
	keys        []string // removed from replies and errors
}

func newIdentify(next http.RoundTripper, cfg Config) *identify {
	i := &identify{next: next, tool: strings.ReplaceAll(cfg.Tool, " ", "_"), email: cfg.Email} // NBK25497: no spaces
	for _, key := range cfg.Keys {
		if len(key) >= shortKey {
			i.keys = append(i.keys, key, url.QueryEscape(key), url.PathEscape(key))
		}
	}
	return i
}

func (i *identify) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callOf(req)
	req, err := i.sign(req, call)
	if err != nil {
		return nil, err
	}
	resp, err := i.next.RoundTrip(req)
	if err != nil {
		return nil, i.removeKeysFromError(err)
	}
	body, err := Body(resp)
	if err != nil {
		return nil, i.removeKeysFromError(err)
	}
	resp = withBody(resp, i.removeKeys(body))
	if to := resp.Header.Get("Location"); to != "" {
		resp.Header.Set("Location", i.unsigned(to, call.source()))
	}
	return resp, nil
}

// sign returns a copy of the request with the parameters added. The copy has its own body, so that
// the next attempt finds the original unread.
func (i *identify) sign(req *http.Request, call *Call) (*http.Request, error) {
	out := req.Clone(req.Context())
	if i.tool != "" {
		out.Header.Set("User-Agent", i.tool)
	}
	add, source := url.Values{}, call.source()
	if underBase(call.service.base, req.URL) {
		setIfGiven(add, source.ToolParam, i.tool)
		setIfGiven(add, source.EmailParam, i.email)
		setIfGiven(add, source.Key.Param, call.service.key)
	}
	if req.Method != http.MethodPost {
		out.URL.RawQuery = joinQuery(req.URL.RawQuery, add.Encode())
		return out, nil
	}
	form, err := formOf(req)
	if err != nil {
		return nil, err
	}
	form = []byte(joinQuery(string(form), add.Encode()))
	out.Body = io.NopCloser(bytes.NewReader(form))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(form)), nil }
	out.ContentLength = int64(len(form))
	return out, nil
}

func setIfGiven(v url.Values, name, value string) {
	if name != "" && value != "" {
		v.Set(name, value)
	}
}

func joinQuery(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}

// underBase reports whether u is below base: same scheme, host, port and folder.
func underBase(base, u *url.URL) bool {
	if base == nil || base.Scheme != u.Scheme || base.Host != u.Host {
		return false
	}
	folder := strings.TrimSuffix(base.Path, "/") + "/"
	return strings.HasPrefix(u.Path+"/", folder)
}

// shortKey is the minimum length of a key to remove. Removing shorter text would damage replies.
const shortKey = 8

// removeKeys removes the keys from a body, both plain and URL-encoded. NCBI echoes them in error
// bodies.
func (i *identify) removeKeys(body []byte) []byte {
	for _, k := range i.keys {
		if bytes.Contains(body, []byte(k)) {
			body = bytes.ReplaceAll(body, []byte(k), []byte(redacted))
		}
	}
	return body
}

func (i *identify) removeKeysFromError(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err // a bare context error
	}
	clean := *e
	clean.Message = Redact(string(i.removeKeys([]byte(e.Message))))
	return &clean
}

// unsigned returns a redirect's address without the parameters that sign added. The next request is
// signed again.
func (i *identify) unsigned(address string, source *Source) string {
	u, err := url.Parse(address)
	if err != nil {
		return string(i.removeKeys([]byte(address)))
	}
	q := u.Query()
	for _, name := range source.signature() {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	return string(i.removeKeys([]byte(u.String())))
}

const redacted = "[redacted]"

var keyEcho = pattern.Lazy(`(?i)(api[_-]key"?\s*[:=]\s*"?)[^"&\s<>,;}]+`)

// Redact replaces the value of anything that looks like an API key parameter,
// in a URL, a JSON body or a sentence.
func Redact(text string) string {
	return keyEcho().ReplaceAllString(text, "${1}"+redacted)
}
