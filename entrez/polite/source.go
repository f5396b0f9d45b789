package polite

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Source is one service that answers over HTTP: where it is, how often it may
// be asked, who asks, what its replies mean and how long they are kept. All that
// the program does for every request follows from it, and so do the row of the
// service in `health`, its variable in the table of the environment and the tests
// of its failures. See package entrez/sources for the list.
type Source struct {
	Name    string // lower case: "pubtator" is BIOMCP_PUBTATOR_URL
	Label   string // in messages: "PubTator3"
	Address string // of the public service; paths of calls are appended to it
	Rate    Rate
	Key     Key // the zero Key if no key is known

	// Parameters that carry the name of the tool and the address of its
	// maintainer; "" sends none.
	ToolParam, EmailParam string

	// MaxQuery is how many bytes of parameters fit into an address. Longer ones
	// are sent by POST; 0 never sends a POST unless the call asks for it.
	MaxQuery int

	// Judge reads what only this service says: its limit, its refusals, its way to
	// say that there is no such record. nil leaves a reply to the rules that hold
	// everywhere, of status and form. A nil Judge has nothing to add.
	Judge func(Reply) *Verdict

	// Keep reports whether a good reply may be kept in the cache. nil keeps all.
	Keep func(body []byte) bool

	// Uses are the addresses, parameters and search tags that the program relies on.
	Uses []Use

	// TagsOf finds the tags in what a search sends. nil: the source has none.
	TagsOf func(params url.Values) []string

	// Knowns are questions with a known answer; see [Source.Contract].
	Knowns []Known
	More   func() []Known // made when they are asked; nil: there are no more

	// Ping is the smallest call that proves that the service answers.
	Ping *Call
}

// Rate is how often a source may be asked, over all processes of the machine.
type Rate struct {
	Lane      string // sources with the same lane share one rate
	PerSecond int    // requests in any second
	WithKey   int    // the same with a key
}

// Key is an API key: the variable that holds it and the parameter that sends it.
type Key struct{ Variable, Param string }

// Reply is one whole reply, before it is known to be good.
type Reply struct {
	Status int
	Form   Form // as asked for
	Body   []byte
}

// Verdict is a source's own judgement of a reply. Text completes a sentence that
// begins with the label: "does not know the API key".
type Verdict struct {
	Kind Kind
	Text string
}

// Absent is the Judge of a source that answers 404 or 410 where there is no such record,
// with what that means: "has no such label". Where JSON was asked for, another form is of
// who stands before the service, which may be down or have another address by now.
func Absent(text string) func(Reply) *Verdict {
	return func(r Reply) *Verdict {
		if (r.Status == http.StatusNotFound || r.Status == http.StatusGone) && (r.Form != JSON || json.Valid(r.Body)) {
			return &Verdict{NotFound, text}
		}
		return nil
	}
}

// Variable is the environment variable with the address of the source.
func (s *Source) Variable() string { return "BIOMCP_" + strings.ToUpper(s.Name) + "_URL" }

// Limit is the greatest number of requests in a second.
func (r Rate) Limit(keyed bool) int {
	if keyed {
		return r.WithKey
	}
	return r.PerSecond
}

// Delay is the least time between two requests: a limit's share of a second and
// at least 5 % for the way to the service, in full 10 ms. For 3 and 10 requests a
// second that is 350 and 110 ms.
func (r Rate) Delay(keyed bool) time.Duration {
	const step = 10 * time.Millisecond
	share := time.Second * 105 / 100 / time.Duration(r.Limit(keyed))
	return (share + step - 1) / step * step
}

// Text says how many requests a second are allowed.
func (r Rate) Text(keyed bool) string { return fmt.Sprintf("%d requests a second", r.Limit(keyed)) }
