// Package drug finds drugs by their names in RxNorm and, for research codes and drugs that are not marketed
// in the United States, in MeSH.
//
// A brand, a salt or a research code does not name a substance: [Client.Find] returns a [resolve.Miss]
// that names the substance or the combination.
package drug

import (
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
)

// A Drug is a substance or a combination of several. Lists may be nil.
type Drug struct {
	Name        string          `json:"name"`  // substance name: imatinib; combination: "sacubitril / valsartan"
	RxCUI       string          `json:"rxcui"` // id in RxNorm, "" if it is in MeSH alone
	MeSH        string          `json:"mesh"`  // id of the substance in MeSH, "" if it is in RxNorm
	Brands      []string        `json:"brands"`
	Synonyms    []string        `json:"synonyms"`    // its salts in RxNorm, or its other names in MeSH
	Routes      []string        `json:"routes"`      // routes of its products in RxNorm: Oral
	Ingredients []rxnav.Concept `json:"ingredients"` // one substance, or the parts of a combination
	Brand       string          `json:"brand"`       // the word that was looked up, if FollowBrands resolved it
	URL         string          `json:"url"`
}

// Labels of the sources.
const (
	RxNormLabel = "RxNorm"
	MeSHLabel   = "MeSH"
)

// Web pages of a concept in RxNorm and in MeSH, without its id.
const (
	RxNormPage = "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm="
	MeSHPage   = "https://meshb.nlm.nih.gov/record/ui?ui="
)

// A Client finds drugs. It may be used by several goroutines once its fields are set.
type Client struct {
	// FollowBrands makes Find return the combination that a word is a brand of, instead of a miss.
	FollowBrands bool

	rxnorm *rxnav.Client
	ncbi   *entrez.Client
}

// New returns a client that sends its requests through network.
func New(network *httpclient.Client) *Client {
	return &Client{rxnorm: rxnav.New(network), ncbi: entrez.New(network)}
}

// Find returns the drug called word. The error is a [*resolve.Miss] unless ctx was cancelled. Find takes
// at most three requests, and one more for a combination whose parts are not in RxNorm's order.
func (c *Client) Find(ctx context.Context, word string) (*Drug, error) {
	d, miss, err := c.find(ctx, word)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, &resolve.Miss{Kind: resolve.Unavailable, Entity: "drug", Word: word, Err: err}
	case miss != nil:
		return nil, miss
	}
	return d, nil
}

func (c *Client) find(ctx context.Context, word string) (*Drug, *resolve.Miss, error) {
	if strings.TrimSpace(word) == "" {
		return nil, notFound(word), nil
	}
	ids, err := c.rxnorm.Find(ctx, word)
	if written := combination(word); err == nil && len(ids) == 0 && written != "" {
		ids, err = c.rxnorm.Find(ctx, written)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		return c.findInMeSH(ctx, word)
	}
	return c.concept(ctx, ids[0], word, c.FollowBrands)
}

func notFound(word string) *resolve.Miss { return resolve.AliasOf("drug", word, "", "") }

// nameTypes maps the types of RxNorm concepts that are not drugs here to types of names.
var nameTypes = map[string]resolve.NameType{"BN": resolve.Brand, "PIN": resolve.Salt}

// relatives groups the concepts related to one in RxNorm.
type relatives struct {
	itself                            bool // the concept is a substance or a combination
	name                              string
	nameType                          resolve.NameType
	ingredients, combinations, brands []rxnav.Concept
	salts                             []string
}

// relativesOf groups concepts, which are related to the concept id called word.
func relativesOf(concepts []rxnav.Concept, id, word string) *relatives {
	r := &relatives{name: strings.ToLower(word), nameType: resolve.Synonym}
	for _, c := range concepts {
		if t, is := nameTypes[c.TTY]; is && (c.RxCUI == id || resolve.Fold(c.Name) == resolve.Fold(word)) {
			r.nameType = t
		}
		if c.RxCUI == id && (c.TTY == "IN" || c.TTY == "MIN") {
			r.itself, r.name = true, c.Name
		}
		switch c.TTY {
		case "IN":
			r.ingredients = append(r.ingredients, c)
		case "MIN":
			r.combinations = append(r.combinations, c)
		case "BN":
			r.brands = append(r.brands, c)
		case "PIN":
			r.salts = append(r.salts, c.Name)
		}
	}
	return r
}

// concept returns the drug with an id in RxNorm, which is called word, or the miss of a word that is a
// name of another concept. If follow is true, a brand of a combination gives the combination.
func (c *Client) concept(ctx context.Context, id, word string, follow bool) (*Drug, *resolve.Miss, error) {
	related, err := c.rxnorm.RelatedConcepts(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	r := relativesOf(related, id, word)
	if parts := max(1, len(r.ingredients)); r.itself || len(r.ingredients) == 0 {
		d := &Drug{
			Name: r.name, RxCUI: id, URL: RxNormPage + id, Synonyms: r.salts, Ingredients: r.ingredients,
			Brands: brandsOf(r.brands, related, parts), Routes: routesOf(related, parts),
		}
		if len(r.ingredients) == 0 {
			d.Ingredients = []rxnav.Concept{{RxCUI: id, Name: d.Name}}
		}
		return d, nil, nil
	}
	matches, combined := r.ingredients, len(r.ingredients) > 1 && len(r.combinations) > 0
	if combined {
		matches = r.combinations
	}
	combined = combined && len(matches) == 1
	if combined && follow && r.nameType == resolve.Brand {
		d, _, err := c.concept(ctx, matches[0].RxCUI, matches[0].Name, false)
		if d != nil {
			d.Brand = word
		}
		return d, nil, err
	}
	var candidates []resolve.Candidate
	for _, m := range matches {
		candidates = append(candidates, resolve.Candidate{Symbol: m.Name, Name: m.Name, ID: m.RxCUI})
	}
	miss := resolve.AliasOf("drug", word, r.nameType, RxNormLabel, candidates...)
	miss.Combination = combined
	return nil, miss, nil
}

// separators matches the text between the ingredients of a combination.
var separators = pattern.Lazy(`(?i)\s*[/+]\s*|\s+(?:and|with)\s+`)

// combination returns a combination's name in RxNorm's form: the ingredients in alphabetical
// order, separated by " / ". It returns "" for a single ingredient.
func combination(name string) string {
	parts := separators().Split(strings.ToLower(strings.TrimSpace(name)), -1)
	if len(parts) < 2 || slices.Contains(parts, "") {
		return ""
	}
	slices.Sort(parts)
	return strings.Join(parts, " / ")
}

// brandsOf returns the brands of products with as many ingredients as the drug. RxNorm
// names a product by its ingredients, separated by " / ", and its brand at the end:
// "metformin / sitagliptin Oral Tablet [Janumet]". A brand without a product is kept.
func brandsOf(brands, related []rxnav.Concept, ingredients int) []string {
	same, other := map[string]bool{}, map[string]bool{}
	for _, c := range related {
		contents, brand, is := strings.Cut(strings.TrimSuffix(c.Name, "]"), " [")
		switch {
		case !is || strings.HasPrefix(contents, "{"): // no product, or a pack of several
		case strings.Count(contents, " / ")+1 == ingredients:
			same[brand] = true
		default:
			other[brand] = true
		}
	}
	out := []string{}
	for _, b := range brands {
		if same[b.Name] || !other[b.Name] {
			out = append(out, b.Name)
		}
	}
	return out
}

// routesOf returns the routes of the products with the given number of ingredients, such as "Oral" of
// "fictinib Oral Product". A route that only other products have is not the drug's.
func routesOf(related []rxnav.Concept, ingredients int) []string {
	same, other, out := map[string]bool{}, map[string]bool{}, []string{}
	group := func(name string) string { // "Oral Product" of "fictinib / other Oral Product"
		for _, c := range related {
			if c.TTY == "DFG" && strings.HasSuffix(name, " "+c.Name) {
				return c.Name
			}
		}
		return ""
	}
	for _, c := range related {
		if c.TTY == "SCDG" {
			if strings.Count(c.Name, " / ")+1 == ingredients {
				same[group(c.Name)] = true
			} else {
				other[group(c.Name)] = true
			}
		}
	}
	for _, c := range related {
		route, is := strings.CutSuffix(c.Name, " Product")
		if c.TTY == "DFG" && is && (same[c.Name] || !other[c.Name]) && !slices.Contains(out, route) {
			out = append(out, route)
		}
	}
	return out
}

// isSubstance reports whether a MeSH tree number belongs to a chemical that may be a drug.
// Among enzymes (D08.811) and proteins (D12.776), which are mostly targets of drugs, only
// antibodies may.
func isSubstance(n string) bool {
	enzymeOrProtein := strings.HasPrefix(n, "D08.811") || strings.HasPrefix(n, "D12.776")
	antibody := strings.HasPrefix(n, "D12.776.124.486.485.114") || strings.HasPrefix(n, "D12.776.377.715.548.114")
	return strings.HasPrefix(n, "D") && (!enzymeOrProtein || antibody)
}

// findInMeSH looks for word among the substances of MeSH, which has research codes and drugs that
// RxNorm lacks.
func (c *Client) findInMeSH(ctx context.Context, word string) (*Drug, *resolve.Miss, error) {
	terms, err := c.ncbi.MeshTerms(ctx, `"`+strings.ReplaceAll(word, `"`, " ")+`"`, 0, 20)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range terms.Items {
		switch {
		case !strings.HasPrefix(t.UI, "C") && !slices.ContainsFunc(t.TreeNumbers, isSubstance):
		case resolve.Fold(t.Name) == resolve.Fold(word):
			return &Drug{
				Name: t.Name, MeSH: t.UI, Synonyms: t.EntryTerms, URL: MeSHPage + t.UI,
				Ingredients: []rxnav.Concept{{Name: t.Name}},
			}, nil, nil
		case resolve.ContainsFolded(t.EntryTerms, word):
			nameType := resolve.Synonym
			if strings.ContainsAny(word, "0123456789") {
				nameType = resolve.ResearchCode
			}
			return nil, resolve.AliasOf("drug", word, nameType, MeSHLabel,
				resolve.Candidate{Symbol: strings.ToLower(t.Name), Name: t.Name, ID: t.UI}), nil
		}
	}
	return nil, notFound(word), terms.Unread
}
