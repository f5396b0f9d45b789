package entrez

import (
	"context"
	"strings"
)

// Spelling is what ESpell would rather have read. Corrected is empty where it
// has nothing better.
type Spelling struct {
	Query, Corrected string
	URL              string
}

// Spell asks for a better spelling of a query in a database ("" is pubmed).
func (c *Client) Spell(ctx context.Context, db, term string) (*Spelling, error) {
	if strings.TrimSpace(term) == "" {
		return nil, invalid(espell.op, "a spelling needs a term")
	}
	r := newRequest(espell, "db", or(db, "pubmed"), "term", term)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	out, err := parseSpelling(body)
	if err != nil {
		return nil, r.unreadable(err)
	}
	out.Query, out.URL = term, r.shown
	return out, nil
}

// parseSpelling reads eSpellResult (DTD eSpell).
func parseSpelling(body []byte) (*Spelling, error) {
	var x struct {
		XMLName        struct{} `xml:"eSpellResult"`
		CorrectedQuery string
	}
	if err := decodeXML(body, &x); err != nil {
		return nil, err
	}
	return &Spelling{Corrected: strings.TrimSpace(x.CorrectedQuery)}, nil
}
