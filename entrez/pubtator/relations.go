package pubtator

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
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
var relations = polite.Endpoint{Op: "relations", Path: "relations", Form: polite.JSON, MaxBytes: 16 << 20,
	TTL: 7 * 24 * time.Hour, Needs: []string{"#.source"}}

// Relations are the concepts of a type (Chemical, Disease, Gene, Variant) that have a
// relation to one, such as @GENE_BRAF, the concepts in most articles first; none if
// PubTator3 does not know it. The error is a *polite.Error.
func Relations(ctx context.Context, c *polite.Client, accession, relation, others string) ([]Related, error) {
	call := polite.NewCall(relations, "e1", accession, "type", relation, "e2", others)
	reply, err := ncbi.Ask(ctx, c.To(&Source), call)
	if polite.IsKind(err, polite.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := objects(reply, "@this")
	var out []Related
	for _, r := range all {
		other := text(r, "target")
		if strings.EqualFold(other, accession) {
			other = text(r, "source")
		}
		if strings.HasPrefix(other, "@") {
			out = append(out, Related{text(r, "type"), other, whole(r, "publications")})
		}
	}
	if len(out) == 0 && len(all) > 0 {
		return nil, call.Unreadable(errors.New("relations without the other concept"))
	}
	slices.SortStableFunc(out, func(a, b Related) int { return cmp.Compare(b.Articles, a.Articles) })
	return out, nil
}

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
var complete = polite.Endpoint{Op: "autocomplete", Path: "entity/autocomplete/", Form: polite.JSON,
	MaxBytes: 1 << 20, TTL: 24 * time.Hour, Needs: []string{"#.name"}}

var marked = pattern.Lazy(`</?m>`)

// Concepts returns the concepts that a phrase names, or begins the name of, in the order
// of the service. The error is a *polite.Error.
func Concepts(ctx context.Context, c *polite.Client, phrase string, limit int) ([]Concept, error) {
	if strings.TrimSpace(phrase) == "" {
		return nil, polite.Invalidf("there is no phrase")
	}
	call := polite.NewCall(complete, "query", phrase, "limit", strconv.Itoa(limit))
	reply, err := ncbi.Ask(ctx, c.To(&Source), call)
	if err != nil {
		return nil, err
	}
	found := reply.Each("@this")
	out := []Concept{}
	for _, f := range found {
		if name, kind := f.Text("name"), f.Text("biotype"); name != "" && kind != "" {
			match := strings.TrimSpace(marked().ReplaceAllString(f.Text("match"), ""))
			out = append(out, Concept{f.Text("_id"), strings.ToLower(kind), f.Text("db"), f.Text("db_id"), name, match})
		}
	}
	if len(out) == 0 && len(found) > 0 {
		return nil, call.Unreadable(errors.New("concepts without a type"))
	}
	return out, nil
}
