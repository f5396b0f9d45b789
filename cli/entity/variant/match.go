package variant

import (
	"slices"
	"strings"

	"biomcp/entrez/clinvar"
	"biomcp/entrez/variantname"
)

// match selects the records that n matches from the records found for it. It takes
// matches by another transcript's numbering only if there are no others.
func (l *lookup) match(n *wanted, records map[string]*clinvar.Record) {
	by := map[meaning][]*clinvar.Record{}
	for _, id := range n.found {
		if r := records[id]; r != nil {
			how := l.means(n, r)
			by[how] = append(by[how], r)
		}
	}
	if n.records = by[this]; len(n.records) == 0 {
		n.records, n.other = by[onOther], len(by[onOther]) > 0
	}
}

// meaning says how a name matches a record.
type meaning int

const (
	notThis meaning = iota
	this
	onOther // matches by the numbering of another transcript
)

func (l *lookup) means(n *wanted, r *clinvar.Record) meaning {
	title, number := titleForm().FindStringSubmatch(r.Title), l.snp(n.ID)
	switch {
	case n.Kind == variantname.VariationID,
		n.Kind == variantname.RS && (r.RSID == "rs"+n.ID || number != nil && r.RSID == "rs"+number.Number),
		n.Kind == variantname.Sequence && r.SPDI == n.SPDI.String():
		return this
	case n.Kind == variantname.RS || n.Kind == variantname.Sequence,
		strings.HasPrefix(n.Word, "CA") && n.Change == "" && r.CAID != n.Word,
		n.Kind == variantname.OfGene && !slices.ContainsFunc(r.Genes, func(symbol string) bool { return strings.EqualFold(symbol, n.Gene) }),
		strings.HasPrefix(n.Word, "GRCh") && n.Change == "" && r.Title != n.Word,
		n.Accession != "" && !strings.HasPrefix(n.Change, "p.") && (title == nil || title[1] != n.Accession):
		return notThis
	case n.Change == "", // an RCV or CA accession
		title != nil && (title[2] == n.Change || title[3] == n.Change || n.Short != "" && variantname.SameChange(title[3], n.Short)):
		return this
	case n.Short != "" && slices.ContainsFunc(r.ProteinChanges, func(c string) bool { return variantname.SameChange(c, n.Short) }):
		return onOther
	}
	return notThis
}
