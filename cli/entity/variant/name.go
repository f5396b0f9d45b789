package variant

import (
	"fmt"
	"strings"

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
	searched              // RCV…, CA…, NP_…:p.…: found by that word in ClinVar
	sequenceName          // HGVS on a sequence, SPDI
	changeOfGene          // BRAF V600E, BRAF c.1799T>A
)

// name is a word that names a variant, read.
type name struct {
	kind         nameKind
	word         string
	id           string // VariationID, or the number of an rs
	gene, change string // of changeOfGene; the change as ClinVar writes it: p.Val600Glu, c.1799T>A
	short        string // a change of a protein in one letter: V600E
	hgvs         string // of sequenceName, unless it is an SPDI
	spdi         variation.SPDI
	assembly     string // that a bare coordinate was read on
}

var (
	vcvForm   = pattern.Lazy(`^(?i)VCV0*([1-9][0-9]{0,9})(\.[0-9]+)?$`)
	uidForm   = pattern.Lazy(`^[1-9][0-9]{0,9}$`)
	rsForm    = pattern.Lazy(`^(?i)rs([1-9][0-9]{0,11})$`)
	otherForm = pattern.Lazy(`^(?i)(RCV[0-9]{9}(?:\.[0-9]+)?|CA[0-9]{3,12})$`)
	npForm    = pattern.Lazy(`^([NX]P_[0-9]{6,9}(?:\.[0-9]{1,2})?):(p\.\(?[A-Za-z0-9_*=?]+\)?)$`)
	hgvsForm  = pattern.Lazy(`^([NX][CGMRTW]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cgmnr]\.[A-Za-z0-9_+*>=()-]+)$`)
	placeForm = pattern.Lazy(`^(?i:chr)([0-9]{1,2}|[XYMxym]|MT|mt):(?:g\.)?([0-9][0-9_]*(?:[ACGTacgt]+>[ACGTacgt]+|(?:del|dup|ins|inv)[ACGTacgt]*(?:ins[ACGTacgt]+)?))$`)
	snvForm   = pattern.Lazy(`^g\.([0-9]+)([ACGT])>([ACGT])$`)
	geneForm  = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]{0,20})[ :]+(.+)$`)
	cdnaForm  = pattern.Lazy(`^c\.[0-9*+_>A-Za-z=-]+$`)
	oneForm   = pattern.Lazy(`^(?:p\.)?\(?([ACDEFGHIKLMNPQRSTVWYX*])([0-9]{1,5})([ACDEFGHIKLMNPQRSTVWYX*=]|fs[0-9*A-Z]*|del|dup)\)?$`)
	threeForm = pattern.Lazy(`^(?:p\.)?\(?([A-Z][a-z]{2})([0-9]{1,5})([A-Z][a-z]{2}|\*|=|fs[0-9*A-Za-z]*|del|dup)\)?$`)
)

// acids are the amino acids, each by its one letter and then its three.
const acids = "AAla CCys DAsp EGlu FPhe GGly HHis IIle KLys LLeu MMet NAsn PPro QGln RArg SSer TThr VVal WTrp YTyr *Ter"

// three is an amino acid in three letters; what is none stays.
func three(one string) string {
	if one == "X" {
		one = "*"
	}
	for i := 0; i < len(acids); i += 5 {
		if acids[i:i+1] == one {
			return acids[i+1 : i+4]
		}
	}
	return one
}

// one is an amino acid in one letter; what is none stays.
func one(three string) string {
	for i := 0; i < len(acids); i += 5 {
		if acids[i+1:i+4] == three {
			return acids[i : i+1]
		}
	}
	return three
}

// protein is a change of a protein in three letters and in one; ok is false where
// the text is none. A frameshift is known by its first residue: p.Phe620fs.
func protein(text string) (long, short string, ok bool) {
	m := oneForm().FindStringSubmatch(text)
	if m == nil {
		if m = threeForm().FindStringSubmatch(text); m == nil || one(m[1]) == m[1] {
			return "", "", false
		}
		m[1], m[3] = one(m[1]), one(m[3])
	}
	if strings.HasPrefix(m[3], "fs") {
		m[3] = "fs"
	}
	m[1], m[3] = one(three(m[1])), one(three(m[3])) // X is *
	return "p." + three(m[1]) + m[2] + three(m[3]), m[1] + m[2] + m[3], true
}

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
	if m := placeForm().FindStringSubmatch(word); m != nil && assembly.Chromosome(m[1]) != "" {
		n.assembly = on
		n.sequence(assembly.Accession(on, m[1]), "g."+upper(m[2]))
		return n
	}
	if m := npForm().FindStringSubmatch(word); m != nil {
		n.change, n.short, _ = protein(m[2])
		n.kind = searched
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

// sequence is a change in HGVS. That of one base on a chromosome is its own SPDI.
func (n *name) sequence(accession, change string) {
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
		if last >= 0 && isChange(w) && read(out[last], assembly.GRCh38).kind == noName && geneForm().MatchString(out[last]+" "+w) {
			out[last] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}
