package cli

import (
	"cmp"
	"context"
	"strings"

	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/medgen"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
)

// vocabularies are the sources of discover. Those with the best described concepts come first,
// because a later source adds to the concept of an earlier one.
var vocabularies = []struct {
	key, label string
	find       func(ctx context.Context, network *httpclient.Client, phrase string) ([]concept, error)
}{
	{"gene", "NCBI Gene", geneConcepts},
	{"medgen", "MedGen", medgenConcepts},
	{"mesh", "MeSH", meshConcepts},
	{"rxnorm", "RxNorm", rxnormConcepts},
	{"pubtator", "PubTator3", pubtatorConcepts},
}

// maxConcepts is the maximum number of records to read from each source. maxPartial is the
// maximum number of concepts per source whose names only contain the phrase.
const maxConcepts, maxPartial = 10, 2

// quotedPhrase quotes a phrase so that NCBI searches for it unchanged.
func quotedPhrase(phrase string) string {
	return `"` + strings.TrimSpace(strings.NewReplacer(`"`, " ", "*", " ", "[", " ", "]", " ").Replace(phrase)) + `"`
}

// matchName returns how a phrase matches a record: preferred if it is the first name, synonym if
// it is another one, "part of a name", or "". exact is true for the first two.
func matchName(phrase, preferred, synonym string, names []string) (kind string, exact bool) {
	all := " " + strings.ToLower(strings.Join(names, " | ")) + " "
	switch {
	case resolve.Fold(names[0]) == resolve.Fold(phrase):
		return preferred, true
	case resolve.ContainsFolded(names, phrase):
		return synonym, true
	case len(phrase) > 3 && strings.Contains(all, " "+strings.ToLower(phrase)+" "):
		return "part of a name", false
	}
	return "", false
}

// geneConcepts returns the human genes with the phrase as symbol, alias or full name.
func geneConcepts(ctx context.Context, network *httpclient.Client, phrase string) (out []concept, err error) {
	q := quotedPhrase(phrase)
	_, docs, err := entrez.New(network).FindDocs(ctx, entrez.SearchParams{
		DB: "gene", Term: "(" + q + "[PREF] OR " + q + "[GENE] OR " + q + "[GFN]) AND 9606[TID] AND alive[PROP]",
		RetMax: maxConcepts,
	})
	if err != nil {
		return nil, err
	}
	for _, d := range docs.Items {
		symbol, name := d.Text("name"), d.Text("description")
		kind, exact := matchName(phrase, "symbol", "alias", append([]string{symbol}, d.Split("otheraliases", ",")...))
		if resolve.Fold(name) == resolve.Fold(phrase) {
			kind, exact = "name", true
		}
		if !exact {
			continue
		}
		out = append(out, concept{
			Label: strings.TrimSuffix(symbol+": "+name, ": "), Type: "gene", ID: "NCBIGene:" + d.UID, Match: kind,
			exact: true, keys: []string{"gene " + strings.ToUpper(symbol)},
			lines: []result.Argv{{"get", "gene", symbol}, {"search", "article", "--gene", symbol}},
		})
	}
	return out, docs.Unread()
}

// medgenConcepts returns the MedGen concepts that match the phrase.
func medgenConcepts(ctx context.Context, network *httpclient.Client, phrase string) (out []concept, err error) {
	_, docs, err := entrez.New(network).FindDocs(ctx,
		entrez.SearchParams{DB: "medgen", Term: quotedPhrase(phrase), RetMax: maxConcepts})
	if err != nil {
		return nil, err
	}
	rank := 0
	for _, d := range docs.Items {
		m := medgen.ParseSummary(d)
		kind, exact := matchName(phrase, "name", "synonym", append([]string{m.Name}, m.Synonyms...))
		if rank++; kind == "" || m.Merged != "" || !exact && rank > maxPartial {
			continue
		}
		out = append(out, concept{
			Label: m.Name, Type: "disease", ID: "MedGen:" + m.CUI, Match: kind, exact: exact, keys: m.IDs,
			lines: []result.Argv{{"get", "disease", m.CUI}, {"search", "article", "--disease", m.Name}},
		})
	}
	return out, docs.Unread()
}

// meshConcepts returns the MeSH headings that match the phrase.
func meshConcepts(ctx context.Context, network *httpclient.Client, phrase string) (out []concept, err error) {
	terms, err := entrez.New(network).MeshTerms(ctx, quotedPhrase(phrase), 0, maxConcepts)
	if err != nil {
		return nil, err
	}
	rank := 0
	for _, t := range terms.Items {
		kind, exact := matchName(phrase, "heading", "entry term", append([]string{t.Name}, t.EntryTerms...))
		if rank++; kind == "" || !exact && rank > maxPartial {
			continue
		}
		out = append(out, concept{
			Label: t.Name, Type: "heading", ID: "MESH:" + t.UI, Match: kind, exact: exact,
			keys:  []string{"MESH:" + t.UI},
			lines: []result.Argv{{"search", "article", "--mesh", t.Name}, {"search", "mesh", t.Name}},
		})
	}
	return out, terms.Unread
}

// rxnormConcepts returns the substance, or combination of substances, whose brand, salt or
// own name the phrase is.
func rxnormConcepts(ctx context.Context, network *httpclient.Client, phrase string) ([]concept, error) {
	client := rxnav.New(network)
	ids, err := client.Find(ctx, phrase)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	related, err := client.RelatedConcepts(ctx, ids[0])
	if err != nil {
		return nil, err
	}
	kind := "name"
	var names []string
	for _, c := range related {
		switch {
		case c.TTY == "IN":
			names = append(names, c.Name)
		case c.TTY == "BN" && resolve.Fold(c.Name) == resolve.Fold(phrase):
			kind = "brand"
		}
	}
	name := strings.Join(names, " / ")
	if kind == "name" && resolve.Fold(name) != resolve.Fold(phrase) {
		kind = "synonym"
	}
	if name == "" {
		return nil, nil
	}
	return []concept{{
		Label: name, Type: "drug", ID: "RxNorm:" + ids[0], Match: kind, exact: true,
		keys:  []string{"drug " + strings.ToLower(name)},
		lines: []result.Argv{{"get", "drug", name}, {"search", "article", "--drug", name}},
	}}, nil
}

// pubtatorTypes maps the types of PubTator3 to ours if they differ.
var pubtatorTypes = map[string]string{"chemical": "drug"}

// pubtatorConcepts returns the concepts that PubTator3 finds for the phrase.
func pubtatorConcepts(ctx context.Context, network *httpclient.Client, phrase string) (out []concept, err error) {
	found, err := pubtator.Concepts(ctx, network, phrase, maxConcepts)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		kind := strings.ToLower(strings.TrimPrefix(f.Match, "Matched on "))
		name := f.Name
		if _, after, ok := strings.Cut(f.Match, "synonym "); ok {
			name = after
		}
		c := concept{
			Label: f.Name, Type: cmp.Or(pubtatorTypes[f.Type], f.Type), ID: f.Accession, Match: cmp.Or(kind, "name"),
			exact: resolve.Fold(name) == resolve.Fold(phrase),
			lines: []result.Argv{{"search", "article", "--keyword", f.Name}},
		}
		switch c.Type {
		case "gene": // the id may belong to another organism, so identify the gene by its symbol
			c.keys = []string{"gene " + strings.ToUpper(f.Name)}
			c.lines = []result.Argv{{"get", "gene", f.Name}, {"search", "article", "--gene", f.Name}}
		case "disease":
			c.lines = []result.Argv{{"get", "disease", f.Name}, {"search", "article", "--disease", f.Name}}
		case "drug":
			c.keys = []string{"drug " + strings.ToLower(f.Name)}
			c.lines = []result.Argv{{"get", "drug", f.Name}, {"search", "article", "--drug", f.Name}}
		}
		if words := cmp.Or(f.ID, f.Name); c.Type == "variant" {
			c.lines = []result.Argv{{"get", "variant", words}, {"search", "article", "--variant", words}}
		}
		if f.ID != "" && c.Type != "gene" {
			c.ID = f.ID
			if f.Database == "ncbi_mesh" {
				c.ID = "MESH:" + strings.TrimPrefix(f.ID, "MESH:")
			}
			c.keys = append(c.keys, c.ID)
		}
		if !c.exact && len(out) >= maxPartial {
			continue
		}
		out = append(out, c)
	}
	return out, nil
}
