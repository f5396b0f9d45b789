package weaviate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
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

// objects converts the chunks of a document to objects of the server.
func (x *Index) objects(d *store.Document) ([]*models.Object, error) {
	used, second := x.modelOf(passage), x.modelOf(local)
	fill := x.needsFillers()
	shared := map[string]any{
		propPMID: d.PMID.String(), propNumber: int64(d.PMID),
		propJournal: cmp.Or(d.Journal.MedlineTA, d.Journal.ISOAbbreviation, d.Journal.Title), propPubTypes: d.PubTypes,
		propEDAT: d.EDAT, propLR: d.LR, propSourceURL: "https://pubmed.ncbi.nlm.nih.gov/" + d.PMID.String() + "/",
		propPMIDVersion: d.PMIDVersion, propVersion: d.Version, propFacts: d.Facts,
		propRetracted: d.Retracted, propHasPMC: d.PMCID != "", propIndexed: d.Indexed,
		propHuman: d.Human, propAnimal: d.Animal,
		propTypeNames: names(d.PubTypes...), propMeshNames: headings(d.Mesh),
		propJournalNames: names(d.Journal.Title, d.Journal.ISOAbbreviation, d.Journal.MedlineTA,
			d.Journal.NLMID, d.Journal.ISSN),
	}
	if date, ok := record.ParseDate(d.PDat); ok {
		shared[propDate], shared[propYear] = int64(date.First().Number()), int64(date.Year)
	}
	list := make([]*models.Object, len(d.Chunks))
	for i, c := range d.Chunks {
		own := maps.Clone(shared)
		terms, places := encodeTokens(c.Tokens, c.Length, fill)
		own[propChunkID], own[propOrdinal], own[propText] = c.ID, i, c.Text
		own[propTerms], own[propPlaces], own[propDigest] = terms, places, digest(terms)
		own[propLength] = cmp.Or(c.Length, len(c.Tokens))
		o := &models.Object{Class: x.class, ID: strfmt.UUID(rag.UUID(d.PMID, c.ID)), Properties: own}
		for v, values := range [][]float32{c.Vector, c.SecondVector} {
			m := [...]model{used, second}[v]
			switch {
			case len(values) == 0, vector(v) == local && m.name == "":
				continue
			case len(values) != m.dim:
				return nil, newError(Invariant, "store",
					"PMID %d has a vector of dimension %d, the index has dimension %d", d.PMID, len(values), m.dim)
			case o.Vectors == nil:
				o.Vectors = models.Vectors{}
			}
			o.Vectors[vector(v).String()] = values
			own[vector(v).property()] = printable(m.name)
		}
		list[i] = o
	}
	return list, nil
}

// digest returns 64 bits of a hash of a chunk's terms.
func digest(terms string) string {
	sum := sha256.Sum256([]byte(terms))
	return hex.EncodeToString(sum[:8])
}

// hitFields lists the properties that row.hit needs.
const hitFields = propPMID + " " + propChunkID + " " + propOrdinal + " " + propDate + " " + propFacts

// hit converts an object to a hit. ok is false if this program did not write the object.
func (r row) hit() (h store.Hit, ok bool) {
	pmid, err := record.ParsePMID(r.text(propPMID))
	h = store.Hit{
		PMID: pmid, Ordinal: int(r.number(propOrdinal)), ChunkID: r.text(propChunkID),
		Date: int(r.number(propDate)), Facts: uint32(r.number(propFacts)),
	}
	return h, err == nil && h.ChunkID != ""
}

// compareHits orders hits by score, then by PMID and ordinal.
func compareHits(a, b store.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
}

// filler is the prefix of the words that are added to terms for repeated terms.
const filler = "~"

// encodeTokens encodes tokens as the properties terms and places. places has, for each token,
// its distance from the preceding one as a digit in base 36. The digit z means 35 plus the
// digits that follow.
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

// decodeTokens decodes the tokens of a chunk. If places is "", all positions are zero.
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

// printable replaces characters that the client's GraphQL strings must not contain.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '_'
		}
		return r
	}, text)
}

// plainTerm converts a term to one word for the server: without spaces, and distinct from
// fillers.
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

// fold returns a name in the form that filters compare, as in the embedded engine: in lower
// case, with single spaces, without the points of abbreviations.
func fold(name string) string {
	return printable(strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(name), ".", " ")), " "))
}
