package variant

import (
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/assembly"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

// The ways to name a variant.
type nameKind int

const (
	noName       nameKind = iota
	variationID           // 13961, VCV000013961
	rsID                  // rs113488022
	searched              // RCV…, CA…, NP_…:p.…, NM_…:c.[…]: found by that word in ClinVar
	sequenceName          // HGVS on a sequence, SPDI
	changeOfGene          // BRAF V600E, BRAF c.1799T>A
)

// name is a word that names a variant, read.
type name struct {
	kind         nameKind
	word         string
	id           string // VariationID, or the number of an rs
	gene, change string // of changeOfGene; the change as ClinVar writes it: p.Val600Glu, c.1799T>A
	transcript   string // of a change that only a title of ClinVar has: c.[1075A>C;1080C>G]
	short        string // a change of a protein in one letter: V600E
	hgvs         string // of sequenceName, unless it is an SPDI
	spdi         variation.SPDI
	assembly     string // that a bare coordinate was read on
}

var (
	vcvForm    = pattern.Lazy(`^(?i)VCV0*([1-9][0-9]{0,9})(\.[0-9]+)?$`)
	uidForm    = pattern.Lazy(`^[1-9][0-9]{0,9}$`)
	rsForm     = pattern.Lazy(`^(?i)rs([1-9][0-9]{0,11})$`)
	otherForm  = pattern.Lazy(`^(?i)(RCV[0-9]{9}(?:\.[0-9]+)?|CA[0-9]{3,12})$`)
	npForm     = pattern.Lazy(`^([NX]P_[0-9]{6,9}(?:\.[0-9]{1,2})?):(p\.[][A-Za-z0-9_*=?;()]+)$`)
	hgvsForm   = pattern.Lazy(`^([NX][CGMRTW]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cgmnr]\.[A-Za-z0-9_+*>=()-]+)$`)
	titleName  = pattern.Lazy(`^([NX][MR]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cnr]\.[][0-9A-Za-z*+_>=;()?-]+)$`)
	placeForm  = pattern.Lazy(`^(?i:chr)([0-9]{1,2}|[XYMxym]|MT|mt):(?:g\.)?([0-9][0-9_]*(?:[ACGTacgt]+>[ACGTacgt]+|(?:del|dup|ins|inv)[ACGTacgt]*(?:ins[ACGTacgt]+)?))$`)
	snvForm    = pattern.Lazy(`^[gm]\.([0-9]+)([ACGT])>([ACGT])$`)
	geneForm   = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]{0,20})[ :]+(.+)$`)
	geneSymbol = pattern.Lazy(`^[A-Z][A-Z0-9-]{1,20}$`)
	cdnaForm   = pattern.Lazy(`^c\.[][0-9*+_>A-Za-z=;()?-]+$`)
)

// isChange reports whether a word is a change without its gene: it belongs to the
// word before it.
func isChange(word string) bool {
	_, _, ok := protein(word)
	return ok || cdnaForm().MatchString(word)
}

// read reads a word; the kind is noName where it names no variant. A bare coordinate
// is read on the assembly.
func read(word, on string) name {
	n := name{word: word}
	if m := vcvForm().FindStringSubmatch(word); m != nil {
		n.kind, n.id = variationID, m[1]
		return n
	}
	if m := rsForm().FindStringSubmatch(word); m != nil {
		n.kind, n.id = rsID, m[1]
		return n
	}
	if spdi, ok := variation.Parse(word); ok {
		n.kind, n.spdi = sequenceName, spdi
		return n
	}
	if m := hgvsForm().FindStringSubmatch(word); m != nil {
		n.sequence(m[1], m[2])
		return n
	}
	if m := titleName().FindStringSubmatch(word); m != nil {
		n.kind, n.transcript, n.change = searched, m[1], m[2]
		return n
	}
	if m := placeForm().FindStringSubmatch(word); m != nil && assembly.Chromosome(m[1]) != "" {
		if n.assembly = on; assembly.Chromosome(m[1]) == "MT" { // one for both
			n.assembly = ""
		}
		n.sequence(assembly.Accession(on, m[1]), "g."+upper(m[2]))
		return n
	}
	if m := npForm().FindStringSubmatch(word); m != nil {
		n.kind, n.change = searched, m[2]
		if long, short, ok := protein(m[2]); ok {
			n.change, n.short = long, short
		}
		return n
	}
	switch m := geneForm().FindStringSubmatch(word); {
	case uidForm().MatchString(word):
		n.kind, n.id = variationID, word
	case otherForm().MatchString(word):
		n.kind, n.word = searched, strings.ToUpper(word)
	case m != nil && cdnaForm().MatchString(m[2]):
		n.kind, n.gene, n.change = changeOfGene, strings.ToUpper(m[1]), m[2]
	case m != nil:
		if long, short, ok := protein(m[2]); ok {
			n.kind, n.gene, n.change, n.short = changeOfGene, strings.ToUpper(m[1]), long, short
		}
	}
	return n
}

// owns reports whether a text can name nothing but a variant. RS1 and CA9 are genes, and
// CA125 is an alias of one; a number alone is an id of many things.
func owns(text string) bool {
	switch n := read(text, assembly.GRCh38); {
	case n.kind == rsID:
		return len(text) > len("rs1")
	case strings.HasPrefix(n.word, "CA"):
		return len(n.word) > len("CA99999")
	default:
		return n.kind != noName && !uidForm().MatchString(text)
	}
}

// wrong is why a change alone names no variant.
func wrong(word string) string {
	if !isChange(word) {
		return ""
	}
	return fmt.Sprintf("%s does not name its gene: write BRAF %[1]s, or search variant -g GENE for those of a gene", command.Clip(word))
}

// instead is what to ask where neither ClinVar nor dbSNP has a variant: for others of its
// gene, or for articles that write of it.
func instead(id string) result.Argv {
	switch n := read(id, assembly.GRCh38); n.kind {
	case changeOfGene:
		return result.Argv{"search", "variant", "-g", n.gene}
	case rsID:
		return result.Argv{"search", "article", "--variant", id}
	}
	return nil
}

// InText is how a variant is written in articles: its gene, where that was named, and an
// rs number or a change, as it was typed first, with residues in one letter and in three.
// None: the text is neither.
func InText(text string) (gene string, spellings []string) {
	n := read(strings.TrimSpace(text), assembly.GRCh38)
	long, short, alone := protein(n.word)
	switch {
	case n.kind == rsID:
		return "", []string{"rs" + n.id}
	case n.kind == changeOfGene:
		long, short = n.change, n.short
	case !alone:
		return "", nil
	}
	if long = strings.TrimPrefix(long, "p."); short == "" {
		return n.gene, []string{long}
	}
	if strings.HasSuffix(n.word, long) {
		return n.gene, []string{long, short}
	}
	return n.gene, []string{short, long}
}

// sequence is a change in HGVS. That of one base on a chromosome is its own SPDI. Of
// the mitochondrion it is written m.
func (n *name) sequence(accession, change string) {
	if _, chromosome := assembly.Of(accession); chromosome == "MT" {
		change = "m" + strings.TrimLeft(change, "gm")
	}
	n.kind, n.hgvs = sequenceName, accession+":"+change
	if m := snvForm().FindStringSubmatch(change); m != nil {
		if _, chromosome := assembly.Of(accession); chromosome != "" {
			var place int
			_, _ = fmt.Sscan(m[1], &place) // digits; one too long is no place that exists
			n.spdi = variation.SPDI{Sequence: accession, Position: place - 1, Deleted: m[2], Inserted: m[3]}
		}
	}
}

// upper is a change with its bases in capitals: 140753336A>T, 87925512del.
func upper(change string) string {
	change = strings.ToUpper(change)
	for _, w := range []string{"DEL", "DUP", "INS", "INV"} {
		change = strings.ReplaceAll(change, w, strings.ToLower(w))
	}
	return change
}

// join puts a gene and the change after it into one word, as they are often typed
// without quotes.
func join(words []string) (out []string) {
	for _, w := range words {
		last := len(out) - 1
		if last >= 0 && isChange(out[last]) && geneSymbol().MatchString(w) && read(w, assembly.GRCh38).kind == noName { // the change first
			out[last] = w + " " + out[last]
			continue
		}
		if last >= 0 && isChange(w) && read(out[last], assembly.GRCh38).kind == noName && geneForm().MatchString(out[last]+" "+w) {
			out[last] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}
