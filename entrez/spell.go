package entrez

import (
	"context"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// Spell returns how ESpell would rather read a query to PubMed, "" where it has nothing
// better.
func (c *Client) Spell(ctx context.Context, term string) (string, error) {
	if strings.TrimSpace(term) == "" {
		return "", polite.Invalidf("a spelling needs a term")
	}
	return ask(ctx, c, polite.NewCall(espell, "db", "pubmed", "term", term), parseSpelling)
}

// spellReply is eSpellResult.
type spellReply struct {
	XMLName        struct{} `xml:"eSpellResult"`
	CorrectedQuery string
}

// parseSpelling reads eSpellResult (DTD eSpell).
func parseSpelling(body []byte) (string, error) {
	var x spellReply
	err := ncbi.DecodeXML(body, &x)
	return strings.TrimSpace(x.CorrectedQuery), err
}
