package entreztest

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
)

// A Kind is one way in which NCBI or the network in front of it misbehaves.
type Kind string

const (
	Limit429     Kind = "limit-429"     // the limit body with 429; RetryAfter adds the header
	Limit200     Kind = "limit-200"     // the limit body under 200
	BadKey       Kind = "bad-key"       // 400 that echoes the key
	URITooLarge  Kind = "uri-too-large" // 414 XHTML
	HTML500      Kind = "html-500"      // diagnostic page
	HTML502      Kind = "html-502"      // bad gateway
	Down503      Kind = "down-503"      // HTML; RetryAfter adds the header
	HTML200      Kind = "html-200"      // a page where data should be
	EmptyXML     Kind = "empty-xml"     // XML prolog with no root
	CppException Kind = "cpp-exception" // C++ exception text
	Error200     Kind = "error-200"     // 200 with ERROR in the endpoint's own wrapper; Text
	RawNewline   Kind = "raw-newline"   // 200 with JSON whose ERROR has a raw line break
	DeadWebEnv   Kind = "dead-webenv"   // as for a history that is gone
	Truncated    Kind = "truncated"     // Content-Length promises more than is sent
	Cut          Kind = "cut"           // connection cut in the middle of a chunked body
	CutXML       Kind = "cut-xml"       // a whole transfer of half a document
	Hangup       Kind = "hangup"        // connection closed with no answer
	Endless      Kind = "endless"       // a body that never ends
	Stall        Kind = "stall"         // nothing until the client leaves or Release; then the answer
	StallBody    Kind = "stall-body"    // half the answer, then the same
	Redirect     Kind = "redirect"      // 302 to Target
	WrongType    Kind = "wrong-type"    // the right body as application/octet-stream
	GzipBomb     Kind = "gzip-bomb"     // a megabyte that unpacks to a gigabyte
	LyingCount   Kind = "lying-count"   // Count is Extra more than there are
	MissingUID   Kind = "missing-uid"   // IDs (else the last one) left out of the answer
	ExtraUID     Kind = "extra-uid"     // IDs added to the answer
	BadRecord    Kind = "bad-record"    // EFetch: IDs (else the first one) hold bytes that are no UTF-8
	ShuffledTies Kind = "shuffled-ties" // equal dates in another order in every answer
)

// Kinds are all of them.
var Kinds = []Kind{
	Limit429, Limit200, BadKey, URITooLarge, HTML500, HTML502, Down503, HTML200, EmptyXML, CppException,
	Error200, RawNewline, DeadWebEnv, Truncated, Cut, CutXML, Hangup, Endless, Stall, StallBody, Redirect,
	WrongType, GzipBomb, LyingCount, MissingUID, ExtraUID, BadRecord, ShuffledTies,
}

// A Fault is planned with Server.Fail. It meets requests to one endpoint (""
// is every one), from the From-th after it was planned (1 if not given) on, Times
// times (1 if not given, negative for ever); then all is well again.
type Fault struct {
	Endpoint   string   `json:"endpoint"`
	Kind       Kind     `json:"kind"`
	From       int      `json:"from"`
	Times      int      `json:"times"`
	RetryAfter string   `json:"retry_after"` // seconds or an HTTP date, with Limit429 and Down503
	Target     string   `json:"target"`      // a URL, with Redirect
	Text       string   `json:"text"`        // of Error200
	IDs        []string `json:"ids"`         // of MissingUID, ExtraUID and BadRecord
	Extra      int      `json:"extra"`       // of LyingCount, 7 if not given
}

// onSearch changes what ESearch found.
func (f *Fault) onSearch(r *found) {
	switch f.Kind {
	case LyingCount:
		if f.Extra == 0 {
			f.Extra = 7
		}
		r.count += f.Extra
	case MissingUID, ExtraUID:
		r.ids = f.onIDs(r.ids)
	}
}

// onIDs changes the list of records an answer is about.
func (f *Fault) onIDs(ids []string) []string {
	switch f.Kind {
	case MissingUID:
		if len(f.IDs) == 0 && len(ids) > 0 {
			return ids[:len(ids)-1]
		}
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(f.IDs, id) })
	case ExtraUID:
		return append(slices.Clone(ids), f.IDs...)
	}
	return ids
}

// onRecord changes the bytes of the n-th record of an EFetch.
func (f *Fault) onRecord(n int, r *record) []byte {
	if f.Kind != BadRecord || len(f.IDs) == 0 && n > 0 || len(f.IDs) > 0 && !slices.Contains(f.IDs, r.id()) {
		return r.raw
	}
	return bytes.Replace(r.raw, []byte("</ArticleTitle>"), []byte("\xff\xfe</ArticleTitle>"), 1)
}

type planned struct {
	Fault
	seen, hit int
}

type faults struct {
	mu   sync.Mutex
	plan []*planned
	free chan struct{} // closed by release; stalled requests wait on it
}

func newFaults() *faults { return &faults{free: make(chan struct{})} }

// next is the fault that this request meets, nil for none.
func (p *faults) next(endpoint string) *Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	var hit *Fault
	for _, f := range p.plan {
		if f.Endpoint != "" && f.Endpoint != endpoint {
			continue
		}
		f.seen++
		if hit == nil && f.seen >= f.From && (f.Times < 0 || f.hit < f.Times) {
			f.hit++
			one := f.Fault
			hit = &one
		}
	}
	return hit
}

func (p *faults) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.free)
	p.free = make(chan struct{})
}

func (p *faults) waiting() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free
}

// Fail plans faults, behind those already planned.
func (s *Server) Fail(list ...Fault) error {
	for _, f := range list {
		if !slices.Contains(Kinds, f.Kind) {
			return fmt.Errorf("no fault of kind %q", f.Kind)
		}
		if f.Kind == Redirect && f.Target == "" {
			return fmt.Errorf("a redirect needs a target")
		}
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	for _, f := range list {
		f.From, f.IDs = max(f.From, 1), slices.Clone(f.IDs)
		if f.Times == 0 {
			f.Times = 1
		}
		s.faults.plan = append(s.faults.plan, &planned{Fault: f})
	}
	return nil
}

// Behave drops every planned fault and lets stalled requests go on.
func (s *Server) Behave() {
	s.faults.mu.Lock()
	s.faults.plan = nil
	s.faults.mu.Unlock()
	s.faults.release()
}

// Release lets the requests that a Stall holds go on.
func (s *Server) Release() { s.faults.release() }

// KillHistory makes every WebEnv given out so far a dead one.
func (s *Server) KillHistory() { s.history.clear() }
