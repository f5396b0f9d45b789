package article

import (
	"context"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/entrez"
)

// pmidsOf returns the distinct PMIDs of ids. It adds ids without a PMID to found: those that no
// article has, and those that could not be looked up.
func pmidsOf(
	ctx context.Context, in *command.Input, ids []*articleID,
) (client *entrez.Client, found *entity.Found[Article], pmids []string, err error) {
	network := in.App.Network()
	notices, err := resolve(ctx, network, ids)
	if err != nil {
		return nil, nil, nil, err
	}
	found = &entity.Found[Article]{Notices: append([]string{}, notices...)}
	var again []string
	for _, id := range ids {
		switch {
		case id.pmid == "":
			addUnresolved(found, id)
		case slices.Contains(pmids, id.pmid):
			again = append(again, id.input)
		default:
			pmids = append(pmids, id.pmid)
		}
	}
	if len(again) > 0 {
		found.Notices = append(found.Notices, fmt.Sprintf("%d of %d ids repeat an article: %s", len(again),
			len(ids), command.Abbreviate(again)))
	}
	return entrez.New(network), found, pmids, nil
}

// addUnresolved adds an id without a PMID to the missing ones.
func addUnresolved[R any](found *entity.Found[R], id *articleID) {
	if id.err != nil {
		found.Failed(id.input, id.err)
		return
	}
	found.NotFound(id.input, nil)
}

// addKnown adds the records that have an id whose own lookup found no PMID. The answer itself then
// says which article it is.
func addKnown(found *entity.Found[Article], ids []*articleID) {
	for _, id := range ids {
		for _, a := range found.Records {
			if id.isOf(a.PMCID, a.DOI) {
				found.Recover(id.input, a)
			}
		}
	}
}

// addMissing adds the ids that stand for pmids, as typed, to found.Missing.
func addMissing(found *entity.Found[Article], ids []*articleID, pmids []string) {
	for _, id := range ids {
		if id.pmid != "" && slices.Contains(pmids, id.pmid) {
			found.NotFound(id.input, nil)
		}
	}
}

// lose adds the ids that stand for pmids, as typed, as ids that could not be looked up.
func lose(found *entity.Found[Article], ids []*articleID, pmids []string, reason error) {
	for _, id := range ids {
		if id.pmid != "" && slices.Contains(pmids, id.pmid) {
			found.Failed(id.input, reason)
		}
	}
}
