package entreztest

import (
	"io"
	"net/url"

	"biomcp/entrez/sourcetest"
)

// A State is the reply to GET /control/state.
type State struct {
	sourcetest.State
	Records int `json:"records"`
}

// controls adds the routes for records, which doc.go lists.
func (s *Server) controls() {
	s.filesControls()
	s.Handle("GET state", func(io.Reader, url.Values) (any, error) { return State{s.Server.State(), s.Len()}, nil })
	s.Handle("GET record", func(_ io.Reader, q url.Values) (any, error) {
		raw := s.Raw(q.Get("pmid"))
		if raw == nil {
			return nil, notHeld(q.Get("pmid"))
		}
		return map[string]string{"xml": string(raw)}, nil
	})
	s.Handle("POST records", func(body io.Reader, _ url.Values) (any, error) { return nil, s.Add(body) })
	text := func(add func([]byte) error) sourcetest.Control {
		return func(body io.Reader, _ url.Values) (any, error) {
			data, err := io.ReadAll(body)
			if err == nil {
				err = add(data)
			}
			return nil, err
		}
	}
	s.Handle("POST jats", text(func(data []byte) error { _, err := s.AddJATS(data); return err }))
	s.Handle("POST pubtator", text(func(data []byte) error { _, err := s.AddPubTator(data); return err }))
	type pmids struct {
		PMIDs []string `json:"pmids"`
	}
	s.Handle("POST delete", func(body io.Reader, q url.Values) (any, error) {
		var deleted []string
		_, err := sourcetest.JSONControl(func(in pmids) error { deleted = s.Delete(in.PMIDs...); return nil })(body, q)
		return map[string][]string{"deleted": deleted}, err
	})
	type revision struct {
		PMID string `json:"pmid"`
		Revision
	}
	s.Handle("POST revise", sourcetest.JSONControl(func(in revision) error { return s.Revise(in.PMID, in.Revision) }))
	type retraction struct {
		PMID   string `json:"pmid"`
		Notice string `json:"notice_pmid"`
	}
	s.Handle("POST retract", sourcetest.JSONControl(func(in retraction) error { return s.Retract(in.PMID, in.Notice) }))
	type pmcid struct {
		PMCID string `json:"pmcid"`
	}
	s.Handle("POST withhold", sourcetest.JSONControl(func(in pmcid) error { s.Withhold(in.PMCID); return nil }))
	s.Handle("POST heading", sourcetest.JSONControl(s.SetHeading))
	s.Handle("POST kill-history", func(io.Reader, url.Values) (any, error) { s.KillHistory(); return nil, nil })
}
