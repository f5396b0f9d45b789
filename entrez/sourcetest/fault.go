package sourcetest

import (
	"fmt"
	"slices"
	"sync"
)

// A Kind is a kind of misbehaviour of a service or of the network in front of it. A simulator may
// add kinds.
type Kind string

const (
	Limit429    Kind = "limit-429"     // too many requests; RetryAfter adds the header
	BadKey      Kind = "bad-key"       // a refusal that echoes the key
	URITooLarge Kind = "uri-too-large" // 414
	HTML500     Kind = "html-500"      // diagnostic page
	HTML502     Kind = "html-502"      // bad gateway
	Down503     Kind = "down-503"      // HTML; RetryAfter adds the header
	HTML200     Kind = "html-200"      // a web page instead of data
	HTML403     Kind = "html-403"      // a firewall's page
	HTML404     Kind = "html-404"      // a web server's page for an unknown address
	Empty       Kind = "empty"         // 200 with an empty body
	OtherForm   Kind = "other-form"    // 200 with a complete document in another format
	Truncated   Kind = "truncated"     // Content-Length promises more than is sent
	Cut         Kind = "cut"           // connection cut in the middle of a chunked body
	CutXML      Kind = "cut-xml"       // a complete transfer of half a document
	Hangup      Kind = "hangup"        // connection closed without an answer
	Endless     Kind = "endless"       // a body that never ends
	Stall       Kind = "stall"         // no byte until Release or until the client leaves; then the answer
	StallBody   Kind = "stall-body"    // half the answer, then a Stall
	Redirect    Kind = "redirect"      // 302 to Target
	OtherJSON   Kind = "other-json"    // 200 with the JSON of Text
	WrongType   Kind = "wrong-type"    // the right body as application/octet-stream
	GzipBomb    Kind = "gzip-bomb"     // a megabyte that unpacks to a gigabyte
	MissingUID  Kind = "missing-uid"   // IDs (by default the last one) omitted from the answer
	ExtraUID    Kind = "extra-uid"     // IDs added to the answer
)

// Kinds lists the faults that every simulator knows.
var Kinds = []Kind{
	Limit429, BadKey, URITooLarge, HTML500, HTML502, Down503, HTML200, HTML403, HTML404, Empty, OtherForm, Truncated,
	Cut, CutXML, Hangup, Endless, Stall, StallBody, Redirect, OtherJSON, WrongType, GzipBomb, MissingUID, ExtraUID,
}

// bodyKinds lists the kinds that need a reply with a body.
var bodyKinds = []Kind{HTML200, Empty, OtherForm, Truncated, Cut, CutXML, Endless, StallBody, WrongType, GzipBomb}

// A Fault is planned with Server.Fail. It affects requests to one endpoint, or to all if Endpoint
// is "". It starts with the From-th request after it was planned (default 1) and affects Times
// requests (default 1, negative for no limit).
type Fault struct {
	Endpoint   string   `json:"endpoint"`
	Kind       Kind     `json:"kind"`
	From       int      `json:"from"`
	Times      int      `json:"times"`
	RetryAfter string   `json:"retry_after"` // seconds or an HTTP date; used by Limit429 and Down503
	Target     string   `json:"target"`      // a URL; used by Redirect
	Text       string   `json:"text"`        // the body with OtherJSON, an error message with a simulator's own kinds
	IDs        []string `json:"ids"`         // with MissingUID, ExtraUID and a simulator's own kinds
	Extra      int      `json:"extra"`       // a number for a simulator's own kinds
}

// OnIDs returns the IDs of an answer after MissingUID or ExtraUID; f may be nil.
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

type plannedFault struct {
	Fault
	seen, hit int
}

type faults struct {
	kinds    []Kind   // kinds that may be planned
	captures sync.Map // Reply by its captureKey

	mu   sync.Mutex
	plan []*plannedFault
	free chan struct{} // closed by release; stalled requests wait for it
}

func newFaults() *faults { return &faults{kinds: slices.Clone(Kinds), free: make(chan struct{})} }

// next returns the fault for this request, or nil.
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

// AddKinds adds a simulator's own kinds to those that may be planned.
func (s *Server) AddKinds(kinds ...Kind) { s.faults.kinds = append(s.faults.kinds, kinds...) }

// Fail plans faults after those already planned.
func (s *Server) Fail(list ...Fault) error {
	for _, f := range list {
		if !slices.Contains(s.faults.kinds, f.Kind) {
			return fmt.Errorf("unknown fault kind %q", f.Kind)
		}
		if f.Kind == Redirect && f.Target == "" {
			return fmt.Errorf("a redirect requires a target")
		}
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	for _, f := range list {
		f.From, f.IDs = max(f.From, 1), slices.Clone(f.IDs)
		if f.Times == 0 {
			f.Times = 1
		}
		s.faults.plan = append(s.faults.plan, &plannedFault{Fault: f})
	}
	return nil
}

// ClearFaults drops every planned fault and lets stalled requests continue.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	s.faults.plan = nil
	s.faults.mu.Unlock()
	s.faults.release()
}

// Release lets the requests held by a Stall continue.
func (s *Server) Release() { s.faults.release() }
