package diagnostic

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/ncbi"
	"biomcp/store/table/sets"
)

// searchLive asks GTR for a page of tests.
func searchLive(ctx context.Context, app *command.App, term string, offset, limit int) (*eutils.Found, []Test, error) {
	found, err := eutils.Find(ctx, app.Entrez(), entrez.SearchParams{
		DB: "gtr", Term: term, RetStart: offset, RetMax: limit, AllowMissing: true,
	})
	if err != nil {
		return nil, nil, err
	}
	return found, result.Map(found.Docs.Items, func(doc entrez.Doc) Test { return testOf(doc.Object, now(app)) }), nil
}

// testOf converts a DocSum of db=gtr. It was written without a recorded DocSum: lists may
// hold texts, or objects with a name.
func testOf(s ncbi.Object, asOf string) Test {
	accession, _, _ := strings.Cut(s.Text("accession"), ".")
	t := Test{
		Accession: accession, Name: s.Text("testname"), Type: s.Text("testtype"),
		Methods: texts(s.Get("method"), "name"),
		Lab:     s.Text("offerer"), Country: strings.Join(texts(s.Get("offererlocation"), "country"), ", "),
		Source: "GTR", Route: live, AsOf: asOf, URL: address(accession),
	}
	for _, list := range []string{"genelist", "analytes"} {
		if len(t.Genes) > 0 {
			break
		}
		for _, a := range s.Each(list) {
			if kind := strings.ToLower(a.Text("analytetype")); a.Text("name") != "" && (kind == "" || kind == "gene") {
				t.Genes = append(t.Genes, a.Text("name"))
			}
		}
	}
	t.Conditions = result.Map(s.Each("conditionlist"), func(c ncbi.Object) sets.Condition {
		return sets.Condition{Name: c.Text("name"), CUI: c.Text("cui")}
	})
	return t
}

// texts returns the texts in v: a text, the member called name of an object, or those of a
// list of either.
func texts(v gjson.Result, name string) []string {
	out := []string{}
	switch {
	case v.IsArray():
		for _, item := range v.Array() {
			out = append(out, texts(item, name)...)
		}
	case v.IsObject():
		out = texts(v.Get(name), name)
	case v.String() != "":
		out = append(out, v.String())
	}
	return out
}
