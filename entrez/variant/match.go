package variant

import (
	"slices"
	"strings"

	"biomcp/entrez/clinvar"
	"biomcp/entrez/variantname"
)

// match selects the records that n matches from the records found for it. It takes
// matches by another transcript's numbering only if there are no others.
func (l *lookup) match(n *nameQuery, records map[string]*clinvar.Record) {
	byKind := map[matchKind][]*clinvar.Record{}
	for _, id := range n.found {
		if r := records[id]; r != nil {
			kind := l.matchKind(n, r)
			byKind[kind] = append(byKind[kind], r)
		}
	}
	if n.records = byKind[exactMatch]; len(n.records) == 0 {
		n.records, n.otherTranscript = byKind[otherTranscript], len(byKind[otherTranscript]) > 0
	}
}

// matchKind says how a name matches a record.
type matchKind int

const (
	noMatch matchKind = iota
	exactMatch
	otherTranscript // matches by the numbering of another transcript
)

func (l *lookup) matchKind(n *nameQuery, r *clinvar.Record) matchKind {
	title, number := titleForm().FindStringSubmatch(r.Title), l.snp(n.ID)
	sameGene := func(symbol string) bool { return strings.EqualFold(symbol, n.Gene) }
	samePeptide := func(change string) bool { return n.Short != "" && variantname.SameChange(change, n.Short) }
	switch {
	case n.Kind == variantname.VariationID,
		n.Kind == variantname.RS && (r.RSID == "rs"+n.ID || number != nil && r.RSID == "rs"+number.Number),
		n.Kind == variantname.Sequence && r.SPDI == n.SPDI.String():
		return exactMatch
	case n.Kind == variantname.RS || n.Kind == variantname.Sequence,
		strings.HasPrefix(n.Word, "CA") && n.Change == "" && r.CAID != n.Word,
		n.Kind == variantname.GeneChange && !slices.ContainsFunc(r.Genes, sameGene),
		strings.HasPrefix(n.Word, "GRCh") && n.Change == "" && r.Title != n.Word,
		n.Accession != "" && !strings.HasPrefix(n.Change, "p.") && (title == nil || title[1] != n.Accession):
		return noMatch
	case n.Kind == variantname.GeneChange && numbersOther(r, n.Gene):
		if n.Short != "" && slices.ContainsFunc(r.ProteinChanges, func(change string) bool {
			return samePeptide(change) && (title == nil || !variantname.SameChange(title[3], n.Short))
		}) {
			return otherTranscript
		}
		return noMatch
	case n.Change == "", // an RCV or CA accession
		title != nil && (title[2] == n.Change || title[3] == n.Change || samePeptide(title[3])):
		return exactMatch
	case slices.ContainsFunc(r.ProteinChanges, samePeptide):
		return otherTranscript
	}
	return noMatch
}

// numbersOther reports whether the title of a record numbers its change on another gene than one of its genes: on MSH6
// for FBXO11, which overlaps it.
func numbersOther(r *clinvar.Record, gene string) bool {
	named := titleGene(r)
	return named != "" && !strings.EqualFold(named, gene)
}
