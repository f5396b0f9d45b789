package weaviate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-openapi/strfmt"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// objects are the chunks of a document as the server keeps them.
func (x *Index) objects(d *store.Document) ([]*models.Object, error) {
	model, dim := x.vectors()
	fill := x.fills()
	shared := map[string]any{
		propPMID: d.PMID.String(), propNumber: int64(d.PMID),
		propJournal: cmp.Or(d.Journal.MedlineTA, d.Journal.ISOAbbreviation, d.Journal.Title), propPubTypes: d.PubTypes,
		propEDAT: d.EDAT, propLR: d.LR, propSourceURL: "https://pubmed.ncbi.nlm.nih.gov/" + d.PMID.String() + "/",
		propPMIDVersion: d.PMIDVersion, propVersion: d.Version, propFacts: d.Facts,
		propRetracted: d.Retracted, propHasPMC: d.PMCID != "", propIndexed: d.Indexed, propHuman: d.Human, propAnimal: d.Animal,
		propTypeNames: names(d.PubTypes...), propMeshNames: headings(d.Mesh),
		propJournalNames: names(d.Journal.Title, d.Journal.ISOAbbreviation, d.Journal.MedlineTA, d.Journal.NLMID, d.Journal.ISSN),
	}
	if date, ok := record.ParseDate(d.PDat); ok {
		shared[propDate], shared[propYear] = int64(date.First().Number()), int64(date.Year)
	}
	list := make([]*models.Object, len(d.Chunks))
	for i, c := range d.Chunks {
		own := make(map[string]any, len(shared)+8)
		for name, value := range shared {
			own[name] = value
		}
		terms, places := encodeTokens(c.Tokens, c.Length, fill)
		own[propChunkID], own[propOrdinal], own[propText] = c.ID, i, c.Text
		own[propTerms], own[propPlaces], own[propLength], own[propDigest] = terms, places, cmp.Or(c.Length, len(c.Tokens)), digest(terms)
		o := &models.Object{Class: x.class, ID: strfmt.UUID(rag.UUID(d.PMID, c.ID)), Properties: own}
		if c.Vector != nil {
			if len(c.Vector) != dim {
				return nil, newError(Invariant, "store", "PMID %d has a vector of %d numbers, the index is for %d", d.PMID, len(c.Vector), dim)
			}
			o.Vectors = models.Vectors{vectorName: c.Vector}
			own[propModel] = printable(model)
		}
		list[i] = o
	}
	return list, nil
}

// digest is the same for equal terms, and hardly for others.
func digest(terms string) string {
	sum := sha256.Sum256([]byte(terms))
	return hex.EncodeToString(sum[:8])
}

// hitFields are the properties that a hit is made of.
const hitFields = propPMID + " " + propChunkID + " " + propOrdinal + " " + propDate + " " + propFacts + " " +
	propRetracted + " " + propHasPMC + " " + propIndexed + " " + propHuman + " " + propAnimal

// hit reads what ranking needs; ok is false for an object that is none of ours.
func (r row) hit() (h store.Hit, ok bool) {
	pmid, err := record.ParsePMID(r.text(propPMID))
	h = store.Hit{
		PMID: pmid, Ordinal: int(r.number(propOrdinal)), ChunkID: r.text(propChunkID),
		Date: int(r.number(propDate)), Facts: uint32(r.number(propFacts)),
	}
	for _, f := range []struct {
		name string
		flag store.Flags
	}{
		{propRetracted, store.FlagRetracted}, {propHasPMC, store.FlagPMC}, {propIndexed, store.FlagIndexed},
		{propHuman, store.FlagHuman}, {propAnimal, store.FlagAnimal},
	} {
		if r.is(f.name) {
			h.Flags |= f.flag
		}
	}
	return h, err == nil && h.ChunkID != ""
}

// compareHits orders by score, then by PMID and ordinal.
func compareHits(a, b store.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
}

// filler begins the words that stand in terms for repetitions.
const filler = "~"

// encodeTokens writes tokens as the properties terms and places. Places holds for
// each token how far it is from the one before, as a digit to the base of 36; a z
// stands for 35 and more to come.
func encodeTokens(tokens []store.Token, length int, fill bool) (terms, places string) {
	tokens = slices.Clone(tokens)
	slices.SortStableFunc(tokens, func(a, b store.Token) int { return cmp.Compare(a.Pos, b.Pos) })
	var words, at strings.Builder
	different := make(map[string]bool, len(tokens))
	last := uint32(0)
	for _, t := range tokens {
		term := plainTerm(t.Term)
		different[term] = true
		words.WriteString(term)
		words.WriteByte(' ')
		step := t.Pos - last
		for ; step >= 35; step -= 35 {
			at.WriteByte('z')
		}
		at.WriteString(strconv.FormatUint(uint64(step), 36))
		last = t.Pos
	}
	missing := cmp.Or(length, len(tokens)) - len(tokens)
	if fill {
		missing += len(tokens) - len(different)
	}
	for i := range missing {
		words.WriteString(filler)
		if i > 0 {
			words.WriteString(strconv.FormatInt(int64(i), 36))
		}
		words.WriteByte(' ')
	}
	return strings.TrimSuffix(words.String(), " "), at.String()
}

// decodeTokens reads the tokens of a chunk. Where places is "", all are at 0.
func decodeTokens(terms, places string) []store.Token {
	tokens := make([]store.Token, 0, len(terms)/6)
	pos, i := uint32(0), 0
	for term := range strings.FieldsSeq(terms) {
		if strings.HasPrefix(term, filler) {
			break
		}
		for ; i < len(places) && places[i] == 'z'; i++ {
			pos += 35
		}
		if i < len(places) {
			step, _ := strconv.ParseUint(places[i:i+1], 36, 32)
			pos += uint32(step)
			i++
		}
		tokens = append(tokens, store.Token{Term: term, Pos: pos})
	}
	return tokens
}

// printable replaces what a GraphQL string may not hold as the client writes it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, text)
}

// plainTerm is a term as one word of the server's: without blanks, and no filler.
func plainTerm(term string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == rune(filler[0]) {
			return '_'
		}
		return r
	}, printable(term))
}

func names(list ...string) []string {
	folded := []string{}
	for _, name := range list {
		if name = fold(name); name != "" && !slices.Contains(folded, name) {
			folded = append(folded, name)
		}
	}
	return folded
}

func headings(list []store.Heading) []string {
	var all []string
	for _, h := range list {
		all = append(all, h.Descriptor, h.UI)
	}
	return names(all...)
}

// fold makes names comparable as the embedded engine does: lower case, single
// spaces, without the points of abbreviations.
func fold(name string) string {
	return printable(strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), ".", " ")), " "))
}
