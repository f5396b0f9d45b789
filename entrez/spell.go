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
type Spelling struct{ Corrected string }

// Spell asks for a better spelling of a query in a database ("" is pubmed).
func (c *Client) Spell(ctx context.Context, db, term string) (*Spelling, error) {
	if strings.TrimSpace(term) == "" {
		return nil, polite.Invalidf(espell.Op, "a spelling needs a term")
	}
	r := polite.NewCall(espell, "db", cmp.Or(db, "pubmed"), "term", term)
	return ask(ctx, c, r, parseSpelling)
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
