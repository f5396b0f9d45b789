package curated

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Validity is one organisation's classification of the evidence that a gene causes a disease.
type Validity struct {
	Source string `json:"source"` // ClinGen or GenCC
	sets.Validity
	AsOf string `json:"as_of"`
}

// Dosage is ClinGen's judgement on the dosage sensitivity of a gene.
type Dosage struct {
	sets.Dosage
	AsOf string `json:"as_of"`
}

// DiseaseSubject returns the subject of a disease: rows with one of its MONDO ids or, if it has none, with one of its
// names.
func DiseaseSubject(name string, synonyms, mondo []string) *Subject {
	if len(mondo) > 0 {
		return &Subject{
			Name:   name + " (" + strings.Join(mondo, ", ") + ")",
			Notice: "rows are found by MONDO id; types of the disease with ids of their own are not among them",
			Condition: table.Condition{
				Fields: []string{sets.DiseaseID}, Text: mondo[0], Alternatives: mondo[1:], Exact: true,
			},
		}
	}
	return &Subject{
		Name:   name,
		Notice: "MedGen has no MONDO id for " + name + ": rows are found by its names, which must be the same",
		Condition: table.Condition{
			Fields: []string{sets.ConditionField}, Text: name, Alternatives: synonyms, Exact: true,
		},
	}
}

// ValiditySection returns the section of gene-disease validity.
func ValiditySection[R any](subject Finder[R]) entity.Section[R] {
	return entity.RelatedSection[R, Validity]{
		Name: "validity", Synonyms: []string{"clingen", "gencc", "gene-disease", "gene-validity"}, Label: "Validity",
		Short:  "gene-disease validity (ClinGen, GenCC)",
		Source: bulk.ClinGen.Label + ", " + bulk.GenCC.Label, Counted: true, IsLocal: local.AreStored(),
		Find:    rowsOn(subject, findValidity),
		Columns: []string{"Source", "Gene", "Disease", "Classification", "Inheritance", "Submitter", "Date", "Page"},
		Row: func(v *Validity) []string {
			return []string{v.Source, v.Gene, strings.TrimSuffix(v.Disease+" ("+v.DiseaseID+")", " ()"),
				v.Classification, v.Inheritance, v.Submitter, v.Date, v.URL}
		},
	}.Section()
}

func findValidity(ctx context.Context, ask *entity.LinkRequest, s *Subject) (*entity.Answer[Validity], error) {
	part := func(set *bulk.Set) local.Part[Validity] {
		return local.Part[Validity]{
			Set: set, Query: table.Query{Kinds: []string{sets.ValidityKind}},
			Hit: local.HitOf(func(v *sets.Validity, info table.Info) Validity {
				return Validity{set.Label, *v, local.AsOf(info)}
			}),
		}
	}
	out, err := answerOf(ctx, ask.Input, s, "validity", ask.Offset, ask.Limit, part(bulk.ClinGen), part(bulk.GenCC))
	if err == nil && len(out.Rows) > 1 {
		out.Notices = append(out.Notices, "each row is one organisation's classification; they may differ, and "+
			"GenCC includes ClinGen's own")
	}
	return out, err
}

// DosageSection returns the section of dosage sensitivity of genes.
func DosageSection[R any](subject Finder[R]) entity.Section[R] {
	return entity.RelatedSection[R, Dosage]{
		Name: "dosage", Synonyms: []string{"haploinsufficiency", "triplosensitivity", "dosage-sensitivity"},
		Label: "Dosage", Short: "dosage sensitivity (ClinGen)", Source: bulk.ClinGen.Label,
		IsLocal: local.AreStored(),
		Find: func(ctx context.Context, in *command.Input, r *R) (*entity.Answer[Dosage], error) {
			s, err := subject(ctx, in, r)
			if err != nil {
				return nil, err
			}
			return answerOf(ctx, in, s, "dosage", 0, entity.MaxRows, local.Part[Dosage]{
				Set: bulk.ClinGen, Query: table.Query{Kinds: []string{sets.DosageKind}},
				Hit: local.HitOf(func(d *sets.Dosage, info table.Info) Dosage { return Dosage{*d, local.AsOf(info)} }),
			})
		},
		Columns: []string{"Gene", "Haploinsufficiency", "Triplosensitivity", "Date", "Page"},
		Row: func(d *Dosage) []string {
			return []string{d.Gene, withScore(d.Haplo, d.HaploScore), withScore(d.Triplosensitivity, d.TriploScore),
				d.Date, d.URL}
		},
	}.Section()
}

// withScore returns words with their score in ClinGen's scale.
func withScore(words string, score *int) string {
	if score == nil {
		return words
	}
	return fmt.Sprintf("%s (score %d)", words, *score)
}
