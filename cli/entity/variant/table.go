package variant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/assembly"
	"biomcp/entrez/fault"
	"biomcp/entrez/variant"
	"biomcp/entrez/variantname"
	"biomcp/store/clinvartable"
	"biomcp/store/study/symbols"
	"biomcp/store/table"
)

// live is the flag that asks ClinVar although its local table is there.
const live = "live"

// liveFlag adds the flag live.
func liveFlag(f *command.Flags) {
	f.Bool(live, false, "ask ClinVar, not its local table (sync clinvar)")
	f.Rare(live)
}

// A lackError is the error of facts that the local table does not have.
type lackError struct {
	facts, release string
	id             string
}

func (e *lackError) Error() string {
	return fmt.Sprintf("the local table of ClinVar, release %s, has no %s; --live asks for them", e.release, e.facts)
}

// Meaning returns the command that asks ClinVar.
func (e *lackError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.NotFound, Next: []string{"get", "variant", e.id, "--" + live}}
}

// A missError is the failure of a live look-up for a name that the local table does not have.
type missError struct {
	err           error
	word, release string
	submitted     []string // returned by submittedIDs
}

func (e *missError) Error() string {
	text := fmt.Sprintf("%s; the local table of ClinVar, release %s, does not have %s", e.err, e.release, e.word)
	return strings.Join(append([]string{text}, e.submitted...), "; ")
}

func (e *missError) Unwrap() error { return e.err }

// Meaning returns the meaning of the failure, with the text of e.
func (e *missError) Meaning() fault.Meaning {
	m := fault.Of(e.err)
	m.Message = e.Error()
	return m
}

// openTable opens the local table of ClinVar. It returns nil if there is none or the command asks ClinVar, and a notice
// if the table cannot be read.
func openTable(in *command.Input) (t *clinvartable.Table, notice string) {
	if in.Bool(live) {
		return nil, ""
	}
	t, err := local.ClinVar(in.App)
	if err != nil && !table.IsAbsent(err) {
		return nil, "the local table of ClinVar cannot be read, and ClinVar was asked: " + err.Error()
	}
	return t, ""
}

// tableNotices says of an answer from when it is, and what it does not have.
func tableNotices(in *command.Input, t *clinvartable.Table, lacks string) []string {
	return local.ClinVarNotices(in, t, "no "+lacks+", and does not say which classification is for which condition; "+
		"--live asks ClinVar")
}

// findInTable returns the variants that words name in the table, by index of the word.
func findInTable(ctx context.Context, in *command.Input, t *clinvartable.Table, words []string) ([]*variant.Result, error) {
	out := make([]*variant.Result, len(words))
	seen := map[int]*variant.Variant{}
	for i, w := range words {
		r := &variant.Result{Word: w, Name: variantname.Parse(w, cmp.Or(in.String("assembly"), assembly.GRCh38))}
		key := keyOf(&r.Name)
		found, err := findKey(ctx, t, r, key)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			if seen[v.VariationID] == nil {
				seen[v.VariationID] = fromTable(v, t.Release)
			}
			r.Variants = append(r.Variants, seen[v.VariationID])
		}
		if len(found) > 0 {
			out[i] = r
		}
	}
	return out, nil
}

// findKey returns the variants with a key. If there are none and the gene is an alias, it looks the change up under the
// approved symbol.
func findKey(ctx context.Context, t *clinvartable.Table, r *variant.Result, key string) ([]*clinvartable.Variant, error) {
	if key == "" {
		return nil, nil
	}
	found, err := t.Find(ctx, key)
	if err == nil && len(found) == 0 && r.Name.Gene != "" {
		if g, ok := symbols.Find(r.Name.Gene); ok && g.Symbol != r.Name.Gene {
			found, err = t.Find(ctx, clinvartable.ChangeKey(g.Symbol, r.Name.Change))
		}
	}
	// A change is numbered by one version of a transcript.
	accession, _, _ := strings.Cut(r.Name.HGVS, ":")
	if r.Name.Kind == variantname.Sequence && strings.HasPrefix(accession, "N") && strings.Contains(accession, "_") &&
		r.Name.SPDI.Sequence == "" {
		found = slices.DeleteFunc(found, func(v *clinvartable.Variant) bool {
			of, _, _, _ := clinvartable.SplitName(v.Name)
			return of != accession
		})
	}
	return found, err
}

// keyOf returns the key of a name in the table, or "" if the table cannot be searched for it.
func keyOf(n *variantname.Name) string {
	switch n.Kind {
	case variantname.VariationID:
		return clinvartable.IDKey(n.ID)
	case variantname.RS:
		return "rs" + n.ID
	case variantname.GeneChange:
		return clinvartable.ChangeKey(n.Gene, n.Change)
	case variantname.ClinVarTerm:
		if strings.HasPrefix(n.Change, "p.") {
			return "" // numbered on a protein, which the table does not name
		}
		if strings.HasPrefix(n.Word, "RCV") {
			accession, _, _ := strings.Cut(n.Word, ".")
			return accession
		}
		return clinvartable.NameKey(n.Word)
	case variantname.Sequence, variantname.Unversioned:
		if n.SPDI.Sequence == "" {
			return clinvartable.NameKey(n.HGVS)
		}
		if on, chromosome := assembly.Lookup(n.SPDI.Sequence); on != "" {
			return clinvartable.PlaceKey(on, chromosome, n.SPDI.Position+1, n.SPDI.Deleted, n.SPDI.Inserted)
		}
	}
	return ""
}

// fromTable converts a variant of the table.
func fromTable(v *clinvartable.Variant, release string) *variant.Variant {
	out := variant.FromClinVar(local.ClinVarRecord(v))
	out.Release, out.Submissions = release, nil
	out.WholeErr = &lackError{"submissions, functional evidence or earlier classifications", release, out.ID}
	out.FrequencyErr = &lackError{"frequencies", release, out.ID}
	return out
}

func liveSources() []string { return []string{"ClinVar", "dbSNP"} }

// fetchTable answers from the local table of ClinVar, and asks ClinVar for the words that the table does not have. It
// asks ClinVar first for sections that the table lacks. It returns nil if the table is absent.
func fetchTable(ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
	ask func([]string) (*variant.Answer, error)) (answer *variant.Answer, notices, sources []string, err error) {
	t, unread := openTable(in)
	if unread != "" {
		notices = append(notices, unread)
	}
	if t == nil {
		return nil, notices, nil, nil
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	lack := lackOf(in, sectionNames)
	if lack != "" {
		answer, err := ask(words)
		if err != nil || slices.ContainsFunc(answer.Results, func(r variant.Result) bool { return len(r.Variants) > 0 }) {
			return answer, append(notices, "ClinVar was asked, because "+lack), liveSources(), err
		}
		notices = append(notices, "ClinVar was asked for the sections and did not answer")
	}
	found, err := findInTable(ctx, in, t, words)
	if err != nil {
		return nil, nil, nil, err
	}
	var missing []string
	for i, r := range found {
		if r == nil {
			missing = append(missing, words[i])
		}
	}
	answer = &variant.Answer{}
	if len(missing) < len(words) {
		sources = []string{local.ClinVarSource(t)}
		lacks := "functional evidence, earlier classifications or frequencies"
		if !sectionNames.Has("clinvar") || lack != "" { // another table has the submissions
			lacks = "submissions, " + lacks
		}
		notices = append(notices, tableNotices(in, t, lacks)...)
	}
	rest := &variant.Answer{}
	if len(missing) > 0 {
		notices = append(notices, fmt.Sprintf("not in the local table of ClinVar, release %s, which has no haplotypes, genotypes, "+
			"names on other transcripts or proteins, or merged rs numbers, so ClinVar was asked: %s", t.Release,
			command.Abbreviate(missing)))
		submitted := submittedIDs(in, missing)
		notices = append(notices, submitted...)
		sources = append(sources, liveSources()...)
		if rest, err = ask(missing); err != nil {
			return nil, nil, nil, err
		}
		answer.WholeErr, answer.DBSNPErr = rest.WholeErr, rest.DBSNPErr
		nameTable(rest.Results, t.Release, submitted)
	}
	answer.Results = inOrder(found, rest.Results)
	return answer, notices, sources, nil
}

// inOrder returns the results of all words. Each nil of found takes the next of rest.
func inOrder(found []*variant.Result, rest []variant.Result) (all []variant.Result) {
	for _, r := range found {
		if r == nil {
			r, rest = &rest[0], rest[1:]
		}
		all = append(all, *r)
	}
	return all
}

// nameTable adds to failures that the table does not have the words, and which ids have submissions.
func nameTable(results []variant.Result, release string, submitted []string) {
	for i := range results {
		if miss := results[i].Miss; miss != nil && miss.Err != nil {
			miss.Err = &missError{miss.Err, command.Clip(results[i].Word), release, submitted}
		}
	}
}
