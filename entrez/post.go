package entrez

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// History is a set of ids on NCBI's history server. It lives some hours.
type History struct{ WebEnv, QueryKey string }

// Post puts ids on the history server, where a Search with the WebEnv can use
// them as #1 (or whatever the QueryKey is). Other calls of this package send
// their ids along: PubMed gives out no more from a history than from a search,
// and what comes from one can be neither cached nor asked again after its death.
func (c *Client) Post(ctx context.Context, db string, ids []string) (*History, error) {
	ids, err := ncbi.UIDs(epost.Op, ids)
	if err != nil {
		return nil, err
	}
	r := polite.NewCall(epost, "db", cmp.Or(db, "pubmed"))
	setIDs(r, ids)
	return ask(ctx, c, r, parseHistory)
}

// postReply is ePostResult.
type postReply struct {
	XMLName          struct{} `xml:"ePostResult"`
	QueryKey, WebEnv string
}

// parseHistory reads ePostResult (DTD ePost_020511).
func parseHistory(body []byte) (*History, error) {
	var x postReply
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	h := &History{WebEnv: strings.TrimSpace(x.WebEnv), QueryKey: strings.TrimSpace(x.QueryKey)}
	if h.WebEnv == "" || h.QueryKey == "" {
		return nil, errors.New("it names no history")
	}
	return h, nil
}
