package entrez

import (
	"context"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// Spell returns ESpell's correction of a PubMed query, or "" if it has none.
func (c *Client) Spell(ctx context.Context, term string) (string, error) {
	if strings.TrimSpace(term) == "" {
		return "", httpclient.Invalidf("the spelling check requires a term")
	}
	return ask(ctx, c, httpclient.NewCall(espell, "db", "pubmed", "term", term), parseSpelling)
}

// spellReply is an eSpellResult.
type spellReply struct {
	XMLName        struct{} `xml:"eSpellResult"`
	CorrectedQuery string
}

// parseSpelling parses eSpellResult (DTD eSpell).
func parseSpelling(body []byte) (string, error) {
	var x spellReply
	err := ncbi.DecodeXML(body, &x)
	return strings.TrimSpace(x.CorrectedQuery), err
}
