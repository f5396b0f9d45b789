package entreztest

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

const maxConvertIDs = 200

var (
	isPMID  = regexp.MustCompile(`^\d+$`)
	isPMCID = regexp.MustCompile(`^(?i:PMC)\d+(\.\d+)?$`)
	isDOI   = regexp.MustCompile(`^10\.\d+/\S+$`)
	isMID   = regexp.MustCompile(`^[A-Z]+\d+$`)
)

type idconvRequest struct {
	Warnings []string `json:"warnings"`
	Format   string   `json:"format"`
	IDType   string   `json:"idtype"`
	IDs      []string `json:"ids"`
	Tool     string   `json:"tool,omitempty"`
	Email    string   `json:"email,omitempty"`
	Echo     string   `json:"echo"`
	Versions string   `json:"versions"`
	ShowAIID string   `json:"showaiid"`
}

// idconvRecord is a converted ID. Only here a PMID is a number; elsewhere it is text.
type idconvRecord struct {
	DOI         string `json:"doi,omitempty"`
	PMCID       string `json:"pmcid,omitempty"`
	PMID        int    `json:"pmid,omitempty"`
	RequestedID string `json:"requested-id"`
	Status      string `json:"status,omitempty"`
	Message     string `json:"errmsg,omitempty"`
}

type idconvReply struct {
	Status  string         `json:"status"`
	Date    string         `json:"response-date"`
	Request idconvRequest  `json:"request"`
	Message string         `json:"message,omitempty"`
	Records []idconvRecord `json:"records"`
}

// idconv answers the PMC ID converter (tools/idconv/api/v1/articles). It only converts IDs of
// articles in PMC. IDs of different kinds return status 400.
func (s *Server) idconv(c *call) reply {
	ids := strings.FieldsFunc(c.get("ids"), func(r rune) bool { return r == ',' || r == ' ' })
	kind := c.get("idtype")
	out := idconvReply{
		Status: "ok", Date: s.Now().Format("2006-01-02 15:04:05"),
		Request: idconvRequest{
			Warnings: []string{}, Format: "json", IDs: nonNil(ids), Tool: c.get("tool"), Email: c.get("email"),
			Echo: "ids=" + strings.Join(ids, ","), Versions: "no", ShowAIID: "no",
		},
		Records: []idconvRecord{},
	}
	if c.get("tool") == "" || c.get("email") == "" {
		out.Request.Warnings = append(out.Request.Warnings, "please provide tool and email")
	}
	refuse := func(message string) reply {
		out.Status, out.Message = "error", message
		return jsonReply(http.StatusBadRequest, out)
	}
	switch {
	case len(ids) == 0:
		return refuse("The parameter ids is required")
	case len(ids) > maxConvertIDs:
		return refuse("Too many ids: at most 200 in one request")
	}
	if kind == "" {
		kind = kindOf(ids[0])
	}
	out.Request.IDType = kind
	for _, id := range ids {
		isBareNumber := kind == "pmcid" && isPMID.MatchString(id)
		if kind == "unknown" || kindOf(id) != kind && !isBareNumber {
			return refuse("Invalid id for idtype " + kind + ": " + id)
		}
	}
	if c.Fault != nil {
		ids = c.Fault.OnIDs(ids)
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	for _, id := range ids {
		rec := idconvRecord{RequestedID: id}
		r := s.convert(kind, id)
		switch {
		case r != nil && r.pmcid != "":
			rec.PMID, rec.PMCID, rec.DOI = int(r.pmid), r.pmcid, r.doi
		case kind == "pmid":
			rec.PMID, _ = strconv.Atoi(id) // digits, as checked above; 0 if out of range
			fallthrough
		default:
			rec.Status, rec.Message = "error", "Identifier not found in PMC"
			switch kind {
			case "pmcid":
				rec.PMCID = id
			case "doi":
				rec.DOI = id
			}
		}
		out.Records = append(out.Records, rec)
	}
	return jsonReply(http.StatusOK, out)
}

func kindOf(id string) string {
	switch {
	case isPMID.MatchString(id):
		return "pmid"
	case isPMCID.MatchString(id):
		return "pmcid"
	case isDOI.MatchString(id):
		return "doi"
	case isMID.MatchString(id):
		return "mid"
	}
	return "unknown"
}

func (s *Server) convert(kind, id string) *record {
	switch kind {
	case "pmid":
		return s.corpus.getID(id)
	case "pmcid":
		number, _, _ := strings.Cut(strings.TrimPrefix(strings.ToUpper(id), "PMC"), ".")
		return s.byPMC(number)
	}
	for _, o := range s.corpus.alive(s.corpus.terms["PID"][fold(id)]) {
		if r := s.corpus.records[o]; kind != "doi" || r.doi == strings.ToLower(id) {
			return r
		}
	}
	return nil
}
