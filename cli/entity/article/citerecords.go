package article

import (
	"context"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez"
	"biomcp/entrez/cite"
)

// citedRecord is a record of a file of citations.
type citedRecord struct {
	Citations map[string]string `json:"citations"`
}

// citeRecords fetches the articles and formats each in a style, in their order. Notices name the
// articles that PubMed did not send, and retracted ones.
func citeRecords(
	ctx context.Context, client *entrez.Client, pmids []string, style string,
) (records []citedRecord, notices []string, err error) {
	records = []citedRecord{}
	if len(pmids) == 0 {
		return records, nil, nil
	}
	got, err := client.Fetch(ctx, pmids)
	if err != nil {
		return nil, nil, err
	}
	entries, err := cite.Entries(style, got.Articles)
	if err != nil {
		return nil, nil, err
	}
	sent := map[string]bool{}
	var retracted, lacking []string
	for i, a := range got.Articles {
		sent[a.PMID] = true
		records = append(records, citedRecord{Citations: map[string]string{style: entries[i]}})
		if a.Retracted {
			retracted = append(retracted, a.PMID)
		}
	}
	for _, id := range pmids {
		if !sent[id] && !slices.Contains(got.Unread, id) {
			lacking = append(lacking, id)
		}
	}
	if len(got.Unread) > 0 {
		notices = append(notices, "citations are missing: "+command.Abbreviate(got.Unread)+": "+got.Problem.Error())
	}
	if len(lacking) > 0 {
		notices = append(notices, "PubMed sent no record of "+command.Abbreviate(lacking))
	}
	return records, append(notices, entity.RetractionNotices(retracted)...), nil
}

// citeRows formats the articles of a section.
func citeRows(ctx context.Context, in *command.Input, pmids []string, style string) (any, []string, error) {
	return citeRecords(ctx, in.App.Entrez(), pmids, style)
}
