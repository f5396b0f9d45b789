package disease

import (
	"context"
	"errors"
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez/disease"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/resolve"
)

// fetch finds the diseases of words. A gene, or a name of several diseases, counts as not found, and its
// failure names them.
func fetch(
	ctx context.Context, in *command.Input, words []string, requested entity.Sections,
) (*entity.Found[Disease], error) {
	for _, w := range words {
		if w == "" || ncbi.UIDForm().MatchString(w) {
			continue
		}
		if err := query.CheckTerm(w, "get", "disease", "--help"); err != nil {
			return nil, err
		}
	}
	out := &entity.Found[Disease]{}
	if requested.IsOnly("validity") {
		var err error
		if words, err = addFromTables(ctx, in, words, out); err != nil || len(words) == 0 {
			return out, err
		}
	}
	answer, err := disease.New(in.App.Network()).FindAll(ctx, words...)
	if err != nil {
		return out, failWords(words, out, err)
	}
	var ofRecords []string
	if answer.SuccessorErr != nil {
		out.Notices = append(out.Notices, successorMissing(answer.SuccessorErr))
	}
	records := map[*disease.Disease]*Disease{} // words of one disease share its record
	for i := range answer.Results {
		r := &answer.Results[i]
		for _, m := range r.Merged {
			out.Notices = append(out.Notices, mergedInto(m.From, m.Into))
		}
		switch {
		case r.Disease == nil && r.Miss.Kind == resolve.Unavailable:
			out.Failed(r.Word, r.Miss.Err)
			continue
		case r.Disease == nil:
			out.NotFound(r.Word, notFoundFailure(r))
			continue
		case records[r.Disease] == nil:
			records[r.Disease] = &Disease{Disease: r.Disease}
			ofRecords = append(ofRecords, recordNotices(r.Disease)...)
			if r.ReadAs != "" {
				out.Notices = append(out.Notices, command.Clip(r.Word)+" is read as "+r.ReadAs)
			}
		}
		out.Add(r.Word, records[r.Disease])
	}
	if answer.UnreadErr != nil && out.Problem == nil {
		out.Problem = answer.UnreadErr
		out.Notices = append(out.Notices, "a concept with these names may be missing: "+answer.UnreadErr.Error())
	}
	out.Notices = append(out.Notices, ofRecords...)
	return out, nil
}

// failWords adds words that could not be looked up to diseases that were found. Without such diseases it returns err.
func failWords(names []string, out *entity.Found[Disease], err error) error {
	if len(out.Records) == 0 || errors.Is(err, context.Canceled) {
		return err
	}
	for _, w := range names {
		out.Failed(w, err)
	}
	return nil
}

func successorMissing(err error) string {
	return "the successor of a merged record is missing: " + err.Error()
}

func mergedInto(from, into string) string { return from + " was merged into " + into }

// recordNotices returns notices of faults of MedGen's record of a disease.
func recordNotices(d *disease.Disease) (notices []string) {
	if d.Suppressed {
		notices = append(notices, fmt.Sprintf("MedGen suppresses %s: it is not shown on its site, and may "+
			"be wrong or out of use",
			d.CUI))
	}
	if d.Truncated {
		notices = append(notices, fmt.Sprintf("a part of MedGen's record of %s could not be read", d.CUI))
	}
	return notices
}

// notFoundFailure returns the failure for a word that is a gene, or the name of several diseases, or part
// of other names. It returns nil for any other word, unless some concepts were not read.
func notFoundFailure(r *disease.Result) *result.Failure {
	m, f := r.Miss, (*result.Failure)(nil)
	switch {
	case m.NameType == resolve.GeneSymbol:
		f = entity.AliasFailure(m, "a gene, not a disease")
		f.Next = append(f.Next, result.Argv{"search", "disease", "--gene", m.Candidates[0].Symbol})
	case len(m.Candidates) > 0:
		f = entity.AliasFailure(m, "a name")
	case len(m.Similar) > 0:
		f = missing(m.Word, "no disease is called "+command.Clip(m.Word)+"; names with it: "+command.Abbreviate(m.Similar))
	}
	if m.Unread > 0 {
		if f == nil {
			f = missing(r.Word, "no disease is called "+command.Clip(r.Word))
		}
		f.Message += fmt.Sprintf("; only the first %d of %d concepts of MedGen with these words were read",
			disease.MaxConcepts, disease.MaxConcepts+m.Unread)
	}
	return f
}

func missing(word, message string) *result.Failure {
	f := result.Missing(message, "search", "disease", word)
	f.Details = map[string]any{"not_found": []string{word}}
	return f
}

// correctedName returns name in a corrected spelling if a disease has that name.
func correctedName(ctx context.Context, in *command.Input, name string) string {
	better := spelling.Correct(ctx, in, name)
	if better == "" {
		return ""
	}
	if found, err := fetch(ctx, in, []string{better}, nil); err != nil || len(found.Records) == 0 {
		return ""
	}
	return better
}
