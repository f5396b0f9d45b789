package pubtator

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// RelatedConcept is a concept that PubTator3's text mining relates to another one in some articles.
type RelatedConcept struct {
	Relation  string // treat, negative_correlate, ...
	Accession string // @CHEMICAL_Vemurafenib
	Articles  int
}

// Name returns the name in the accession.
func (r RelatedConcept) Name() string {
	_, name, _ := strings.Cut(r.Accession, "_")
	return strings.ReplaceAll(name, "_", " ")
}

// relations is the endpoint for relations. It returns a list of {type, source, target,
// publications}; the requested concept may be source or target
// (https://www.ncbi.nlm.nih.gov/research/pubtator3/api, Find Related Entities).
var relations = httpclient.Endpoint{Op: "relations", Path: "relations", Form: httpclient.JSON, MaxBytes: 16 << 20,
	TTL: 7 * 24 * time.Hour, Needs: []string{"#.source"}}

// Relations returns the concepts of a type (Chemical, Disease, Gene, Variant) that are related to a
// concept such as @GENE_BRAF, those in most articles first. It returns none if PubTator3 does not
// know the concept. The error is a *httpclient.Error.
func Relations(ctx context.Context, c *httpclient.Client, accession, relation, kind string) ([]RelatedConcept, error) {
	call := httpclient.NewCall(relations, "e1", accession, "type", relation, "e2", kind)
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	if httpclient.IsKind(err, httpclient.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := objects(reply, "@this")
	var out []RelatedConcept
	for _, r := range all {
		other := text(r, "target")
		if strings.EqualFold(other, accession) {
			other = text(r, "source")
		}
		if strings.HasPrefix(other, "@") {
			out = append(out, RelatedConcept{text(r, "type"), other, number(r, "publications")})
		}
	}
	if len(out) == 0 && len(all) > 0 {
		return nil, call.UnreadableError(errors.New("relations without the other concept"))
	}
	slices.SortStableFunc(out, func(a, b RelatedConcept) int { return cmp.Compare(b.Articles, a.Articles) })
	return out, nil
}

// Concept is a concept of PubTator3. ID is its identifier in Database; a gene may belong to another
// organism. Both are "" if PubTator3 does not state them.
type Concept struct {
	Accession string // @GENE_BRAF
	Type      string // gene, disease, chemical, variant, species, cellline
	Database  string // ncbi_gene, ncbi_mesh, ...
	ID        string
	Name      string
	Match     string // the reason for the match: "Matched on name BRAF"
}

// autocomplete is the autocompletion endpoint. It returns a list, which is empty if there is no
// match.
var autocomplete = httpclient.Endpoint{Op: "autocomplete", Path: "entity/autocomplete/", Form: httpclient.JSON,
	MaxBytes: 1 << 20, TTL: 24 * time.Hour, Needs: []string{"#.name"}}

var markTag = pattern.Lazy(`</?m>`)

// Concepts returns the concepts whose name is or begins with phrase, in the order of the service.
// The error is a *httpclient.Error.
func Concepts(ctx context.Context, c *httpclient.Client, phrase string, limit int) ([]Concept, error) {
	if strings.TrimSpace(phrase) == "" {
		return nil, httpclient.Invalidf("the phrase is empty")
	}
	call := httpclient.NewCall(autocomplete, "query", phrase, "limit", strconv.Itoa(limit))
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	if err != nil {
		return nil, err
	}
	found := reply.Each("@this")
	out := []Concept{}
	for _, f := range found {
		if name, kind := f.Text("name"), f.Text("biotype"); name != "" && kind != "" {
			match := strings.TrimSpace(markTag().ReplaceAllString(f.Text("match"), ""))
			out = append(out, Concept{f.Text("_id"), strings.ToLower(kind), f.Text("db"), f.Text("db_id"), name, match})
		}
	}
	if len(out) == 0 && len(found) > 0 {
		return nil, call.UnreadableError(errors.New("concepts without a type"))
	}
	return out, nil
}
