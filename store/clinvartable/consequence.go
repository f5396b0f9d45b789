package clinvartable

import (
	"cmp"
	"strings"
)

// A Consequence is a set of effects on a gene that the name of a variant shows.
type Consequence uint32

// The effects. Unknown means that the name shows none of them.
const (
	Missense Consequence = 1 << iota
	Nonsense
	Frameshift
	Synonymous
	SpliceDonor
	SpliceAcceptor
	Intron
	Unknown
)

// Consequences returns the effects that a name such as NM_000410.4(HFE):c.845G>A (p.Cys282Tyr) shows.
func Consequences(name string) Consequence {
	_, _, change, protein := SplitName(name)
	var c Consequence
	switch residues := strings.TrimPrefix(protein, "p."); {
	case protein == "" || !strings.HasPrefix(change, "c."):
	case strings.HasSuffix(residues, "="):
		c |= Synonymous
	case strings.Contains(residues, "fs"):
		c |= Frameshift
	case strings.HasSuffix(residues, "Ter") && !strings.HasPrefix(residues, "Ter"):
		c |= Nonsense
	case isSubstitution(residues):
		c |= Missense
	}
	// (100+1_101-1)_(200+1_201-1)del is a deletion of exons that ends somewhere in introns.
	if strings.HasPrefix(change, "c.") && !strings.ContainsAny(change, "(?") {
		c |= intronOf(change[len("c."):]) | deletedSite(change[len("c."):])
	}
	return cmp.Or(c, Unknown)
}

// isSubstitution reports whether a change replaces one residue by another: Cys282Tyr. The loss of the first
// residue or of the stop is not one.
func isSubstitution(residues string) bool {
	if len(residues) < len("Cys1Tyr") || strings.HasPrefix(residues, "Met1") && len(residues) == len("Met1Val") {
		return false
	}
	from, position, to := residues[:3], residues[3:len(residues)-3], residues[len(residues)-3:]
	isResidue := func(r string) bool {
		return r != "Ter" && r[0] >= 'A' && r[0] <= 'Z' && strings.Trim(r[1:], "abcdefghijklmnopqrstuvwxyz") == ""
	}
	return isResidue(from) && isResidue(to) && strings.Trim(position, "0123456789") == ""
}

// deletedSite returns the splice site that a deletion across one end of an exon removes, such as 99_100+5del.
func deletedSite(change string) Consequence {
	from, to, isRange := strings.Cut(change, "_")
	if !isRange || !strings.Contains(to, "del") {
		return 0
	}
	switch begins, ends := intronOf(from) != 0, intronOf(to) != 0; {
	case ends && !begins:
		return SpliceDonor
	case begins && !ends:
		return SpliceAcceptor
	}
	return 0
}

// intronOf returns the effects of a change such as 1905+1G>A by its distances from the exons.
func intronOf(change string) (c Consequence) {
	for i := 1; i < len(change); i++ {
		isOffset := (change[i] == '+' || change[i] == '-') && change[i-1] >= '0' && change[i-1] <= '9'
		if !isOffset {
			continue
		}
		end := i + 1
		for end < len(change) && change[end] >= '0' && change[end] <= '9' {
			end++
		}
		near := change[i+1:end] == "1" || change[i+1:end] == "2"
		switch {
		case near && change[i] == '+':
			c |= SpliceDonor
		case near:
			c |= SpliceAcceptor
		default:
			c |= Intron
		}
	}
	return c
}
