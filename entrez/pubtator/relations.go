package pubtator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/polite"
)

// Related is a concept that PubTator3 read to be related to another in some articles.
type Related struct {
	Relation  string // treat, negative_correlate, ...
	Accession string // @CHEMICAL_Vemurafenib
	Articles  int
}

// Name is the name in the accession.
func (r Related) Name() string {
	_, name, _ := strings.Cut(r.Accession, "_")
	return strings.ReplaceAll(name, "_", " ")
}

// relations answers a list of {type, source, target, publications}; the concept that
// was asked for may be at either end
// (https://www.ncbi.nlm.nih.gov/research/pubtator3/api, Find Related Entities).
var relations = polite.Endpoint{Op: "relations", Path: "relations", Form: polite.JSON, MaxBytes: 16 << 20, TTL: 7 * 24 * time.Hour, Needs: []string{"#.source"}}

// Relations are the concepts of a type (Chemical, Disease, Gene, Variant) that have a
// relation to one, such as @GENE_BRAF, the concepts in most articles first; none if
// PubTator3 does not know it. The error is a *polite.Error.
func Relations(ctx context.Context, c *polite.Client, accession, relation, others string) ([]Related, error) {
	call := polite.NewCall(relations, "e1", accession, "type", relation, "e2", others)
	body, err := c.To(&Source).Do(ctx, call)
	if polite.IsKind(err, polite.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var reply list[wireRelation]
	if json.Unmarshal(polite.Mend(body), &reply) != nil {
		return nil, call.Unreadable(errors.New("no list of relations"))
	}
	var out []Related
	for _, r := range reply {
		other := string(r.Target)
		if strings.EqualFold(other, accession) {
			other = string(r.Source)
		}
		if strings.HasPrefix(other, "@") {
			out = append(out, Related{string(r.Type), other, int(r.Articles)})
		}
	}
	slices.SortStableFunc(out, func(a, b Related) int { return cmp.Compare(b.Articles, a.Articles) })
	return out, nil
}
