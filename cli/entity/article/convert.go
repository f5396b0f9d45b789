package article

import (
	"cmp"
	"context"
	"errors"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/record"
)

// identifiers is one row of get ids. Unknown values are null. Retracted is unknown if only the ID
// converter answered.
type identifiers struct {
	Requested string  `json:"requested"`
	PMID      *string `json:"pmid"`
	PMCID     *string `json:"pmcid"`
	DOI       *string `json:"doi"`
	Retracted *bool   `json:"retracted"`
}

// IDs returns the definition of the ids entity, which converts article identifiers.
func IDs() entity.Entity {
	return entity.Define(entity.Spec[identifiers]{
		Name: "ids", Synonyms: []string{"id", "convert", "converter", "conversion", "idconv", "crossref"},
		Plural: "ids",
		IDs: entity.IDs{
			Placeholder: "<pmid|pmcid|doi>...", Max: 200, Match: IsID, Entity: "article", Listed: true, Check: checkArticleID,
			Join: joinLabels, File: idsOfFile,
		},
		Label: "Identifiers", Sources: []string{"PMC ID converter", "PubMed ESummary"},
		Get: command.Command{
			Short: "Convert between PMID, PMCID and DOI",
			Help: command.Help{
				Surprises: "The PMC ID converter knows what is in PubMed Central; other articles are looked up in " +
					"PubMed. If one of the two does not answer, the other is asked.",
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
					r.Requested, entity.Deref(r.PMID), entity.Deref(r.PMCID), entity.Deref(r.DOI),
					retractionCell(r.Retracted),
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
	known, notice, err := describeIDs(ctx, client, parsed, pmids)
	if err != nil {
		return nil, err
	}
	if notice != "" {
		found.Notices = append(found.Notices, notice)
	}
	var retracted []string
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
		if r.Retracted != nil && *r.Retracted {
			retracted = append(retracted, *r.PMID)
		}
	}
	found.Notices = append(found.Notices, entity.RetractionNotices(entity.Unique(retracted))...)
	return found, nil
}

// retractionCell returns the cell of a table that says whether an article is retracted.
func retractionCell(retracted *bool) string {
	if retracted == nil {
		return "unknown"
	}
	return yes(*retracted)
}

// describeIDs returns the ids of articles by PMID, from ESummary. If ESummary does not answer, it
// returns the converter's ids and a notice, and the ids that the converter does not know get the error.
func describeIDs(
	ctx context.Context, client *httpclient.Client, ids []*articleID, pmids []string,
) (known map[string]identifiers, notice string, err error) {
	known = map[string]identifiers{}
	if len(pmids) == 0 {
		return known, "", nil
	}
	sums, err := entrez.New(client).Summaries(ctx, pmids)
	if err == nil {
		for _, s := range sums.Items {
			known[s.UID] = identifiers{
				PMID: record.NilIfZero(s.UID), PMCID: record.NilIfZero(s.PMCID), DOI: record.NilIfZero(s.DOI),
				Retracted: &s.Retracted,
			}
		}
		return known, "", nil
	}
	if errors.Is(err, context.Canceled) {
		return nil, "", err
	}
	records, lookupErr := idconv.Lookup(ctx, client, pmids)
	for i, r := range records {
		if r.PMID != "" && r.PMCID != "" { // it repeats a PMID that PMC does not have
			known[pmids[i]] = identifiers{
				PMID: record.NilIfZero(r.PMID), PMCID: record.NilIfZero(r.PMCID), DOI: record.NilIfZero(r.DOI),
			}
		}
	}
	if lookupErr != nil || len(known) == 0 {
		return nil, "", err
	}
	for _, id := range ids {
		if _, ok := known[id.pmid]; !ok && id.pmid != "" {
			id.err = err
		}
	}
	return known, "PubMed did not answer, so the ids come from the PMC ID converter, and it is unknown " +
		"whether an article is retracted (" + err.Error() + ")", nil
}
