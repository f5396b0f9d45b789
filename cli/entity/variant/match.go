package variant

import (
	"slices"
	"strings"

	"biomcp/entrez/clinvar"
)

// matching are the records of ClinVar that a name means, of those found for it.
func (l *lookup) matching(n *wanted) (exact []*clinvar.Record) {
	var other []*clinvar.Record // the change on another transcript
	for _, id := range n.found {
		r := l.records[id]
		if r == nil {
			continue
		}
		switch n.kind {
		case variationID:
			exact = append(exact, r)
		case rsID:
			if s := l.snps[n.id]; r.RSID == "rs"+n.id || s != nil && r.RSID == "rs"+s.Number {
				exact = append(exact, r)
			}
		case sequenceName:
			if r.SPDI == n.spdi.String() {
				exact = append(exact, r)
			}
		default:
			switch how := means(n.name, r); how {
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

func means(n name, r *clinvar.Record) int {
	title := titleForm().FindStringSubmatch(r.Title)
	switch {
	case n.kind == searched && n.change == "": // RCV, CA
		if strings.HasPrefix(n.word, "CA") && r.CAID != n.word {
			return notThis
		}
		return this
	case n.kind == changeOfGene && !slices.ContainsFunc(r.Genes, func(symbol string) bool { return strings.EqualFold(symbol, n.gene) }):
		return notThis
	case n.transcript != "" && (title == nil || title[1] != n.transcript):
		return notThis
	case title != nil && (title[2] == n.change || title[3] == n.change || n.short != "" && sameChange(title[3], n.short)):
		return this
	case n.short != "" && slices.ContainsFunc(r.ProteinChanges, func(c string) bool { return sameChange(c, n.short) }):
		return onOther
	}
	return notThis
}
