package variant

import (
	"slices"
	"strings"

	"biomcp/entrez/clinvar"
	"biomcp/entrez/variantname"
)

// matching are the records of ClinVar that a name means, of those found for it.
func (l *lookup) matching(n *wanted) (exact []*clinvar.Record) {
	var other []*clinvar.Record // the change on another transcript
	for _, id := range n.found {
		r := l.records[id]
		if r == nil {
			continue
		}
		switch n.Kind {
		case variantname.VariationID:
			exact = append(exact, r)
		case variantname.RS:
			if s := l.snps[n.ID]; r.RSID == "rs"+n.ID || s != nil && r.RSID == "rs"+s.Number {
				exact = append(exact, r)
			}
		case variantname.Sequence:
			if r.SPDI == n.SPDI.String() {
				exact = append(exact, r)
			}
		default:
			switch how := means(n.Name, r); how {
			case this:
				exact = append(exact, r)
			case onOther:
				other = append(other, r)
			}
		}
	}
	if len(exact) == 0 {
		return other
	}
	return exact
}

// How a name of a change means a record.
const (
	notThis = iota
	this
	onOther // by the numbering of another transcript than the record's own
)

func means(n variantname.Name, r *clinvar.Record) int {
	title := titleForm().FindStringSubmatch(r.Title)
	switch {
	case n.Kind == variantname.Searched && n.Change == "": // RCV, CA
		if strings.HasPrefix(n.Word, "CA") && r.CAID != n.Word {
			return notThis
		}
		return this
	case n.Kind == variantname.OfGene && !slices.ContainsFunc(r.Genes, func(symbol string) bool { return strings.EqualFold(symbol, n.Gene) }):
		return notThis
	case n.Transcript != "" && (title == nil || title[1] != n.Transcript):
		return notThis
	case title != nil && (title[2] == n.Change || title[3] == n.Change || n.Short != "" && variantname.SameChange(title[3], n.Short)):
		return this
	case n.Short != "" && slices.ContainsFunc(r.ProteinChanges, func(c string) bool { return variantname.SameChange(c, n.Short) }):
		return onOther
	}
	return notThis
}
