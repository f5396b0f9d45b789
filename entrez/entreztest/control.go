package entreztest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// control answers the routes by which another process steers the server; doc.go
// lists them. It is neither counted nor limited.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, controlPath)
	var answer any = struct {
		OK bool `json:"ok"`
	}{true}
	var err error
	if r.Method == http.MethodGet {
		answer, err = s.state(name, r)
	} else {
		err = s.command(name, r, &answer)
	}
	status := http.StatusOK
	if err != nil {
		status = http.StatusBadRequest
		if errors.Is(err, errNotHeld) || errors.Is(err, errNoRoute) {
			status = http.StatusNotFound
		}
		answer = struct {
			Error string `json:"error"`
		}{err.Error()}
	}
	write(w, jsonReply(status, answer))
}

var errNoRoute = errors.New("no such control route")

// State is what GET /control/state answers.
type State struct {
	Now      time.Time `json:"now"`
	Records  int       `json:"records"`
	Requests int       `json:"requests"`
	Limited  int       `json:"limited"` // answered 429
}

func (s *Server) state(name string, r *http.Request) (any, error) {
	switch name {
	case "state":
		return State{s.Now(), s.Len(), s.Count(), s.Limited()}, nil
	case "requests":
		return s.Requests(r.URL.Query()["endpoint"]...), nil
	case "record":
		pmid := r.URL.Query().Get("pmid")
		raw := s.Raw(pmid)
		if raw == nil {
			return nil, notHeld(pmid)
		}
		return struct {
			XML string `json:"xml"`
		}{string(raw)}, nil
	}
	return nil, fmt.Errorf("GET %s: %w", name, errNoRoute)
}

// command carries one command out.
func (s *Server) command(name string, r *http.Request, answer *any) error {
	body := io.LimitReader(r.Body, 1<<30)
	read := func(into any) error {
		d := json.NewDecoder(body)
		d.DisallowUnknownFields()
		return d.Decode(into)
	}
	switch name {
	case "records":
		return s.Add(body)
	case "jats":
		data, err := io.ReadAll(body)
		if err == nil {
			_, err = s.AddJATS(data)
		}
		return err
	case "pubtator":
		data, err := io.ReadAll(body)
		if err == nil {
			_, err = s.AddPubTator(data)
		}
		return err
	case "delete":
		var in struct {
			PMIDs []string `json:"pmids"`
		}
		err := read(&in)
		if err == nil {
			*answer = struct {
				Deleted []string `json:"deleted"`
			}{s.Delete(in.PMIDs...)}
		}
		return err
	case "revise":
		var in struct {
			PMID string `json:"pmid"`
			Revision
		}
		if err := read(&in); err != nil {
			return err
		}
		return s.Revise(in.PMID, in.Revision)
	case "retract":
		var in struct {
			PMID   string `json:"pmid"`
			Notice string `json:"notice_pmid"`
		}
		if err := read(&in); err != nil {
			return err
		}
		return s.Retract(in.PMID, in.Notice)
	case "withhold":
		var in struct {
			PMCID string `json:"pmcid"`
		}
		err := read(&in)
		if err == nil {
			s.Withhold(in.PMCID)
		}
		return err
	case "heading":
		var in Heading
		if err := read(&in); err != nil {
			return err
		}
		return s.SetHeading(in)
	case "clock":
		return s.setClock(read)
	case "faults":
		var in []Fault
		if err := read(&in); err != nil {
			return err
		}
		return s.Fail(in...)
	case "behave":
		s.Behave()
	case "release":
		s.Release()
	case "kill-history":
		s.KillHistory()
	case "forget":
		s.Forget()
	default:
		return fmt.Errorf("POST %s: %w", name, errNoRoute)
	}
	return nil
}

func (s *Server) setClock(read func(any) error) error {
	var in struct {
		Now     string `json:"now"`
		Advance string `json:"advance"`
	}
	if err := read(&in); err != nil {
		return err
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
	if in.Now == "" && in.Advance == "" {
		return errors.New(`give "now" (RFC 3339) or "advance" (24h)`)
	}
	return nil
}
