package curated

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variantname"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Evidence is an accepted evidence item of CIViC.
type Evidence struct {
	sets.Evidence
	PMID         string `json:"pmid"`          // "" if the source is not in PubMed
	LevelMeaning string `json:"level_meaning"` // "validated"
	IsAgainst    bool   `json:"against"`       // the source speaks against the significance
	AsOf         string `json:"as_of"`
}

// A Change is a variant about which to ask for evidence. Fields that are unknown are "".
type Change struct {
	Name        string // name in messages
	Gene        string
	Previous    []string // previous symbols of the gene
	VariationID string   // in ClinVar
	Protein     string   // short protein change: V600E
	Type        string   // ClinVar's type of the variant
}

// EvidenceSection returns the section of CIViC's evidence on genes.
func EvidenceSection[R any](subject Finder[R]) entity.Section[R] {
	return evidence(rowsOn(subject, func(
		ctx context.Context, ask *entity.LinkRequest, s *Subject,
	) (*entity.Answer[Evidence], error) {
		out, err := answerOf(ctx, ask.Input, s, evidenceNoun, ask.Offset, ask.Limit, evidencePart())
		if err == nil {
			explain(out)
		}
		return out, err
	}))
}

// ChangeSection returns the section of CIViC's evidence on variants.
func ChangeSection[R any](change func(*R) (Change, error)) entity.Section[R] {
	return evidence(entity.FromService(func(
		ctx context.Context, ask *entity.LinkRequest, r *R,
	) (*entity.Answer[Evidence], error) {
		c, err := change(r)
		if err != nil {
			return nil, err
		}
		s := &Subject{Name: c.Name}
		switch {
		case c.Gene != "":
			if s, err = GeneSubject(ctx, ask.App, c.Gene, ""); err != nil {
				return nil, err
			}
			c.Previous = slices.Clone(s.Condition.Alternatives)
			s.Condition.Fields = []string{sets.Gene, sets.ClinVarID}
			if c.VariationID != "" {
				s.Condition.Alternatives = append(s.Condition.Alternatives, c.VariationID)
			}
		case c.VariationID != "":
			s.Condition = table.Condition{Fields: []string{sets.ClinVarID}, Text: c.VariationID, Exact: true}
		default:
			return nil, entity.Inapplicable(c.Name + " has neither a known gene nor a record in ClinVar, and CIViC " +
				"names variants by these")
		}
		out, err := answerOf(ctx, ask.Input, s, evidenceNoun, 0, entity.MaxRows, evidencePart())
		if err != nil {
			return nil, err
		}
		c.restrict(ask, out)
		explain(out)
		return out, nil
	}))
}

// restrict restricts an answer with all rows of a gene to those on the change, and to the requested page.
func (c Change) restrict(ask *entity.LinkRequest, out *entity.Answer[Evidence]) {
	all := len(out.Rows)
	items, absent, way := c.Choose(out.Rows)
	page := entity.FromList(ask, items)
	out.Rows, out.Total = page.Rows, page.Total
	counts := map[string]int{}
	for _, e := range items {
		counts[e.Scope]++
	}
	if all > 0 {
		out.Notices = append(out.Notices, fmt.Sprintf("of these, on %s: %d on the variant itself (found by %s), "+
			"%d on a class whose name covers it, %d on a combination that names one of these; classes without a "+
			"position, such as an exon, are not among them", c.Name, counts[sets.SingleVariant], way, counts[sets.VariantClass],
			counts[sets.Combination]))
	}
	if absent > 0 {
		out.Notices = append(out.Notices, fmt.Sprintf("items not shown because their profile requires the "+
			"absence of %s: %d", c.Name, absent))
	}
}

const evidenceNoun = "accepted evidence"

// evidence returns the section of evidence with the rows of find.
func evidence[R any](
	find func(context.Context, *command.Input, *R) (*entity.Answer[Evidence], error),
) entity.Section[R] {
	return entity.RelatedSection[R, Evidence]{
		Name: "evidence", Synonyms: []string{"civic", "clinical-evidence"}, Label: "Evidence",
		Short: "accepted evidence in cancer (CIViC)", Source: bulk.CIViC.Label, Counted: true,
		IsLocal: local.AreStored(), Find: find,
		Columns: []string{"Molecular profile", "Scope", "Disease", "Therapies", "Type", "Origin", "Level",
			"Direction", "Significance", ">Stars", "Source", "Page"},
		Row: (*Evidence).row,
	}.Section()
}

func evidencePart() local.Part[Evidence] {
	return local.Part[Evidence]{Set: bulk.CIViC, Hit: local.HitOf(func(e *sets.Evidence, info table.Info) Evidence {
		out := Evidence{Evidence: *e, LevelMeaning: levelMeaning(e.Level), AsOf: local.AsOf(info)}
		out.IsAgainst = strings.EqualFold(e.Direction, "Does Not Support")
		if strings.EqualFold(e.SourceType, "PubMed") {
			out.PMID = e.CitationID
		}
		return out
	})}
}

// levelMeaning returns CIViC's word for a level of evidence, or "".
func levelMeaning(level string) string {
	return map[string]string{
		"A": "validated", "B": "clinical", "C": "case study", "D": "preclinical", "E": "inferential",
	}[level]
}

// row returns the cells of an item.
func (e *Evidence) row() []string {
	therapies, direction, page, stars := strings.Join(e.Therapies, " + "), e.Direction, e.URL, ""
	if e.Interaction != "" {
		therapies = strings.Join(e.Therapies, ", ") + " (" + e.Interaction + ")"
	}
	if e.IsAgainst {
		direction += " (AGAINST the significance)"
	}
	if e.Flagged {
		page += " (flagged)"
	}
	if e.Rating != nil {
		stars = fmt.Sprint(*e.Rating)
	}
	source := strings.TrimSpace(e.SourceType + " " + e.CitationID)
	if e.PMID != "" {
		source = "PMID " + e.PMID
	}
	return []string{e.Profile, e.Scope, e.Disease, therapies, e.Type, e.Origin,
		strings.TrimSuffix(e.Level+" ("+e.LevelMeaning+")", " ()"), direction, e.Significance, stars,
		strings.Join(append([]string{source}, e.NCTs...), ", "), page}
}

// explain adds notices on how to read the rows.
func explain(out *entity.Answer[Evidence]) {
	out.Notices = append(out.Notices, "CIViC's accepted evidence only: submissions that its editors have not accepted "+
		"are not in the table")
	for _, n := range []struct {
		text  string
		holds func(Evidence) bool
	}{
		{"Does Not Support reverses the meaning: the source does not support the significance, or refutes it",
			func(e Evidence) bool { return e.IsAgainst }},
		{"a profile with AND holds for its variants together, one with NOT in the absence of a variant",
			func(e Evidence) bool { return e.Scope == sets.Combination }},
		{"flagged items are disputed by a curator and not yet resolved", func(e Evidence) bool { return e.Flagged }},
	} {
		if slices.ContainsFunc(out.Rows, n.holds) {
			out.Notices = append(out.Notices, n.text)
		}
	}
}

// Choose returns the items on a change, on classes that include it, and on combinations with one of these, in the
// order of all. It leaves out and counts in absent those that require the absence of the change. CIViC's variants with
// the change's id in ClinVar count or, if there is no such variant, those with its gene and name; way says which.
func (c Change) Choose(all []Evidence) (chosen []Evidence, absent int, way string) {
	inClinVar := func(v sets.CIViCVariant) bool {
		return c.VariationID != "" && slices.Contains(v.ClinVar, c.VariationID)
	}
	ofGene := func(v sets.CIViCVariant) bool {
		return slices.ContainsFunc(v.Genes, func(g string) bool { return g == c.Gene || slices.Contains(c.Previous, g) })
	}
	isChange := func(v sets.CIViCVariant) bool {
		name, _, _ := strings.Cut(v.Name, " (")
		return c.Protein != "" && ofGene(v) && variantname.SameChange(name, c.Protein)
	}
	match, way := inClinVar, "its id in ClinVar"
	if !slices.ContainsFunc(all, func(e Evidence) bool {
		return e.Scope != sets.VariantClass && slices.ContainsFunc(e.Variants, inClinVar)
	}) {
		match, way = isChange, "its gene and name"
	}
	names := func(v sets.CIViCVariant) bool { return inClinVar(v) || match(v) }
	covers := func(v sets.CIViCVariant) bool { return ofGene(v) && c.isIn(v.Name) }
	for _, e := range all {
		is := func(includes func(sets.CIViCVariant) bool, absent bool) bool {
			return slices.ContainsFunc(e.Variants, func(v sets.CIViCVariant) bool {
				return includes(v) && e.RequiresAbsence(v) == absent
			})
		}
		switch {
		case e.Scope == sets.SingleVariant:
			if is(match, false) {
				chosen = append(chosen, e)
			}
		case is(names, true):
			absent++
		case is(names, false):
			chosen = append(chosen, e)
		case is(covers, true):
			absent++
		case is(covers, false):
			chosen = append(chosen, e)
		}
	}
	return chosen, absent, way
}

// classPart matches a part of the name of a class: "G12", "V600E" or, after one of these and "/", "K".
var classPart = pattern.Lazy(`^([A-Z][0-9]+)?([A-Z])?$`)

// isIn reports whether a class of CIViC includes the change: "Mutation", "G12", "G12/G13", "V600E/K". No class
// includes a silent change or a copy number.
func (c Change) isIn(class string) bool {
	change := c.Protein
	if strings.HasSuffix(change, "=") || strings.HasPrefix(strings.ToLower(c.Type), "copy number") {
		return false
	}
	if strings.EqualFold(class, "Mutation") {
		return true
	}
	place := ""
	for part := range strings.SplitSeq(class, "/") {
		m := classPart().FindStringSubmatch(part)
		if m == nil || change == "" {
			return false
		}
		place = cmp.Or(m[1], place)
		rest, found := strings.CutPrefix(change, place)
		if !found || place == "" {
			continue
		}
		whole := m[2] == "" && strings.IndexAny(rest, "0123456789") != 0 && rest != "" // the place alone
		if whole || rest == m[2] {
			return true
		}
	}
	return false
}
