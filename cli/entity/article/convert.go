package article

import (
	"cmp"
	"context"

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
		Name: "ids", Synonyms: []string{"id", "convert", "converter", "conversion", "idconv", "crossref"},
		Plural: "ids",
		IDs: entity.IDs{
			Placeholder: "<pmid|pmcid|doi>...", Max: 200, Match: IsID, Entity: "article", Listed: true, Check: checkArticleID,
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
				Line:        "biomcp get ids PMC3531190 10.1093/nar/gks1195 23193287",
				Explanation: "three names of one article",
			}},
		},
		Fetch: fetchIDs,
		Card: func(r *identifiers, _ entity.Sections) result.Doc {
			return result.Doc{result.Fields{
				{Name: "Asked for", Value: r.Requested}, {Name: "PMID", Value: cmp.Or(entity.Deref(r.PMID), "-")},
				{Name: "PMCID", Value: cmp.Or(entity.Deref(r.PMCID), "-")},
				{Name: "DOI", Value: cmp.Or(entity.Deref(r.DOI), "-")},
			}}
		},
		Rows: entity.Rows[identifiers]{
			Columns: []string{"Asked for", "PMID", "PMCID", "DOI", "Retracted"},
			Row: func(r *identifiers) []string {
				return []string{
					r.Requested, entity.Deref(r.PMID), entity.Deref(r.PMCID), entity.Deref(r.DOI), yes(r.Retracted),
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
	ctx context.Context, in *command.Input, words []string, _ entity.Sections,
) (*entity.Found[identifiers], error) {
	parsed, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	client := in.App.Network()
	notices, err := resolve(ctx, client, parsed)
	if err != nil {
		return nil, err
	}
	found := &entity.Found[identifiers]{Notices: notices}
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
				PMID: record.NilIfZero(s.UID), PMCID: record.NilIfZero(s.PMCID), DOI: record.NilIfZero(s.DOI),
				Retracted: s.Retracted,
			}
		}
	}
	for _, id := range parsed {
		r, ok := known[id.pmid]
		for _, other := range known { // the answer itself may say which article it is
			if id.isOf(entity.Deref(other.PMCID), entity.Deref(other.DOI)) {
				r, ok = other, true
			}
		}
		if !ok {
			addUnresolved(found, id)
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
