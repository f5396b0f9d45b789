package corpus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// fieldHelp describes the fields of a query.
func fieldHelp() string {
	var have []string
	for _, f := range rag.Fields() {
		if !f.Missing() {
			have = append(have, fmt.Sprintf("%s [%s]", f.Name, f.Tags[0]))
		}
	}
	return "PubMed's field tags follow words, a phrase or parentheses: " + strings.Join(have, ", ") + "; the long " +
		"forms too. title:, author: and year: precede a word.\n" +
		"A part with a field is required. A tag applies to all words since the last operator, phrase or tag; one " +
		"of a date, PMID or language applies to the value at their end. The answer names an unknown tag.\n" +
		"An entry term with the tag of a heading stands for the heading, without narrower ones: cancer[mh] is " +
		"Neoplasms[mh].\n" +
		"Dates take ranges: 2018:2020[dp], year:2018-2020.\n" +
		"An author is a last name with any initials that begin as given (Smith, Smith J), or a whole name that the " +
		"corpus has."
}

// tagNotices returns notices about parts of a query whose tag was not read as PubMed reads it.
func tagNotices(q rag.Query) (notices []string) {
	if q.LeftOut {
		notices = append(notices, "every part of the query was left out, so nothing was searched for")
	}
	for _, t := range q.Tags {
		words := cmp.Or(command.Clip(t.Words), `""`)
		part := t.Tag + " after " + words
		if strings.HasSuffix(t.Tag, ":") {
			part = t.Tag + words
		}
		switch {
		case t.Missing && t.Field == "":
			notices = append(notices, part+": unknown tag; "+t.Note)
		case t.Missing:
			notices = append(notices, fmt.Sprintf("%s: the corpus has no field for %s; %s", part, t.Field, t.Note))
		case t.Note != "":
			notices = append(notices, part+": "+t.Note)
		}
	}
	return notices
}

// unknownNames returns notices about headings of the query that no document has, and about values of
// --author that are not names of authors of the corpus.
func unknownNames(ctx context.Context, app *command.App, q rag.Query, names []string) (notices []string, err error) {
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, names := range fieldHeadings(q) {
		name := names[0]
		n, err := countWithHeading(ctx, corpus, names)
		if err != nil {
			return nil, err
		}
		if n == 0 && !seen[name] {
			seen[name] = true
			notices = append(notices, fmt.Sprintf("no document of the corpus has the MeSH heading %s; to find the name of a "+
				"heading: %s", command.Clip(name), result.Argv{"search", "mesh", name}))
		}
	}
	for _, name := range names {
		short := rag.ShortName(name)
		if short == "" {
			continue
		}
		found, err := rag.FindAuthors(ctx, corpus, []string{name})
		if err != nil {
			return nil, err
		}
		if found[name] == "" {
			notices = append(notices, fmt.Sprintf("--author %s: the corpus has no author of this name; it was read as %s with "+
				"the initials of first names", command.Clip(name), short))
		}
	}
	return notices, nil
}

// fieldHeadings returns the headings that fields of the query name. A heading whose name was typed otherwise
// is followed by that name.
func fieldHeadings(q rag.Query) (list [][]string) {
	rag.HasPart(q.Lexical, func(part store.Query) bool {
		where, _ := part.(store.Where)
		var names []string
		for _, f := range append([]store.Filter{where.Filter}, where.Filter.Any...) {
			names = append(names, slices.Concat(f.Mesh, f.MajorMesh)...)
		}
		if len(names) > 0 {
			list = append(list, names)
		}
		return false
	})
	return list
}

// countWithHeading returns the number of documents with any of some names of a heading.
func countWithHeading(ctx context.Context, corpus *store.Store, names []string) (int, error) {
	var f store.Filter
	for _, name := range names {
		f.Any = append(f.Any, store.Filter{Mesh: []string{name}})
	}
	_, n, err := corpus.List(ctx, f, 0, 0)
	return n, err
}

// oldIndexNotices returns a notice if the query or the filter reads fields that an earlier program did not
// index for some passages.
func oldIndexNotices(ctx context.Context, in *command.Input, q rag.Query, f store.Filter) ([]string, error) {
	required, excluded := q.NeedsFields()
	required = required || f.NeedsFields()
	if !required && !excluded {
		return nil, nil
	}
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	n, err := corpus.ChunksWithoutFields(ctx)
	if err != nil || n == 0 {
		return nil, err
	}
	var effects []string
	if required {
		effects = append(effects, "this search misses their documents")
	}
	if excluded {
		effects = append(effects, "NOT with such a field cannot exclude their documents")
	}
	repair := "biomcp sync repair --force indexes them again"
	own, err := intake.HasOwnVectors(ctx, corpus)
	if own {
		repair += ", and then biomcp sync embeddings makes the corpus's own vectors again"
	}
	notice := fmt.Sprintf("an earlier version imported %s without an index of title, authors, language, grants "+
		"and major headings, so %s; %s", english.Plural(int(n), "passage", ""), strings.Join(effects, ", and "), repair)
	return []string{in.OwnerNotice(notice)}, err
}

// filterOf returns the store filter for the flags of a query.
func filterOf(ctx context.Context, in *command.Input, q *entity.Query) (store.Filter, error) {
	var without []string
	if q.Value("exclude-preprints") != "" {
		without = []string{record.PreprintType}
	}
	among, err := addedPMIDs(ctx, in, q)
	return store.Filter{
		PMIDs: among,
		From:  q.Dates.From.String(), To: q.Dates.To.String(),
		Journals: q.Values("journal"), PubTypes: q.Values("pub-type"), NotTypes: without, Mesh: q.Values("mesh"),
		Authors: q.Values("author"), HasPMC: q.Value("has-pmc") != "", ExcludeRetracted: q.Value("exclude-retracted") != "",
	}, err
}

// countDocuments counts the documents with any word of the query, or without a query those that pass the
// filters, up to rag.MaxCounted.
func countDocuments(ctx context.Context, in *command.Input, q *entity.Query) (int, error) {
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return 0, err
	}
	filter, err := filterOf(ctx, in, q)
	if err != nil {
		return 0, err
	}
	query := in.App.ReadQuery(ctx, q.Text)
	if (q.Text == "" || query.OnlyConditions) && len(q.Values("like")) == 0 {
		_, n, err := corpus.List(ctx, query.Filtered(filter), 0, 0)
		return min(n, rag.MaxCounted), err
	}
	return rag.CountDocuments(ctx, corpus, query, filter)
}

// widerSearch suggests the narrowest wider query with hits, with the same filters, and tells how many.
func widerSearch(ctx context.Context, in *command.Input, q *entity.Query) ([]result.Argv, string) {
	for _, group := range in.App.ReadQuery(ctx, q.Text).Wider {
		narrowest, least := "", 0
		for _, text := range group {
			wider := *q
			wider.Text = text
			n, err := countDocuments(ctx, in, &wider)
			if err == nil && n > 0 && (least == 0 || n < least) && len(text) <= maxQuery {
				narrowest, least = text, n
			}
		}
		if least > 0 {
			return []result.Argv{in.Line([]string{narrowest})},
				"for " + command.Clip(narrowest) + ": " + advice.FormatCount(least, rag.MaxCounted)
		}
	}
	return nil, ""
}
