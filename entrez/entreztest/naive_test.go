package entreztest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// A second evaluator to check the first one. It has no index, and tests each term on every article.
type naive struct {
	articles map[string]*pubmed.Article
}

type naiveQuery struct {
	text string // as sent
	// dropped is true if no article matches; in is then not called.
	dropped bool
	in      func(*pubmed.Article) bool
}

func (n naive) leaf(text string, in func(*pubmed.Article) bool, canDrop bool) naiveQuery {
	q := naiveQuery{text: text, in: in}
	if canDrop {
		q.dropped = true
		for _, a := range n.articles {
			if in(a) {
				q.dropped = false
				break
			}
		}
	}
	return q
}

func plainWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
}

func hasRun(text, phrase string) bool {
	in, want := plainWords(text), plainWords(phrase)
	for i := 0; i+len(want) <= len(in); i++ {
		if slices.Equal(in[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

func titleOrAbstract(a *pubmed.Article, phrase string) bool {
	if hasRun(a.Title, phrase) {
		return true
	}
	for _, s := range a.Sections {
		if hasRun(s.Text, phrase) || hasRun(s.Label, phrase) {
			return true
		}
	}
	return slices.ContainsFunc(a.Keywords, func(k string) bool { return hasRun(k, phrase) })
}

// random returns a query of up to depth levels, and its meaning.
func (n naive) random(rng *rand.Rand, depth int) naiveQuery {
	if depth > 0 && rng.IntN(4) > 0 {
		parts := 2 + rng.IntN(3)
		sum := n.random(rng, depth-1)
		text := sum.text
		for range parts - 1 {
			op := []string{"AND", "OR", "NOT"}[rng.IntN(3)]
			right := n.random(rng, depth-1)
			text += " " + op + " " + right.text
			left := sum
			switch {
			case right.dropped:
			case left.dropped && op == "NOT": // NOT without a left side
			case left.dropped:
				sum = right
			case op == "AND":
				sum.in = func(a *pubmed.Article) bool { return left.in(a) && right.in(a) }
			case op == "OR":
				sum.in = func(a *pubmed.Article) bool { return left.in(a) || right.in(a) }
			default:
				sum.in = func(a *pubmed.Article) bool { return left.in(a) && !right.in(a) }
			}
		}
		sum.text = "(" + text + ")"
		return sum
	}
	list := vocabulary()
	w := list[rng.IntN(40)]
	if strings.Contains(w, "-") || rng.IntN(8) == 0 {
		w = list[rng.IntN(len(list))] // probably in no record
	}
	year := 2005 + rng.IntN(20)
	inYears := func(date string) bool {
		return len(date) >= 4 && date[:4] >= fmt.Sprint(year) && date[:4] <= fmt.Sprint(year+2)
	}
	switch rng.IntN(9) {
	case 0:
		return n.leaf(w+"[ti]", func(a *pubmed.Article) bool { return hasRun(a.Title, w) }, true)
	case 1:
		v := list[rng.IntN(20)]
		return n.leaf(fmt.Sprintf("%q[tiab]", w+" "+v), func(a *pubmed.Article) bool { return titleOrAbstract(a, w+" "+v) }, true)
	case 2:
		h := madeHeadings[rng.IntN(len(madeHeadings))].name
		return n.leaf(fmt.Sprintf("%q[mh]", h), func(a *pubmed.Article) bool {
			return slices.ContainsFunc(a.Mesh, func(m pubmed.Mesh) bool { return m.Descriptor == h })
		}, true)
	case 3:
		pt := []string{"Case Reports", "Meta-Analysis", "Editorial"}[rng.IntN(3)]
		return n.leaf(pt+"[pt]", func(a *pubmed.Article) bool { return slices.Contains(a.PublicationTypes, pt) }, true)
	case 4:
		return n.leaf(fmt.Sprintf("%d:%d[crdt]", year, year+2), func(a *pubmed.Article) bool { return inYears(a.Dates.Entrez) }, false)
	case 5:
		return n.leaf(fmt.Sprintf("%d:%d[mdat]", year, year+2), func(a *pubmed.Article) bool { return inYears(a.Dates.LastRevised) }, false)
	case 6:
		lo := FirstSynthetic + rng.IntN(200)
		return n.leaf(fmt.Sprintf("%d:%d[uid]", lo, lo+60), func(a *pubmed.Article) bool {
			id := int(atoi32(a.PMID))
			return lo <= id && id <= lo+60
		}, false)
	case 7:
		last := lastNames[rng.IntN(len(lastNames))]
		if !isASCII(last) {
			last = "Jensen"
		}
		return n.leaf(last+"[au]", func(a *pubmed.Article) bool {
			return slices.ContainsFunc(a.Authors, func(p pubmed.Author) bool { return p.LastName == last })
		}, true)
	}
	return n.leaf(w+"[tiab]", func(a *pubmed.Article) bool { return titleOrAbstract(a, w) }, true)
}

func TestSearchAgreesWithLookingAtEveryArticle(t *testing.T) {
	data := new(bytes.Buffer)
	if _, err := data.ReadFrom(Generate(250, 7)); err != nil {
		t.Fatal(err)
	}
	n := naive{articles: map[string]*pubmed.Article{}}
	for item, err := range pubmed.Scan(bytes.NewReader(data.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		n.articles[item.Article.PMID] = item.Article
	}
	s := New(t, XML(data), NoLimit(), WithoutNetwork())
	// Add, delete and change some records first.
	s.Delete("70000010", "70000100")
	delete(n.articles, "70000010")
	delete(n.articles, "70000100")
	if err := s.Revise("70000020", Revision{Title: "Cells and patients in a study of nothing"}); err != nil {
		t.Fatal(err)
	}
	n.articles["70000020"] = s.Article("70000020")

	rng := rand.New(rand.NewPCG(3, 4))
	hits, empty, drops := 0, 0, 0
	for range 150 {
		q := n.random(rng, 3)
		want := []string{}
		for id, a := range n.articles {
			if !q.dropped && q.in(a) {
				want = append(want, id)
			}
		}
		got := look(t, s, q.text, "retmax", "1000")
		slices.Sort(want)
		slices.Sort(got.IDs)
		if !slices.Equal(got.IDs, want) {
			t.Fatalf("%s\nfound %d %v\nwant  %d %v\n%s", q.text, len(got.IDs), got.IDs, len(want), want, got.Translation)
		}
		if len(want) > 0 {
			hits++
		} else {
			empty++
		}
		if len(got.Errors.PhrasesNotFound)+len(got.Warnings.QuotedPhrasesNotFound) > 0 {
			drops++
		}
		// A search for NCBI's translation has the same result.
		if len(want) > 0 && len(got.Translation) < 4000 {
			again := look(t, s, got.Translation, "retmax", "1000")
			slices.Sort(again.IDs)
			if !slices.Equal(again.IDs, want) {
				t.Fatalf("%s\ntranslated %s\nfinds %d, not %d", q.text, got.Translation, len(again.IDs), len(want))
			}
		}
	}
	if hits < 60 || empty < 10 || drops < 30 {
		t.Errorf("a weak test: %d with hits, %d without, %d with dropped phrases", hits, empty, drops)
	}
}
