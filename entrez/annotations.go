package entrez

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"biomcp/entrez/polite"
)

// annotateMost is how many articles PubTator3 exports in one GET.
const annotateMost = 100

// Annotations returns PubTator3's annotations of articles as BioC-JSON,
// {"PubTator3":[document,...]}, with a document for each that it has; package
// entrez/pubtator reads it. Articles that it does not have are absent.
func (c *Client) Annotations(ctx context.Context, pmids []string) ([]byte, error) {
	pmids, err := uids(bioc.op, pmids)
	if err != nil {
		return nil, err
	}
	export := biocExport{Documents: []json.RawMessage{}}
	for batch := range slices.Chunk(pmids, annotateMost) {
		r := newRequest(bioc)
		r.setIDs("pmids", batch)
		r.keep = func(body []byte) bool { // an article that is new may be annotated tomorrow
			docs, _, _ := parseAnnotations(body)
			return len(docs) >= len(batch)
		}
		body, err := c.send(ctx, r)
		var e *Error
		if errors.As(err, &e) && noneAnnotated(e) {
			continue
		}
		if err != nil {
			return nil, err
		}
		docs, problem, err := parseAnnotations(body)
		switch {
		case err != nil:
			return nil, r.unreadable(err)
		case problem != "":
			return nil, r.refused(problem)
		}
		export.Documents = append(export.Documents, docs...)
	}
	return json.Marshal(export)
}

type biocExport struct {
	Documents []json.RawMessage `json:"PubTator3"`
}

// noneAnnotated is PubTator3's way to say that it has none of the articles.
func noneAnnotated(e *Error) bool {
	return e.Status == http.StatusNotFound ||
		e.Status == http.StatusBadRequest && strings.Contains(e.Message, "Could not retrieve publications")
}

// parseAnnotations reads an export's documents, or what the service says is
// wrong where there are none.
func parseAnnotations(body []byte) (docs []json.RawMessage, problem string, err error) {
	var export struct {
		Documents       *[]json.RawMessage `json:"PubTator3"`
		Detail, Message text
	}
	if json.Unmarshal(polite.Mend(body), &export) != nil {
		return nil, "", errors.New("no JSON of the known shape")
	}
	if export.Documents != nil {
		return *export.Documents, "", nil
	}
	if problem = or(string(export.Detail), string(export.Message)); problem == "" {
		err = errors.New("it has no documents")
	}
	return nil, problem, err
}
