package ragtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/vectors"
)

// Dim is the dimension of the vectors of Documents.
const Dim = 16

// vocabulary holds the words of Documents, most frequent first. It includes names with variant
// spellings.
var vocabulary = strings.Fields(`patients treatment cells disease heart failure insulin therapy cancer IL-6 p53 tumour
	aspirin glucose TNF-α kinase receptor mice expression inflammation beta-blocker stroke type-2 diabetes renal lung
	metastases biopsy HLA-A*02:01 vitamin liver oedema antibody CD8+ neurons genome statin asthma sepsis lens cataract`)

// Documents generates n synthetic documents with chunks and vectors. Their PMIDs are 1000,
// 1003, 1006, ... The i-th document does not depend on n. Some are long, some have no abstract,
// and each property that a filter tests holds for some but not all.
func Documents(n int) []*store.Document {
	docs := make([]*store.Document, n)
	c := rag.NewCutter()
	for i := range docs {
		docs[i] = document(c, i, 1)
	}
	return docs
}

// RevisedDocument generates a newer version of the i-th document of Documents, with another, shorter
// text.
func RevisedDocument(i int) *store.Document { return document(rag.NewCutter(), i, 2) }

func document(c *rag.Cutter, i, edition int) *store.Document {
	r := rand.New(rand.NewPCG(uint64(i), uint64(edition)))
	words := func(n int) string {
		var b strings.Builder
		for j := range n {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(vocabulary[int(float64(len(vocabulary))*math.Pow(r.Float64(), 2))])
			if j%12 == 11 {
				b.WriteByte('.')
			}
		}
		return b.String()
	}
	year, month := fmt.Sprint(2000+i%25), fmt.Sprintf("-%02d", 1+i%12)
	d := &store.Document{
		PMID: record.PMID(1000 + 3*i), PMIDVersion: 1, LR: fmt.Sprintf("2024-0%d-01T00:00:00Z", edition),
		Title: words(4 + r.IntN(8)),
		Journal: store.Journal{
			Title:     fmt.Sprintf("Journal of Number %d", i%5),
			MedlineTA: fmt.Sprintf("J Num %d", i%5),
			ISSN:      fmt.Sprintf("0000-000%d", i%5),
		},
		PubTypes:  []string{"Journal Article", []string{"Review", "Randomized Controlled Trial", "Case Reports"}[i%3]},
		PDat:      []string{year, year + month, year + month + fmt.Sprintf("-%02d", 1+i%28), ""}[i%4],
		Indexed:   i%2 == 0,
		Human:     i%6 == 0,
		Animal:    i%10 == 0,
		Retracted: i%11 == 0,
	}
	if i%7 == 0 {
		d.PMCID = fmt.Sprintf("PMC%d", i)
	}
	if i%2 == 0 {
		d.Mesh = []store.Heading{
			{Descriptor: vocabulary[i%len(vocabulary)], UI: fmt.Sprintf("D%06d", i%len(vocabulary))},
			{Descriptor: "Humans", UI: "D006801"},
		}
	}
	switch length := r.IntN(10); {
	case edition == 2:
		d.Abstract = words(40)
	case length == 0: // no abstract
	case length < 8:
		d.Abstract = words(60 + r.IntN(200))
	default:
		d.Abstract = words(700 + r.IntN(500))
	}
	d.Facts = rag.Facts(d)
	c.Cut(d)
	for j := range d.Chunks {
		if i%13 != 0 { // some texts have no vector
			d.Chunks[j].Vector = roundVector(vector(r))
		}
	}
	return d
}

// roundVector rounds v as the corpus does when it stores a vector, and returns it. All engines
// get rounded vectors, so that storing does not change them again.
func roundVector(v []float32) []float32 {
	space := vectors.NewSpace(Dim)
	space.DecodeBytes(v, space.AppendBytes(nil, v))
	return v
}

// vector returns a random vector of length 1.
func vector(r *rand.Rand) []float32 {
	v, sum := make([]float32, Dim), 0.0
	for i := range v {
		x := r.NormFloat64()
		v[i], sum = float32(x), sum+x*x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
