package sourcetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Control handles one route under /control/. Its answer is written as JSON; a nil answer gives
// {"ok":true}.
type Control func(body io.Reader, query url.Values) (answer any, err error)

// ErrNotFound is wrapped by the error of a control that is answered with 404.
var ErrNotFound = errors.New("not found")

// Handle adds a control route such as "POST delete". It replaces an existing route of that name.
func (s *Server) Handle(route string, c Control) { s.controls[route] = c }

// JSONControl returns a control that decodes its parameters from JSON and rejects unknown fields.
func JSONControl[T any](do func(in T) error) Control {
	return func(body io.Reader, _ url.Values) (any, error) {
		var in T
		d := json.NewDecoder(body)
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			return nil, err
		}
		return nil, do(in)
	}
}

// State is the reply to GET /control/state.
type State struct {
	Now      time.Time `json:"now"`
	Requests int       `json:"requests"`
	Limited  int       `json:"limited"` // number of requests answered 429
}

// State returns the state of the server.
func (s *Server) State() State { return State{s.Now(), s.Count(), s.Limited()} }

// control registers the routes of every server, which doc.go lists. These requests are neither
// counted nor limited.
func (s *Server) control() {
	plain := func(do func()) Control {
		return func(io.Reader, url.Values) (any, error) { do(); return nil, nil }
	}
	s.Handle("GET state", func(io.Reader, url.Values) (any, error) { return s.State(), nil })
	s.Handle("GET requests", func(_ io.Reader, q url.Values) (any, error) { return s.Requests(q["endpoint"]...), nil })
	s.Handle("POST faults", JSONControl(func(in []Fault) error { return s.Fail(in...) }))
	s.Handle("POST clock", JSONControl(s.setClock))
	s.Handle("POST behave", plain(s.ClearFaults))
	s.Handle("POST release", plain(s.Release))
	s.Handle("POST forget", plain(s.ClearRequests))
	s.mux.HandleFunc(controlPath, func(w http.ResponseWriter, r *http.Request) {
		route := r.Method + " " + strings.TrimPrefix(r.URL.Path, controlPath)
		var answer any
		err := fmt.Errorf("%s: no such control route: %w", route, ErrNotFound)
		if c := s.controls[route]; c != nil {
			answer, err = c(io.LimitReader(r.Body, 1<<30), r.URL.Query())
		}
		status := http.StatusOK
		switch {
		case errors.Is(err, ErrNotFound):
			status, answer = http.StatusNotFound, map[string]string{"error": err.Error()}
		case err != nil:
			status, answer = http.StatusBadRequest, map[string]string{"error": err.Error()}
		case answer == nil:
			answer = map[string]bool{"ok": true}
		}
		write(w, JSON(status, answer))
	})
}

func (s *Server) setClock(in struct {
	Now     string `json:"now"`
	Advance string `json:"advance"`
}) error {
	if in.Now == "" && in.Advance == "" {
		return errors.New(`give "now" (RFC 3339) or "advance" (24h)`)
	}
	if in.Now != "" {
		t, err := time.Parse(time.RFC3339, in.Now)
		if err != nil {
			return err
		}
		s.SetNow(t)
	}
	if in.Advance != "" {
		d, err := time.ParseDuration(in.Advance)
		if err != nil {
			return err
		}
		s.Advance(d)
	}
	return nil
}
