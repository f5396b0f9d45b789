package local

import (
	"fmt"
	"strings"

	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/variation"
	"biomcp/store/clinvartable"
)

// ClinVarRecord converts a variant of the local table. The table does not say which classification is for which
// condition, so each has all of them.
func ClinVarRecord(v *clinvartable.Variant) *clinvar.Record {
	r := &clinvar.Record{
		ID: fmt.Sprint(v.VariationID), Accession: fmt.Sprintf("VCV%09d", v.VariationID), Title: v.Name, Type: v.Type,
		CAID: v.CAID, Genes: v.Genes(), Locations: []clinvar.Location{}, Consequences: consequencesOf(v.Name),
		ProteinChanges: []string{},
	}
	for _, form := range []string{"subset of %d genes", "covers %d genes"} { // "subset of 145 genes: MAGEL2:SNURF"
		if _, err := fmt.Sscanf(v.GeneText, form, &r.GenesTotal); err == nil {
			break
		}
	}
	if v.RS > 0 {
		r.RSID = fmt.Sprint("rs", v.RS)
	}
	for _, p := range v.Places {
		if p.Start == 0 {
			continue
		}
		l := clinvar.Location{Assembly: p.Assembly, Chromosome: p.Chromosome, Start: p.Start, End: max(p.Start, p.End)}
		if isSubstitution := p.VCFStart > 0 && len(p.Ref) == len(p.Alt); isSubstitution {
			l.Start, l.End, l.Ref, l.Alt = p.VCFStart, p.VCFStart+len(p.Ref)-1, p.Ref, p.Alt
			if p.Assembly == assembly.GRCh38 && r.SPDI == "" {
				sequence := assembly.Accession(p.Assembly, p.Chromosome)
				r.SPDI = variation.SPDI{
					Sequence: sequence, Position: p.VCFStart - 1, Deleted: p.Ref, Inserted: p.Alt,
				}.String()
			}
		}
		r.Locations = append(r.Locations, l)
	}
	conditions := []clinvar.Condition{}
	for _, c := range v.Conditions {
		condition := clinvar.Condition{Name: c.Name}
		for _, id := range c.IDs {
			if cui, ok := strings.CutPrefix(id, "MedGen:"); ok && condition.CUI == "" {
				condition.CUI = cui
			}
		}
		conditions = append(conditions, condition)
	}
	of := func(c clinvartable.Classification) *clinvar.Classification {
		if c.Class == "" {
			return nil
		}
		return &clinvar.Classification{Description: c.Class, Stars: clinvar.Stars(c.Review), ReviewStatus: c.Review,
			Evaluated: c.Evaluated, Conditions: conditions}
	}
	r.Classifications = clinvar.Classifications{Germline: of(v.Germline), Oncogenicity: of(v.Oncogenicity),
		ClinicalImpact: of(v.Impact)}
	return r
}

// Effects lists the values of --consequence that the names of the table show, with ClinVar's words for them.
var Effects = [...]struct {
	Value, Words string
	Effect       clinvartable.Consequence
}{
	{"missense", "missense variant", clinvartable.Missense}, {"nonsense", "nonsense", clinvartable.Nonsense},
	{"frameshift", "frameshift variant", clinvartable.Frameshift},
	{"synonymous", "synonymous variant", clinvartable.Synonymous},
	{"splice-donor", "splice donor variant", clinvartable.SpliceDonor},
	{"splice-acceptor", "splice acceptor variant", clinvartable.SpliceAcceptor},
	{"intron", "intron variant", clinvartable.Intron},
}

// consequencesOf returns the effects that a name shows, in ClinVar's words, or nil if it shows none.
func consequencesOf(name string) (out []string) {
	shown := clinvartable.Consequences(name)
	for _, e := range Effects {
		if shown&e.Effect != 0 {
			out = append(out, e.Words)
		}
	}
	return out
}
