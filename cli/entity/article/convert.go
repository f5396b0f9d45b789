package article

import (
	"cmp"
	"context"
	"errors"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// identifiers is one row of get ids. Unknown values are null.
type identifiers struct {
	Requested string  `json:"requested"`
	PMID      *string `json:"pmid"`
	PMCID     *string `json:"pmcid"`
	DOI       *string `json:"doi"`
	Retracted bool    `json:"retracted"`
}

// IDs returns the definition of the ids entity, which converts article identifiers.
func IDs() entity.Entity {
	return entity.Define(entity.Spec[identifiers]{
		Name: "ids", Also: []string{"id", "convert", "converter", "conversion", "idconv", "crossref"},
		Plural: "ids",
		IDs: entity.IDs{
			Words: "<pmid|pmcid|doi>...", Max: 200, Is: IsID, Of: "article", Listed: true, Check: checkArticleID,
			Join: joinLabels,
		},
		Label: "Identifiers", Sources: []string{"PMC ID converter", "PubMed ESummary"},
		Get: command.Command{
			Short: "Convert between PMID, PMCID and DOI",
			Help: command.Help{
				Surprises: "The PMC ID converter knows what is in PubMed Central; other articles are looked up " +
					"in PubMed itself.",
			},
			Examples: []command.Example{{
				Line: "biomcp get ids PMC3531190 10.1093/nar/gks1195 23193287",
				Does: "three names of one article",
			}},
		},
		Fetch: fetchIDs,
		Card: func(r *identifiers, _ entity.Asked) result.Doc {
			return result.Doc{result.Fields{
				{Name: "Asked for", Value: r.Requested}, {Name: "PMID", Value: cmp.Or(entity.Text(r.PMID), "-")},
				{Name: "PMCID", Value: cmp.Or(entity.Text(r.PMCID), "-")},
				{Name: "DOI", Value: cmp.Or(entity.Text(r.DOI), "-")},
			}}
		},
		Rows: entity.Rows[identifiers]{
			Columns: []string{"Asked for", "PMID", "PMCID", "DOI", "Retracted"},
			Row: func(r *identifiers) []string {
				return []string{
					r.Requested, entity.Text(r.PMID), entity.Text(r.PMCID), entity.Text(r.DOI), yes(r.Retracted),
				}
			},
		},
		Next: func(r *identifiers) []result.Argv {
			if r.PMID == nil {
				return nil
			}
			return []result.Argv{{"get", "article", *r.PMID}}
		},
	})
}

// fetchIDs asks the ID converter, and then PubMed for ids that it does not know.
func fetchIDs(
	ctx context.Context, in *command.Input, words []string, _ entity.Asked,
) (*entity.Found[identifiers], error) {
	parsed, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	client := in.App.Network()
	notices, problem := resolve(ctx, client, parsed)
	if errors.Is(problem, context.Canceled) {
		return nil, problem
	}
	found := &entity.Found[identifiers]{Notices: notices, Problem: problem}
	var pmids []string
	for _, id := range parsed {
		if id.pmid != "" {
			pmids = append(pmids, id.pmid)
		}
	}
	known := map[string]identifiers{}
	if len(pmids) > 0 {
		sums, err := entrez.New(client).Summaries(ctx, pmids)
		if err != nil {
			return nil, err
		}
		for _, s := range sums.Items {
			known[s.UID] = identifiers{
				PMID: record.Known(s.UID), PMCID: record.Known(s.PMCID), DOI: record.Known(s.DOI),
				Retracted: s.Retracted,
			}
		}
	}
	for _, id := range parsed {
		r, ok := known[id.pmid]
		if !ok {
			found.Missing = append(found.Missing, id.input)
			continue
		}
		r.Requested = id.input
		found.Add(id.input, &r)
		if r.Retracted {
			found.Notices = append(found.Notices, record.Label(true, "article "+*r.PMID+" has been retracted"))
		}
	}
	return found, nil
}
