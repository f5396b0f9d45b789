package variant

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/entrez/clinvar"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
	"biomcp/entrez/variantname"
)

// A Result holds the variants for a word, or the reason why there are none.
type Result struct {
	Word     string
	Name     variantname.Name // how Word was read; its Gene is the official one if Alias is set
	Variants []*Variant       // several if ClinVar or dbSNP has several with this name
	Miss     *resolve.Miss    // nil if there are variants

	Alias           *GeneAlias // the alias of a gene in Word, or nil
	MergedInto      string     // the current rs number, "rs123", if dbSNP merged that of Word into it
	OtherTranscript bool       // Word is numbered by another transcript than ClinVar's
	Unrecorded      bool       // Word is a valid change that dbSNP does not have, nor ClinVar if ClinVarErr is nil
	ClinVarErr      error      // the error that left it unknown whether ClinVar has Word, or nil
	UnreadErr       error      // not nil if ClinVar cannot send records that may have the name too
}

// A GeneAlias is an alias of a gene that was typed instead of its symbol.
type GeneAlias struct {
	Word string
	Name gene.Name // its only gene
}

// An Answer holds the results for several words.
type Answer struct {
	Results  []Result // in the order of the words
	WholeErr error    // the error from reading ClinVar's whole records, or nil
	DBSNPErr error    // the error that kept dbSNP from describing a variant, or nil
}

// answer returns the results in the order of the names. Names of one variant share its record.
func (l *lookup) answer() *Answer {
	out := &Answer{WholeErr: l.wholeErr, DBSNPErr: l.dbSNPErr}
	seen := map[string]*Variant{} // by ID
	for _, n := range l.names {
		r := l.result(n)
		for i, v := range r.Variants {
			if old := seen[v.ID]; old != nil {
				r.Variants[i] = old
			} else {
				seen[v.ID] = v
			}
			if v = r.Variants[i]; r.MergedInto != "" && !slices.Contains(v.MergedFrom, "rs"+n.ID) {
				v.MergedFrom = append(v.MergedFrom, "rs"+n.ID)
			}
			out.DBSNPErr = cmp.Or(out.DBSNPErr, l.snpErr(strings.TrimPrefix(v.RSID, "rs")))
		}
		out.Results = append(out.Results, r)
	}
	return out
}

// result returns the variants or the miss of a name.
func (l *lookup) result(n *nameQuery) Result {
	r := Result{
		Word: n.Word, Name: n.Name, Alias: n.alias, OtherTranscript: n.otherTranscript, UnreadErr: n.unreadErr,
	}
	if s := l.snp(n.ID); n.Kind == variantname.RS && s != nil && s.Number != n.ID {
		r.MergedInto = "rs" + s.Number
	}
	for _, record := range n.records {
		r.Variants = append(r.Variants, l.fromClinVar(record))
	}
	err := cmp.Or(n.err, n.incompleteErr)
	if len(r.Variants) > 0 || httpclient.IsKind(err, httpclient.NotFound) {
		err = nil
	}
	if len(r.Variants) == 0 {
		r.Variants = l.fromDBSNP(n)
	}
	if len(r.Variants) == 0 && n.Kind == variantname.Sequence && n.err == nil {
		r.Variants, r.Unrecorded = []*Variant{newUnrecorded(n)}, true
	}
	for _, v := range r.Variants {
		v.ClinVarErr = err
	}
	switch {
	case len(r.Variants) > 0:
		r.ClinVarErr = err
	case err != nil:
		r.Miss = &resolve.Miss{Kind: resolve.Unavailable, Entity: "variant", Word: n.Word, Err: err}
	default:
		r.Miss = &resolve.Miss{Entity: "variant", Word: n.Word}
	}
	return r
}

// fromClinVar returns the variant of a record of ClinVar, with its whole record and the frequencies of
// dbSNP if they were read.
func (l *lookup) fromClinVar(r *clinvar.Record) *Variant {
	v := FromClinVar(r)
	if w := l.whole[r.ID]; w != nil {
		v.read(w)
	} else {
		v.WholeErr = l.wholeErr
	}
	number := strings.TrimPrefix(r.RSID, "rs")
	if s := l.snp(number); s != nil {
		v.add(s)
	} else if r.RSID != "" {
		if v.FrequencyErr = l.snpErr(number); v.FrequencyErr == nil {
			v.Frequencies = []Frequency{} // dbSNP does not have it
		}
	}
	return v
}

// fromDBSNP returns the variants that dbSNP alone has for a name.
func (l *lookup) fromDBSNP(n *nameQuery) (got []*Variant) {
	if s := l.snp(n.ID); n.Kind == variantname.RS && s != nil {
		return []*Variant{newSNPVariant(s, "")}
	}
	for _, id := range n.rsids {
		if s := l.snp(id); s != nil {
			got = append(got, newSNPVariant(s, n.SPDI.String()))
		}
	}
	return got
}

// newUnrecorded returns a variant for a valid change that neither ClinVar nor dbSNP has.
func newUnrecorded(n *nameQuery) *Variant {
	v := &Variant{}
	v.ID, v.SPDI, v.Title = n.SPDI.String(), n.SPDI.String(), n.Word
	v.addSPDI()
	v.URL = "https://www.ncbi.nlm.nih.gov/snp/?term=" + v.ID
	return v
}
