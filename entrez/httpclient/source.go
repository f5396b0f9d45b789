package httpclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// A Source describes one HTTP service: its address and rate limit, how requests identify the
// caller, how to judge its replies and how long to cache them. The program derives everything else
// from it: the row of the service in `health`, its variable in the table of the environment and the
// tests of its failures. Package entrez/sources lists all of them.
type Source struct {
	Name    string // lower case: "pubtator" is BIOMCP_PUBTATOR_URL
	Label   string // name in messages: "PubTator3"
	Address string // URL of the public service; paths of calls are appended to it
	Rate    Rate
	Key     Key // the zero Key if no key is known

	// ToolParam and EmailParam are the parameters for the name of the tool and the address of its
	// maintainer. If "", they are not sent.
	ToolParam, EmailParam string

	// FileHosts lists other hosts that hold the files of the source, to which it may redirect. A source with a key
	// has none.
	FileHosts []string

	// MaxQuery is the maximum length of the parameters in a URL. Longer ones are sent by POST; 0
	// means GET unless the call requests a POST.
	MaxQuery int

	// CheckReply recognizes replies peculiar to this service: its limit, refusal and not-found messages.
	// It returns nil if the general rules on status and form decide. A nil CheckReply never decides.
	CheckReply func(Reply) *Verdict

	// RefusesByStatus is true if a 4xx status is the service's own refusal, whatever page comes with
	// it. Otherwise such a page may be that of a proxy or of a moved address.
	RefusesByStatus bool

	// Advice returns what is known about such a failure of this service, and what can be asked
	// instead. It ends the message of the error. It returns "" if nothing is known. A nil Advice
	// always does.
	Advice func(*Error) string

	// Cacheable reports whether the cache may hold a good reply. If nil, it may hold all.
	Cacheable func(body []byte) bool

	// Dependencies lists the addresses, parameters and search tags that the program relies on.
	Dependencies []Dependency

	// TagsOf returns the tags in the parameters of a search. It is nil if the source has no tags.
	TagsOf func(params url.Values) []string

	// Expectations returns requests with a known reply; see [Source.Contract].
	Expectations func() []Expectation

	// Ping is the smallest call that proves that the service answers.
	Ping *Call
}

// Rate is the request limit of a source, across all processes of the machine.
type Rate struct {
	Group     string // name of the rate group; sources of one group share its rate
	PerSecond int    // maximum requests in any second without a key
	WithKey   int    // maximum requests in any second with a key
}

// Key names the environment variable that holds an API key and the parameter that sends it.
type Key struct{ Variable, Param string }

// Reply is a complete reply that has not been judged yet.
type Reply struct {
	Status int
	Form   Form // the expected format
	Body   []byte
}

// Verdict is a source's own judgement of a reply. Text completes a sentence that begins with the
// source's label, such as "does not know the API key".
type Verdict struct {
	Kind Kind
	Text string
}

// NotFoundOn404 returns a CheckReply for a source that answers 404 or 410 if a record does not exist. text is
// the message, such as "has no such label". If JSON was expected, a reply other than a JSON object
// with a member is ignored, and if XML was expected, a web page: it comes from a server in front of
// the service, which may be down or have moved.
func NotFoundOn404(text string) func(Reply) *Verdict {
	return func(r Reply) *Verdict {
		missing := r.Status == http.StatusNotFound || r.Status == http.StatusGone
		switch {
		case !missing, r.Form == XML && r.foreign():
			return nil
		case r.Form == JSON && (!json.Valid(r.Body) || gjson.GetBytes(r.Body, "@keys.#").Int() == 0):
			return nil
		}
		return &Verdict{NotFound, text}
	}
}

// Variable returns the name of the environment variable that sets the source's address.
func (s *Source) Variable() string { return "BIOMCP_" + strings.ToUpper(s.Name) + "_URL" }

// Limit returns the maximum number of requests in a second.
func (r Rate) Limit(keyed bool) int {
	if keyed {
		return r.WithKey
	}
	return r.PerSecond
}

// Delay returns the minimum time between two requests: a second divided by the limit, plus at least
// 5 % for variation in transit, rounded up to 10 ms. It is 350 ms for 3 requests a second and 110
// ms for 10.
func (r Rate) Delay(keyed bool) time.Duration {
	const step = 10 * time.Millisecond
	share := time.Second * 105 / 100 / time.Duration(r.Limit(keyed))
	return (share + step - 1) / step * step
}

// Text returns the limit as text, such as "3 requests a second".
func (r Rate) Text(keyed bool) string { return fmt.Sprintf("%d requests a second", r.Limit(keyed)) }
