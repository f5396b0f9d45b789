package entrez

import (
	"cmp"
	"context"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
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
		return nil, polite.Invalidf(espell.Op, "a spelling needs a term")
	}
	r := polite.NewCall(espell, "db", cmp.Or(db, "pubmed"), "term", term)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	out, err := parseSpelling(body)
	if err != nil {
		return nil, r.Unreadable(err)
	}
	out.Query, out.URL = term, r.URL
	return out, nil
}

// spellReply is eSpellResult.
type spellReply struct {
	XMLName        struct{} `xml:"eSpellResult"`
	CorrectedQuery string
}

// parseSpelling reads eSpellResult (DTD eSpell).
func parseSpelling(body []byte) (*Spelling, error) {
	var x spellReply
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	return &Spelling{Corrected: strings.TrimSpace(x.CorrectedQuery)}, nil
}
