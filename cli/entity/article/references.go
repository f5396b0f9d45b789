package article

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// referenceSection returns the section that merges the record's references with ELink's.
func referenceSection() entity.Section[Article] {
	return entity.Section[Article]{
		Name: "references", Flag: "refs", Synonyms: []string{"refs", "ref", "bibliography"}, Label: "References",
		Short: "everything it cites, also outside PubMed", Source: "PubMed ELink",
		Members: []string{"retrieved_count", "elink_url"},
		Load:    loadReferences, Example: func(*Article) string { return "1-5" },
		Has: func(a *Article) bool { return len(a.References.Value) > 0 },
		Doc: func(a *Article) result.Doc { return referenceDoc(a.References.Value) }, Table: true, Limited: true, Cite: citeRows,
	}.WithRows(reference{})
}

// loadReferences lists the references of all articles. If ELink or ESummary does not answer,
// it shows the references that the records contain.
func loadReferences(ctx context.Context, in *command.Input, records []*Article) (entity.LoadResult, error) {
	got := entity.LoadResult{Sources: []string{"PubMed", "PubMed ELink", "PubMed ESummary"}}
	for _, a := range records {
		a.References.Requested = true
	}
	client := in.App.Entrez()
	want, err := parseRange("refs", in.String("refs"))
	if err != nil {
		return got, err
	}
	limit, offset, err := referenceWindow(in)
	if err != nil {
		return got, err
	}
	sets, err := referenceLinks(ctx, client, records, &got)
	if err != nil {
		return got, err
	}
	described, missing, err := describeLinked(ctx, in, client, referencePMIDs(records, sets), "References", &got)
	if err != nil {
		return got, err
	}
	var cut truncation
	var lacking []string // references without a description
	for _, a := range records {
		links := sets.ByID[a.PMID]
		all := mergeReferences(a.Article.References, links, described)
		asked := inRange(want, all)
		if len(records) == 1 {
			if err := checkReferenceRange(in, a.PMID, want, offset, len(all), len(asked)); err != nil {
				return got, err
			}
		}
		a.References.Value = entity.Window(asked, offset, limit)
		a.setLinks("references", len(a.References.Value), links)
		for _, r := range a.References.Value {
			if slices.Contains(missing, r.PMID) && !slices.Contains(lacking, r.PMID) {
				lacking = append(lacking, r.PMID)
			}
		}
		switch n := len(a.References.Value); {
		case n < len(asked):
			cut.add(a.PMID, len(asked))
		case n < len(all):
			got.Notices = append(got.Notices, fmt.Sprintf("References of %s: %d of %d shown, by --refs", a.PMID, n,
				len(all)))
		}
	}
	noteUndescribed(&got, "References", lacking)
	got.Notices = append(got.Notices, cut.notices(in, "References", limit, offset)...)
	return got, nil
}

// referenceWindow returns how many references to show, and after how many.
func referenceWindow(in *command.Input) (limit, offset int, err error) {
	if limit, offset, err = entity.LimitAndOffset(in); err != nil {
		return 0, 0, err
	}
	switch {
	case in.Given("limit"), entity.ExportsRows(in):
	case in.Given("refs"):
		limit = entity.MaxRows
	default:
		limit = defaultReferences
	}
	return limit, offset, nil
}

// referencePMIDs returns the PMIDs of the references in the records and in ELink's answer.
func referencePMIDs(records []*Article, sets *entrez.LinkSets) (pmids []string) {
	for _, a := range records {
		for _, r := range a.Article.References {
			if record.ValidPMID(r.PMID) {
				pmids = append(pmids, r.PMID)
			}
		}
		if links := sets.ByID[a.PMID]; links != nil {
			for _, l := range links.Items {
				pmids = append(pmids, l.PMID)
			}
		}
	}
	return pmids
}

// checkReferenceRange returns an error if --refs or --offset selects none of an article's references.
// all counts its references, and asked those in the range.
func checkReferenceRange(in *command.Input, pmid string, want entity.Range, offset, all, asked int) error {
	if all > 0 && want.From > all {
		return result.Invalid(fmt.Sprintf("article %s has %d references, not a number %d", pmid, all, want.From),
			in.LineWith("--refs", "")...)
	}
	if offset > 0 && offset >= asked {
		return entity.PastEndError(in, asked)
	}
	return nil
}

// referenceLinks asks ELink for references. If ELink fails, it returns no links and
// marks the section degraded.
func referenceLinks(
	ctx context.Context, client *entrez.Client, records []*Article, got *entity.LoadResult,
) (*entrez.LinkSets, error) {
	asked := result.Map(records, func(a *Article) string { return a.PMID })
	sets, err := client.LinkSets(ctx, asked, entrez.References)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		got.Sources = slices.DeleteFunc(got.Sources, func(s string) bool { return s == "PubMed ELink" })
		sets = &entrez.LinkSets{Failed: asked, Problem: err}
	}
	if len(sets.Failed) > 0 {
		got.State = result.Degraded
		got.Notices = append(got.Notices, fmt.Sprintf("the references of %s come from the record alone; PubMed "+
			"may link more: %s",
			command.Abbreviate(sets.Failed), sets.Problem))
	}
	return sets, nil
}

// describeLinked asks ESummary for pmids, and also returns those it does not describe. If
// ESummary fails, it describes those in the local corpus and marks the section degraded.
func describeLinked(
	ctx context.Context, in *command.Input, client *entrez.Client, pmids []string, label string,
	got *entity.LoadResult,
) (described []entrez.Summary, missing []string, err error) {
	if len(pmids) == 0 {
		return nil, nil, nil
	}
	sums, err := client.Summaries(ctx, pmids)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, nil, err
	case err != nil && sums != nil && len(sums.Items) > 0:
		n := len(slices.Compact(slices.Sorted(slices.Values(pmids))))
		got.State = result.Degraded
		got.Notices = append(got.Notices, fmt.Sprintf("%d of %d titles and retraction marks of %s are missing: %s",
			n-len(sums.Items), n, label, err))
		return sums.Items, sums.Missing, nil
	case err != nil:
		got.State = result.Degraded
		got.Sources = slices.DeleteFunc(got.Sources, func(s string) bool { return s == "PubMed ESummary" })
		kept := corpusDocuments(context.WithoutCancel(ctx), in, pmids)
		if len(kept) == 0 {
			got.Notices = append(got.Notices, "the titles and retraction marks of "+label+" are missing: "+err.Error())
			return nil, nil, nil
		}
		got.Notices = append(got.Notices, fmt.Sprintf("the titles and retraction marks of %s come from the "+
			"local corpus, which has %d of %d: %s",
			label, len(kept), len(pmids), err))
		for _, pmid := range pmids {
			if d := kept[pmid]; d != nil {
				described = append(described, summaryOf(d))
			}
		}
		return described, nil, nil
	}
	return sums.Items, sums.Missing, nil
}

// noteUndescribed adds a notice about rows without a description.
func noteUndescribed(got *entity.LoadResult, label string, pmids []string) {
	if len(pmids) > 0 {
		got.Notices = append(got.Notices, label+": NCBI gave no description of "+command.Abbreviate(pmids))
	}
}

// smallerArticle suggests a command for a share of the references or, without references, of
// the parts of the full text.
func smallerArticle(in *command.Input, a *Article, share float64) result.Argv {
	if refs := a.References.Value; len(refs) > 0 {
		return smallerRange(in, "--refs", refs[0].number, len(refs), share)
	}
	if text := a.FullText.Value; text != nil && len(text.Parts) > 0 {
		return smallerRange(in, "--part", text.Parts[0].Number, len(text.Parts), share)
	}
	return nil
}

// smallerRange returns the command for a share of n numbered items.
func smallerRange(in *command.Input, flag string, first, n int, share float64) result.Argv {
	switch n := result.Share(n, share); n {
	case 0:
		return nil
	case 1:
		return in.LineWith(flag, fmt.Sprint(first), "--offset", "")
	default:
		return in.LineWith(flag, fmt.Sprintf("%d-%d", first, first+n-1), "--offset", "")
	}
}
