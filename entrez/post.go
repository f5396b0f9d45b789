package entrez

import (
	"context"
	"errors"
	"strings"
)

// History is a set of ids on NCBI's history server. It lives some hours.
type History struct {
	WebEnv, QueryKey string
	URL              string
}

// Post puts ids on the history server, where a Search with the WebEnv can use
// them as #1 (or whatever the QueryKey is). Other calls of this package send
// their ids along: PubMed gives out no more from a history than from a search,
// and what comes from one can be neither cached nor asked again after its death.
func (c *Client) Post(ctx context.Context, db string, ids []string) (*History, error) {
	ids, err := uids(epost.op, ids)
	if err != nil {
		return nil, err
	}
	r := newRequest(epost, "db", or(db, "pubmed"))
	r.setIDs("id", ids)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	out, err := parseHistory(body)
	if err != nil {
		return nil, r.unreadable(err)
	}
	out.URL = r.shown
	return out, nil
}

// parseHistory reads ePostResult (DTD ePost_020511).
func parseHistory(body []byte) (*History, error) {
	var x struct {
		XMLName          struct{} `xml:"ePostResult"`
		QueryKey, WebEnv string
	}
	if err := decodeXML(body, &x); err != nil {
		return nil, err
	}
	h := &History{WebEnv: strings.TrimSpace(x.WebEnv), QueryKey: strings.TrimSpace(x.QueryKey)}
	if h.WebEnv == "" || h.QueryKey == "" {
		return nil, errors.New("it names no history")
	}
	return h, nil
}
