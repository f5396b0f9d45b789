package sourcetest

import (
	"fmt"
	"slices"
	"sync"
)

// A Kind is one way in which a service or the network in front of it misbehaves.
// A simulator may add kinds.
type Kind string

const (
	Limit429    Kind = "limit-429"     // too many requests; RetryAfter adds the header
	BadKey      Kind = "bad-key"       // a refusal that echoes the key
	URITooLarge Kind = "uri-too-large" // 414
	HTML500     Kind = "html-500"      // diagnostic page
	HTML502     Kind = "html-502"      // bad gateway
	Down503     Kind = "down-503"      // HTML; RetryAfter adds the header
	HTML200     Kind = "html-200"      // a page where data should be
	Empty       Kind = "empty"         // 200 with nothing
	OtherForm   Kind = "other-form"    // 200 with a whole document of another form
	Truncated   Kind = "truncated"     // Content-Length promises more than is sent
	Cut         Kind = "cut"           // connection cut in the middle of a chunked body
	CutXML      Kind = "cut-xml"       // a whole transfer of half a document
	Hangup      Kind = "hangup"        // connection closed with no answer
	Endless     Kind = "endless"       // a body that never ends
	Stall       Kind = "stall"         // nothing until the client leaves or Release; then the answer
	StallBody   Kind = "stall-body"    // half the answer, then the same
	Redirect    Kind = "redirect"      // 302 to Target
	OtherJSON   Kind = "other-json"    // 200 with the JSON of Text
	WrongType   Kind = "wrong-type"    // the right body as application/octet-stream
	GzipBomb    Kind = "gzip-bomb"     // a megabyte that unpacks to a gigabyte
	MissingUID  Kind = "missing-uid"   // IDs (else the last one) left out of the answer
	ExtraUID    Kind = "extra-uid"     // IDs added to the answer
)

// Kinds are the faults that every simulator knows.
var Kinds = []Kind{
	Limit429, BadKey, URITooLarge, HTML500, HTML502, Down503, HTML200, Empty, OtherForm, Truncated, Cut, CutXML,
	Hangup, Endless, Stall, StallBody, Redirect, OtherJSON, WrongType, GzipBomb, MissingUID, ExtraUID,
}

// ofBody are the kinds that only a reply with a body can have.
var ofBody = []Kind{HTML200, Empty, OtherForm, Truncated, Cut, CutXML, Endless, StallBody, WrongType, GzipBomb}

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
	Text       string   `json:"text"`        // of OtherJSON, and an error's text with a simulator's own kinds
	IDs        []string `json:"ids"`         // of MissingUID, ExtraUID and a simulator's own kinds
	Extra      int      `json:"extra"`       // a number, with a simulator's own kinds
}

// OnIDs changes the list of records that an answer is about; f may be nil.
func (f *Fault) OnIDs(ids []string) []string {
	switch {
	case f == nil:
	case f.Kind == MissingUID && len(f.IDs) == 0 && len(ids) > 0:
		return ids[:len(ids)-1]
	case f.Kind == MissingUID:
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(f.IDs, id) })
	case f.Kind == ExtraUID:
		return append(slices.Clone(ids), f.IDs...)
	}
	return ids
}

type planned struct {
	Fault
	seen, hit int
}

type faults struct {
	kinds    []Kind   // that may be planned
	captures sync.Map // Reply by what was asked

	mu   sync.Mutex
	plan []*planned
	free chan struct{} // closed by release; stalled requests wait on it
}

func newFaults() *faults { return &faults{kinds: slices.Clone(Kinds), free: make(chan struct{})} }

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

// Knows lets kinds of a simulator's own be planned.
func (s *Server) Knows(kinds ...Kind) { s.faults.kinds = append(s.faults.kinds, kinds...) }

// Fail plans faults, behind those already planned.
func (s *Server) Fail(list ...Fault) error {
	for _, f := range list {
		if !slices.Contains(s.faults.kinds, f.Kind) {
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
