package pubtator

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
)

// Concept is one that PubTator3 knows by a name. ID is in Database; that of a gene may
// be of another organism, and both are "" where PubTator3 does not say them.
type Concept struct {
	Accession string // @GENE_BRAF
	Type      string // gene, disease, chemical, variant, species, cellline
	Database  string // ncbi_gene, ncbi_mesh, ...
	ID        string
	Name      string
	Match     string // how it matched: "Matched on name BRAF"
}

// complete answers a list; nothing found is an empty one.
var complete = polite.Endpoint{Op: "autocomplete", Path: "entity/autocomplete/", Form: polite.JSON, MaxBytes: 1 << 20, TTL: 24 * time.Hour, Needs: []string{"#.name"}}

var marked = pattern.Lazy(`</?m>`)

// wireConcept is a concept as it comes.
type wireConcept struct {
	Accession ncbi.Text `json:"_id"`
	Type      ncbi.Text `json:"biotype"`
	Database  ncbi.Text `json:"db"`
	ID        ncbi.Text `json:"db_id"`
	Name      ncbi.Text `json:"name"`
	Match     ncbi.Text `json:"match"`
}

// Concepts returns the concepts that a phrase names, or begins the name of, in the order
// of the service. The error is a *polite.Error.
func Concepts(ctx context.Context, c *polite.Client, phrase string, limit int) ([]Concept, error) {
	if strings.TrimSpace(phrase) == "" {
		return nil, polite.Invalidf(complete.Op, "there is no phrase")
	}
	call := polite.NewCall(complete, "query", phrase, "limit", strconv.Itoa(limit))
	body, err := c.To(&Source).Do(ctx, call)
	if err != nil {
		return nil, err
	}
	var found []wireConcept
	if json.Unmarshal(polite.Mend(body), &found) != nil {
		return nil, call.Unreadable(errors.New("no list of concepts"))
	}
	out := []Concept{}
	for _, f := range found {
		if f.Name != "" && f.Type != "" {
			match := strings.TrimSpace(marked().ReplaceAllString(string(f.Match), ""))
			out = append(out, Concept{string(f.Accession), strings.ToLower(string(f.Type)), string(f.Database), string(f.ID), string(f.Name), match})
		}
	}
	return out, nil
}
