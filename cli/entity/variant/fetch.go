package variant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/variant"
	"biomcp/entrez/variantname"
)

// fetch finds the variants of words. Whole records of ClinVar are read for a section that shows them, and for
// the cards of few variants.
func fetch(
	ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
) (*entity.Found[Variant], error) {
	client := variant.New(in.App.Network())
	client.Assembly, client.Deadline, client.Genes = in.String("assembly"), in.App.Env.Network.Deadline, eutils.Genes(in.App)
	switch {
	case sectionNames.Has("clinvar") || sectionNames.Has("diseases"):
		client.MaxWhole = math.MaxInt
	case len(sectionNames) > 0:
		client.MaxWhole = 0
	}
	ask := func(words []string) (*variant.Answer, error) { return client.FindAll(ctx, words...) }
	answer, notices, sources, err := fetchTable(ctx, in, words, sectionNames, ask)
	if err != nil {
		return nil, err
	}
	if answer == nil {
		if answer, err = ask(words); err != nil {
			return nil, err
		}
	}
	out := found(in, answer)
	out.Notices, out.Sources = append(notices, out.Notices...), sources
	if answer.WholeErr != nil && len(out.Records) > 0 {
		out.Problem = answer.WholeErr
		out.Notices = append(out.Notices,
			"earlier classifications, functional evidence, MANE and the split of submissions are not known: "+answer.WholeErr.Error())
	}
	if answer.DBSNPErr != nil {
		out.Problem = answer.DBSNPErr
		out.Notices = append(out.Notices, "the values of dbSNP are missing: "+answer.DBSNPErr.Error())
	}
	return out, nil
}

// found returns the variants in the order of the words, each once, with notices.
func found(in *command.Input, answer *variant.Answer) *entity.Found[Variant] {
	out := &entity.Found[Variant]{}
	records := map[*variant.Variant]*Variant{} // words of one variant share its record
	var unsure, maybeMore, readings, unrecorded []string
	why := map[string]error{}
	for i := range answer.Results {
		r := &answer.Results[i]
		if r.UnreadErr != nil {
			maybeMore = append(maybeMore, "a variant called "+r.Word+" may be missing: "+r.UnreadErr.Error())
		}
		readings = append(readings, howRead(r, in.String("assembly"))...)
		err := r.ClinVarErr
		switch {
		case r.Miss == nil:
			unsure, why[r.Word] = append(unsure, r.Word), err
		case r.Miss.Err != nil:
			err = r.Miss.Err
			out.Failed(r.Word, err)
		default:
			out.NotFound(r.Word, nil)
		}
		out.Problem = cmp.Or(err, out.Problem)
		if r.Unrecorded {
			by := "neither ClinVar nor dbSNP has "
			if err != nil {
				by = "dbSNP does not have "
			}
			unrecorded = append(unrecorded, by+r.Word)
		}
		for _, v := range r.Variants {
			if records[v] == nil {
				records[v] = &Variant{Variant: v}
			}
			out.Add(r.Word, records[v])
		}
	}
	if out.Problem != nil && len(out.Records) == 0 && httpclient.IsKind(out.Problem, httpclient.Refused) {
		out.Problem = refused(in, out.Missing[0], out.Problem)
	}
	unknown := entity.GroupByReason("whether ClinVar has %s is not known: %s", unsure, why)
	out.Notices = slices.Concat(maybeMore, readings, unknown, unrecorded)
	return out
}

// refused returns the failure of a name that NCBI rejected: it may be one of the other assembly, or none of
// a variant.
func refused(in *command.Input, word string, err error) *result.Failure {
	on := in.String("assembly")
	e, _ := errors.AsType[*httpclient.Error](err)
	f := result.Invalid(command.Clip(word)+" cannot be read: "+e.Message, "get", "variant", "--help")
	if variantname.Parse(word, on).Assembly != "" {
		f.Message += "; it was read on " + on
		f.Try = in.LineWith("--assembly", assembly.Other(on))
	} else if reason, try := eutils.Explain("variant", word); reason != "" {
		f.Message, f.Try = f.Message+"; "+reason, try
	}
	return f
}

// howRead returns notices about how a word was interpreted, if that may surprise. on is the assembly of
// coordinates.
func howRead(r *variant.Result, on string) (notices []string) {
	note := func(format string, args ...any) { notices = append(notices, fmt.Sprintf(format, args...)) }
	n := r.Name
	if r.Alias != nil {
		note("%s is %s of the gene %s", r.Alias.Word, r.Alias.Name.Kind(), n.Gene)
	}
	if n.Assembly != "" {
		note("%s was read on %s; --assembly %s reads it on the other", r.Word, on, assembly.Other(on))
	}
	if n.LegacyChange != "" {
		note("%s %s is a familiar name, not numbered as in HGVS: it is %s", n.Gene, n.LegacyChange, n.Change)
	}
	if n.VersionedAccession != "" {
		note("%s was read on the newest version, %s", r.Word, n.VersionedAccession)
	}
	if r.MergedInto != "" {
		note("rs%s was merged into %s", n.ID, r.MergedInto)
	}
	if len(r.Variants) > 1 {
		note("%s is %d variants of %s", r.Word, len(r.Variants),
			map[bool]string{true: "ClinVar", false: "dbSNP"}[r.Variants[0].VCV != ""])
	}
	if r.OtherTranscript {
		for _, v := range r.Variants {
			note("%s is numbered by another transcript: on ClinVar's transcript it is %s", r.Word, v.Title)
		}
	}
	return notices
}
