package polite

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// identify puts our name on a request, and wipes the key from what comes back.
// NCBI asks for tool, email and api_key on every E-utilities call (Entrez
// Programming Utilities Help, NBK25497) and for tool and email from users of the
// ID converter. The key goes nowhere but to the E-utilities.
type identify struct {
	next http.RoundTripper
	who  *identity
}

type identity struct {
	tool, email, key string
	keyURL           *url.URL
	nameURLs         []*url.URL
}

func (i *identify) RoundTrip(req *http.Request) (*http.Response, error) {
	req, err := i.who.sign(req)
	if err != nil {
		return nil, err
	}
	resp, err := i.next.RoundTrip(req)
	if err != nil {
		return nil, i.who.wipeError(err)
	}
	body, err := Body(resp)
	if err != nil {
		return nil, i.who.wipeError(err)
	}
	resp = hold(resp, i.who.wipe(body))
	if to := resp.Header.Get("Location"); to != "" {
		resp.Header.Set("Location", i.who.unsigned(to))
	}
	return resp, nil
}

// sign is a copy of the request with our name on it and a body of its own, so
// that the next attempt finds the original unread.
func (w *identity) sign(req *http.Request) (*http.Request, error) {
	out := req.Clone(req.Context())
	if w.tool != "" {
		out.Header.Set("User-Agent", w.tool)
	}
	add := url.Values{}
	if w.named(req.URL) {
		put(add, "tool", w.tool)
		put(add, "email", w.email)
	}
	if w.keyed(req.URL) {
		put(add, "api_key", w.key)
	}
	if req.Method != http.MethodPost {
		out.URL.RawQuery = join(req.URL.RawQuery, add.Encode())
		return out, nil
	}
	form, err := formOf(req)
	if err != nil {
		return nil, err
	}
	form = []byte(join(string(form), add.Encode()))
	out.Body = io.NopCloser(bytes.NewReader(form))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(form)), nil }
	out.ContentLength = int64(len(form))
	return out, nil
}

func put(v url.Values, name, value string) {
	if value != "" {
		v.Set(name, value)
	}
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "&" + b
}

// keyed reports whether a request bears the key, and so has the key's pace.
func (w *identity) keyed(u *url.URL) bool { return w.key != "" && within(w.keyURL, u) }

func (w *identity) named(u *url.URL) bool {
	for _, base := range w.nameURLs {
		if within(base, u) {
			return true
		}
	}
	return within(w.keyURL, u)
}

// within reports whether u lies under base: the same scheme, host and port, and
// the same folder. A prefix of the host's name is not enough.
func within(base, u *url.URL) bool {
	if base == nil || base.Scheme != u.Scheme || base.Host != u.Host {
		return false
	}
	folder := strings.TrimSuffix(base.Path, "/") + "/"
	return strings.HasPrefix(u.Path+"/", folder)
}

// shortKey is the length under which a key is too short to be one, and wiping
// it wherever its letters stand would damage answers.
const shortKey = 8

// wipe removes the key from a body, as it is and as a URL would write it: NCBI
// echoes it in error bodies.
func (w *identity) wipe(body []byte) []byte {
	if len(w.key) >= shortKey {
		for _, k := range []string{w.key, url.QueryEscape(w.key), url.PathEscape(w.key)} {
			if bytes.Contains(body, []byte(k)) {
				body = bytes.ReplaceAll(body, []byte(k), []byte(redacted))
			}
		}
	}
	return body
}

func (w *identity) wipeError(err error) error {
	var f *Failure
	if !errors.As(err, &f) {
		return err // bare context errors
	}
	clean := *f
	clean.Message = Redact(string(w.wipe([]byte(f.Message))))
	return &clean
}

// unsigned is a redirect's address without what sign added; the next hop is
// signed again by the same rules.
func (w *identity) unsigned(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return string(w.wipe([]byte(address)))
	}
	q := u.Query()
	for _, name := range signature {
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	return string(w.wipe([]byte(u.String())))
}

// signature are the parameters that say who asks and not what is asked.
var signature = []string{"tool", "email", "api_key"}

const redacted = "[redacted]"

var keyEcho = regexp.MustCompile(`(?i)(api[_-]key"?\s*[:=]\s*"?)[^"&\s<>,;}]+`)

// Redact replaces the value of anything that looks like an API key parameter,
// in a URL, a JSON body or a sentence.
func Redact(text string) string {
	return keyEcho.ReplaceAllString(text, "${1}"+redacted)
}
