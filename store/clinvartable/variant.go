package clinvartable

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Variant is a variant of the table.
type Variant struct {
	VariationID, AlleleID int
	Name, Type            string
	GeneText              string // as the table has it: "BRAF", "FBXO11;MSH6", "subset of 145 genes: …"
	RS                    int    // number of dbSNP; 0 if unknown
	CAID, DBVar           string // ids of ClinGen and dbVar; "" if unknown
	RCVs                  []string
	Germline              Classification
	Impact                Classification // somatic clinical impact
	Oncogenicity          Classification
	Conditions            []Condition // for all kinds of classification together
	Origin, Cytogenetic   string
	Submitters            int
	Places                []Place
}

// A Classification is a classification of one kind. Class is "" if the variant has none of the kind.
type Classification struct {
	Class, Review string
	Evaluated     string // 2026-02-13; "" if unknown
}

// A Condition is a disease for which a variant was classified, with its ids: "MONDO:0021001", "MedGen:C3469186".
// Traits of one condition are joined by ";".
type Condition struct {
	Name string
	IDs  []string
}

// A Place is where a variant is on an assembly, counted from 1. Start is 0 if the table has no place.
// VCFStart is 0 if there are no alleles, as for copy numbers.
type Place struct {
	Assembly, Chromosome string
	Start, End, VCFStart int
	Ref, Alt             string
}

// Genes returns the symbols in GeneText.
func (v *Variant) Genes() []string { return SplitGenes(v.GeneText) }

// SplitGenes returns the symbols in a text of the column GeneSymbol: one symbol, several with semicolons, or
// "subset of 145 genes: A:B". A text such as "covers 10 genes, ..." names none.
func SplitGenes(text string) []string {
	switch _, list, isSubset := strings.Cut(text, " genes: "); {
	case isSubset && strings.HasPrefix(text, "subset of "):
		return strings.FieldsFunc(list, func(r rune) bool { return r == ':' || r == ' ' })
	case text == "" || strings.Contains(text, " "):
		return nil
	}
	return strings.Split(text, ";")
}

// Keys of [Table.Find]. They are exact, as the table spells the names.

// IDKey returns the key of a VariationID.
func IDKey(id string) string { return "id " + id }

// NameKey returns the key of an accession such as rs1800562, CA113795 or RCV000000019, or of the whole name of a
// variant. A transcript's change has a key without the version of the transcript.
func NameKey(name string) string {
	if accession, change, ok := strings.Cut(name, ":"); ok && !strings.ContainsAny(accession, " (") {
		accession, _, _ = strings.Cut(accession, ".")
		return accession + ":" + change
	}
	return name
}

// ChangeKey returns the key of a gene's change, c.845G>A or p.Cys282Tyr. The change alone is a key too.
func ChangeKey(gene, change string) string { return gene + " " + change }

// PlaceKey returns the key of a change on a chromosome. start counts from 1. Bases that ref and alt share are removed.
func PlaceKey(assembly, chromosome string, start int, ref, alt string) string {
	for ref != "" && alt != "" && ref[len(ref)-1] == alt[len(alt)-1] {
		ref, alt = ref[:len(ref)-1], alt[:len(alt)-1]
	}
	for ref != "" && alt != "" && ref[0] == alt[0] {
		ref, alt, start = ref[1:], alt[1:], start+1
	}
	return assembly + " " + chromosome + " " + strconv.Itoa(start) + " " + ref + " " + alt
}

// SplitName returns the parts of a name such as NM_000410.4(HFE):c.845G>A (p.Cys282Tyr). They are "" if absent.
func SplitName(name string) (accession, gene, change, protein string) {
	accession, change, ok := strings.Cut(name, ":")
	if !ok || strings.Contains(accession, " ") {
		return "", "", "", ""
	}
	if accession, gene, ok = strings.Cut(accession, "("); ok {
		gene = strings.TrimSuffix(gene, ")")
	}
	if before, after, ok := strings.Cut(change, " (p."); ok {
		change, protein = before, "p."+strings.TrimSuffix(after, ")")
	}
	return accession, gene, change, protein
}

// keys returns all keys of a variant except those of its places.
func (v *Variant) keys() []string {
	keys := append([]string{IDKey(strconv.Itoa(v.VariationID)), v.Name}, v.RCVs...)
	if v.RS > 0 {
		keys = append(keys, "rs"+strconv.Itoa(v.RS))
	}
	if v.CAID != "" {
		keys = append(keys, v.CAID)
	}
	if v.DBVar != "" {
		isSeparator := func(r rune) bool { return r == ';' || r == ',' || r == '|' }
		keys = append(keys, strings.FieldsFunc(v.DBVar, isSeparator)...)
	}
	accession, gene, change, protein := SplitName(v.Name)
	if accession == "" {
		return keys
	}
	keys = append(keys, NameKey(accession+":"+change), change)
	if protein != "" {
		keys = append(keys, protein)
	}
	for _, symbol := range v.numberedGenes(gene) {
		if symbol == "" {
			continue
		}
		keys = append(keys, ChangeKey(symbol, change))
		if protein != "" {
			keys = append(keys, ChangeKey(symbol, protein))
		}
	}
	return keys
}

// maxNumbered is the maximum number of genes of a variant with keys of its changes.
const maxNumbered = 8

// numberedGenes returns the symbols of the gene on whose transcript the changes are numbered. In a list of genes with
// the gene of the name, the others have other numbers.
func (v *Variant) numberedGenes(gene string) []string {
	all := v.Genes()
	switch {
	case gene != "" && (len(all) > 1 || slices.Contains(all, gene)):
		return []string{gene}
	case gene != "":
		all = append(all, gene) // the symbol before and after it was changed
	}
	return all[:min(len(all), maxNumbered)]
}

// key returns the key of a place, or "" if it has no alleles.
func (p *Place) key() string {
	if p.VCFStart == 0 {
		return ""
	}
	return PlaceKey(p.Assembly, p.Chromosome, p.VCFStart, p.Ref, p.Alt)
}

// hasKey reports whether a key is one of the variant.
func (v *Variant) hasKey(key string) bool {
	return slices.Contains(v.keys(), key) ||
		slices.ContainsFunc(v.Places, func(p Place) bool { return p.key() == key })
}

// dictionaries number the texts that repeat.
type dictionary int

const (
	words      dictionary = iota // types, classes, review statuses, origins, bands, assemblies, chromosomes
	genes                        // texts of the column GeneSymbol
	conditions                   // name, then a tab and its ids if there are any
	lists                        // lists of conditions: their numbers
	dictionaries
)

// noWord is the number of the empty text among the words.
const noWord = 0

// appendTo appends the record to a block; number returns the number of a text.
func (v *Variant) appendTo(b []byte, list uint32, number func(dictionary, string) uint32) []byte {
	put := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	word := func(text string) { put(int(number(words, text))) }
	put(v.VariationID)
	put(v.AlleleID)
	b = appendText(b, v.Name)
	word(v.Type)
	put(int(number(genes, v.GeneText)))
	put(v.RS)
	allele, _ := strconv.Atoi(strings.TrimPrefix(v.CAID, "CA"))
	put(allele)
	b = appendText(b, v.DBVar)
	put(len(v.RCVs))
	for _, accession := range v.RCVs {
		n, _ := strconv.Atoi(strings.TrimPrefix(accession, "RCV"))
		put(n)
	}
	for _, c := range v.classifications() {
		if word(c.Class); c.Class != "" {
			word(c.Review)
			put(dayOf(c.Evaluated))
		}
	}
	put(int(list))
	word(v.Origin)
	word(v.Cytogenetic)
	put(v.Submitters)
	put(len(v.Places))
	for _, p := range v.Places {
		b = p.appendTo(b, number)
	}
	return b
}

func (p *Place) appendTo(b []byte, number func(dictionary, string) uint32) []byte {
	b = binary.AppendUvarint(b, uint64(number(words, p.Assembly)))
	b = binary.AppendUvarint(b, uint64(number(words, p.Chromosome)))
	b = binary.AppendUvarint(b, uint64(p.Start))
	b = binary.AppendVarint(b, int64(p.End-p.Start))
	b = binary.AppendVarint(b, int64(p.VCFStart-p.Start))
	return appendText(appendText(b, p.Ref), p.Alt)
}

// classifications returns the three kinds, in the order of the columns.
func (v *Variant) classifications() [3]*Classification {
	return [3]*Classification{&v.Germline, &v.Impact, &v.Oncogenicity}
}

// caid returns the id of ClinGen with a number. It has at least six digits: CA000895.
func caid(n int) string { return fmt.Sprintf("CA%06d", n) }

func readVariant(d *decode, text func(dictionary, uint64) string) *Variant {
	v := &Variant{}
	n := func() int { return int(d.number()) }
	word := func() string { return text(words, d.number()) }
	v.VariationID, v.AlleleID, v.Name, v.Type = n(), n(), d.text(), word()
	v.GeneText, v.RS = text(genes, d.number()), n()
	if allele := n(); allele > 0 {
		v.CAID = caid(allele)
	}
	v.DBVar = d.text()
	for range min(n(), len(d.body)) {
		v.RCVs = append(v.RCVs, fmt.Sprintf("RCV%09d", n()))
	}
	for _, c := range v.classifications() {
		if class := d.number(); class != noWord {
			c.Class, c.Review, c.Evaluated = text(words, class), word(), dateOf(n())
		}
	}
	list := decode{body: []byte(text(lists, d.number()))}
	for len(list.body) > 0 {
		name, ids, _ := strings.Cut(text(conditions, list.number()), "\t")
		c := Condition{Name: name}
		if ids != "" {
			c.IDs = strings.Split(ids, ",")
		}
		v.Conditions = append(v.Conditions, c)
	}
	v.Origin, v.Cytogenetic, v.Submitters = word(), word(), n()
	for range min(n(), len(d.body)) {
		v.Places = append(v.Places, readPlace(d, text))
	}
	return v
}

func readPlace(d *decode, text func(dictionary, uint64) string) Place {
	p := Place{Assembly: text(words, d.number()), Chromosome: text(words, d.number()), Start: int(d.number())}
	p.End, p.VCFStart = p.Start+d.signed(), p.Start+d.signed()
	p.Ref, p.Alt = d.text(), d.text()
	return p
}

// dayOf returns the number of a date such as 2026-02-13 in days since 1900, 0 if there is none.
func dayOf(date string) int {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0
	}
	return int(t.Sub(firstDay) / (24 * time.Hour))
}

func dateOf(day int) string {
	if day == 0 {
		return ""
	}
	return firstDay.AddDate(0, 0, day).Format(time.DateOnly)
}

var firstDay = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
