package diagnostic

import (
	"context"
	"encoding/json"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/eutils"
	"biomcp/entrez"
	"biomcp/entrez/ncbi"
	"biomcp/store/table/sets"
)

// summary is what is read of a DocSum of the database gtr. No capture of a real one was
// at hand: its lists may be lists of texts or of objects with a name.
type summary struct {
	Accession  ncbi.Text       `json:"accession"`
	Name       ncbi.Text       `json:"testname"`
	Type       ncbi.Text       `json:"testtype"`
	Analytes   json.RawMessage `json:"analytes"`
	Genes      json.RawMessage `json:"genelist"`
	Conditions ncbi.Many[struct {
		Name ncbi.Text `json:"name"`
		CUI  ncbi.Text `json:"cui"`
	}] `json:"conditionlist"`
	Method   json.RawMessage `json:"method"`
	Offerer  ncbi.Text       `json:"offerer"`
	Location json.RawMessage `json:"offererlocation"`
}

// askLive asks GTR for a page.
func askLive(ctx context.Context, app *command.App, term string, offset, limit int) (*eutils.Found, []test, error) {
	client, err := app.Entrez()
	if err != nil {
		return nil, nil, err
	}
	found, err := eutils.Find(ctx, client, entrez.SearchParams{DB: "gtr", Term: term, RetStart: offset, RetMax: limit})
	if err != nil {
		return nil, nil, err
	}
	tests := []test{}
	for _, doc := range found.Docs.Items {
		var s summary
		if err := doc.Decode(&s); err != nil {
			return nil, nil, err
		}
		tests = append(tests, s.test(now(app)))
	}
	return found, tests, nil
}

func (s *summary) test(asOf string) test {
	accession, _, _ := strings.Cut(string(s.Accession), ".")
	t := test{
		Accession: accession, Name: string(s.Name), Type: string(s.Type), Genes: []string{}, Conditions: []sets.Condition{}, Methods: texts(s.Method, "name"),
		Lab: string(s.Offerer), Country: strings.Join(texts(s.Location, "country"), ", "), Source: "GTR", Route: live, AsOf: asOf, URL: address(accession),
	}
	for _, list := range []json.RawMessage{s.Genes, s.Analytes} {
		var analytes []struct {
			Type ncbi.Text `json:"analytetype"`
			Name ncbi.Text `json:"name"`
		}
		if len(t.Genes) > 0 || json.Unmarshal(list, &analytes) != nil {
			continue
		}
		for _, a := range analytes {
			if kind := strings.ToLower(string(a.Type)); a.Name != "" && (kind == "" || kind == "gene") {
				t.Genes = append(t.Genes, string(a.Name))
			}
		}
	}
	for _, c := range s.Conditions {
		t.Conditions = append(t.Conditions, sets.Condition{Name: string(c.Name), CUI: string(c.CUI)})
	}
	return t
}

// texts are the texts of a value: a text, or the member of that name of an object, or
// those of a list of either.
func texts(raw json.RawMessage, name string) []string {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	out := []string{}
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for _, item := range list {
			out = append(out, texts(item, name)...)
		}
	case json.Unmarshal(raw, &object) == nil:
		if len(object[name]) > 0 {
			out = texts(object[name], name)
		}
	default:
		var t ncbi.Text
		if json.Unmarshal(raw, &t) == nil && t != "" {
			out = append(out, string(t))
		}
	}
	return out
}
