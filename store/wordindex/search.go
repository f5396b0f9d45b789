package wordindex

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/store/postings"
	"biomcp/store/rows"
)

// Search returns the k best chunks for q that pass the filter, the best first. Equal scores are
// ordered by PMID, then ordinal. The result is the same as that of scoring every chunk.
func (x *Index) Search(ctx context.Context, q Query, f Filter, k int) ([]Hit, error) {
	hits := []Hit{}
	filter, err := f.Compile()
	if err != nil || k <= 0 {
		return hits, err
	}
	err = x.db.Read(ctx, "search", func(r *rows.Conn) error {
		e, err := x.begin(ctx, r)
		if err != nil {
			return err
		}
		top, err := e.run(q, filter, k)
		if err != nil {
			return err
		}
		hits, err = describe(e.src, e.ix, top.Hits())
		return err
	})
	return hits, err
}

// DocFreq returns the number of chunks that hold each term.
func (x *Index) DocFreq(ctx context.Context, terms ...string) ([]int64, error) {
	df := make([]int64, len(terms))
	err := x.db.Read(ctx, "search", func(r *rows.Conn) error {
		e, err := x.begin(ctx, r)
		if err != nil {
			return err
		}
		for _, t := range slices.Sorted(slices.Values(terms)) { // sorted, so that each block is read once
			if _, err := e.term(t); err != nil {
				return err
			}
		}
		for i, t := range terms {
			df[i] = e.terms[CutTerm(t)].df
		}
		return ctx.Err()
	})
	return df, err
}

// search is one run of a query over the segments of a snapshot.
type search struct {
	ctx   context.Context
	src   Source
	ix    *Snapshot
	model *postings.BM25
	terms map[string]*termInfo
	dicts []*postings.Finder
	views []*postings.View
}

// begin returns a search at the snapshot of r.
func (x *Index) begin(ctx context.Context, r *rows.Conn) (*search, error) {
	ix, err := x.Load(r)
	if err != nil {
		return nil, err
	}
	e := &search{ctx: ctx, src: x.Source(r), ix: ix, model: ix.scores(), terms: map[string]*termInfo{}}
	for _, g := range ix.Segments {
		e.dicts = append(e.dicts, g.Finder(e.src))
	}
	return e, nil
}

// termInfo holds a term's data in all segments.
type termInfo struct {
	lists []*postings.List // list in each segment; nil if the segment does not have the term
	df    int64
}

func (e *search) term(text string) (*termInfo, error) {
	text = CutTerm(text)
	if info := e.terms[text]; info != nil {
		return info, nil
	}
	info := &termInfo{lists: make([]*postings.List, len(e.ix.Segments))}
	if postings.IsText(text) {
		for i, g := range e.ix.Segments {
			l, err := e.dicts[i].List([]byte(text))
			if err != nil {
				return nil, err
			}
			if info.lists[i] = l; l == nil {
				continue
			}
			n, err := g.df(e.src, text, l)
			if err != nil {
				return nil, err
			}
			info.df += n
		}
	}
	e.terms[text] = info
	return info, nil
}

// df returns the number of live chunks of a list.
func (g *Segment) df(src Source, term string, l *postings.List) (int64, error) {
	if g.RemovedChunks == nil {
		return int64(l.DF), nil
	}
	key := fmt.Sprint("df ", g.ID, " ", g.removedGeneration, " ", term)
	if n, ok := src.Recall(key).(int64); ok {
		return n, nil
	}
	n, err := (&postings.View{Seg: g.Segment, Src: src}).LiveDF(l, g.RemovedChunks)
	if err == nil {
		src.Remember(key, n, len(key)+8)
	}
	return n, err
}

func (e *search) idf(df int64) float64 { return postings.IDF(e.ix.Chunks, df) }

func (e *search) run(q Query, f CompiledFilter, k int) (*postings.Top, error) {
	top := postings.NewTop(k)
	for _, g := range e.ix.Segments {
		accept, err := g.acceptedChunks(e.src, f)
		if err != nil {
			return nil, err
		}
		e.views = append(e.views, &postings.View{Seg: g.Segment, Src: e.src, Accept: accept})
	}
	if words := map[string]float64{}; onlyTerms(q, words) {
		return top, e.searchAny(words, top)
	}
	plan, err := e.plan(q)
	if err != nil {
		return nil, err
	}
	parts := make([]func(context.Context) error, len(e.views))
	for i, v := range e.views {
		parts[i] = func(ctx context.Context) error {
			it, err := plan(i)
			if err != nil {
				return err
			}
			return postings.Walk(ctx, v, it, i, top)
		}
	}
	return top, e.runParts(parts)
}

// onlyTerms adds the weights of the terms of q to words. It reports whether q consists only of
// terms and Ors.
func onlyTerms(q Query, words map[string]float64) bool {
	switch q := q.(type) {
	case Term:
		words[CutTerm(q.Text)] += weightOf(q.Weight)
		return q.Scope == Anywhere
	case Or:
		for _, part := range q {
			if !onlyTerms(part, words) {
				return false
			}
		}
		return true
	}
	return false
}

func weightOf(w float64) float64 {
	if w == 0 {
		return 1
	}
	return max(w, 0)
}

// iteratorFunc creates the iterator of a query for one segment. It is safe for concurrent use for
// several segments.
type iteratorFunc = func(segment int) (postings.Iterator, error)

func matchNone(int) (postings.Iterator, error) { return postings.NewOr(), nil }

// plan collects the data that a query needs from all segments before it searches any.
func (e *search) plan(q Query) (iteratorFunc, error) {
	switch q := q.(type) {
	case Term:
		if q.Scope != Anywhere {
			return e.planPhrase(Phrase{Slots: []Slot{{Terms: []string{q.Text}}}, Weight: q.Weight, Scope: q.Scope})
		}
		info, err := e.term(q.Text)
		if err != nil {
			return nil, err
		}
		weight := weightOf(q.Weight) * e.idf(info.df)
		return func(i int) (postings.Iterator, error) {
			if info.lists[i] == nil {
				return matchNone(i)
			}
			return postings.NewTerm(e.views[i], postings.WeightedTerm{List: info.lists[i], Weight: weight}, e.model)
		}, nil
	case Or:
		parts, err := mapErr(q, e.plan)
		return func(i int) (postings.Iterator, error) {
			its, err := iterators(parts, i)
			return postings.NewOr(its...), err
		}, err
	case And:
		return e.planAnd(q)
	case Not:
		return e.planAnd(And{q})
	case Phrase:
		return e.planPhrase(q)
	case Prefix:
		return e.planPrefix(q)
	case Where:
		return e.planWhere(q.Filter)
	case All:
		return func(i int) (postings.Iterator, error) { return postings.NewAll(e.views[i]), nil }, nil
	case Documents:
		docs, err := e.planDocuments(q.Query)
		return func(i int) (postings.Iterator, error) {
			d, err := docs(i)
			if err != nil {
				return nil, err
			}
			return postings.NewDocumentChunks(e.views[i], d), nil
		}, err
	}
	return matchNone, nil
}

// mapErr returns the results of f for each member of a list.
func mapErr[T, U any](list []T, f func(T) (U, error)) (all []U, err error) {
	for _, x := range list {
		y, err := f(x)
		if err != nil {
			return nil, err
		}
		all = append(all, y)
	}
	return all, nil
}

// iterators returns the iterators of all parts for one segment.
func iterators[T any](parts []func(segment int) (T, error), segment int) ([]T, error) {
	return mapErr(parts, func(p func(int) (T, error)) (T, error) { return p(segment) })
}

func (e *search) planAnd(q And) (iteratorFunc, error) {
	wanted, unwanted := q.split()
	parts, err := mapErr(wanted, e.plan)
	if err != nil {
		return nil, err
	}
	not, err := mapErr(unwanted, e.plan)
	if err != nil {
		return nil, err
	}
	return func(i int) (postings.Iterator, error) {
		its, err := iterators(parts, i)
		if err != nil {
			return nil, err
		}
		nots, err := iterators(not, i)
		return postings.NewAnd(its, nots), err
	}, nil
}

func (e *search) planPhrase(q Phrase) (iteratorFunc, error) {
	if len(q.Slots) == 0 {
		return matchNone, nil
	}
	var infos [][]*termInfo
	idf := 0.0
	for _, slot := range q.Slots {
		var list []*termInfo
		rarest := 0.0
		for _, t := range slices.Compact(slices.Sorted(slices.Values(slot.Terms))) {
			info, err := e.term(t)
			if err != nil {
				return nil, err
			}
			list = append(list, info)
			rarest = max(rarest, e.idf(info.df))
		}
		infos = append(infos, list)
		idf += rarest
	}
	weight := weightOf(q.Weight) * idf
	bounds, err := e.bounds(q.Scope)
	return func(i int) (postings.Iterator, error) {
		if q.Scope != Anywhere && bounds[i] == nil {
			return matchNone(i)
		}
		var slots []postings.SlotLists
		for n, list := range infos {
			slot := postings.SlotLists{At: q.Slots[n].At}
			for _, info := range list {
				if l := info.lists[i]; l != nil {
					slot.Lists = append(slot.Lists, l)
				}
			}
			if len(slot.Lists) == 0 {
				return matchNone(i)
			}
			slots = append(slots, slot)
		}
		return postings.NewPhraseIn(e.views[i], q.Scope, bounds[i], slots, weight, e.model)
	}, err
}

func (e *search) planPrefix(q Prefix) (iteratorFunc, error) {
	text := CutTerm(q.Text)
	if !postings.IsText(text) {
		return matchNone, nil
	}
	var unions []*postings.Union
	var df int64
	for i, g := range e.ix.Segments {
		u, err := e.views[i].Prefix(e.ctx, []byte(text))
		if err != nil {
			return nil, err
		}
		unions = append(unions, u)
		df += u.DF(g.live())
	}
	weight := weightOf(q.Weight) * e.idf(df)
	if q.Scope != Anywhere {
		return e.planPrefixIn(q.Scope, text, weight)
	}
	return func(i int) (postings.Iterator, error) {
		return postings.NewUnion(e.views[i], unions[i], weight, e.model), nil
	}, nil
}

// searchAny finds the best chunks that hold any of the words.
func (e *search) searchAny(words map[string]float64, top *postings.Top) error {
	sorted := slices.Sorted(maps.Keys(words))
	var parts []func(context.Context) error
	for i, v := range e.views {
		var terms []postings.WeightedTerm
		for _, w := range sorted {
			info, err := e.term(w)
			if err != nil {
				return err
			}
			if l := info.lists[i]; l != nil {
				terms = append(terms, postings.WeightedTerm{List: l, Weight: words[w] * e.idf(info.df)})
			}
		}
		if len(terms) == 0 {
			continue
		}
		for from := 0; from < v.Seg.Chunks; from += postings.PartLen {
			parts = append(parts, func(ctx context.Context) error {
				part := *v // a View must not be shared by goroutines
				return postings.Or(ctx, &part, uint32(from), uint32(from+postings.PartLen), terms, e.model, i, top)
			})
		}
	}
	return e.runParts(parts)
}

// maxSearchers is the maximum number of goroutines per search.
const maxSearchers = 4

// runParts runs the parts of a search, at most maxSearchers at a time.
func (e *search) runParts(parts []func(context.Context) error) error {
	n := min(maxSearchers, runtime.GOMAXPROCS(0), len(parts))
	if n < 2 {
		for _, part := range parts {
			if err := part(e.ctx); err != nil {
				return err
			}
		}
		return nil
	}
	p := pool.New().WithContext(e.ctx).WithCancelOnError().WithFirstError().WithMaxGoroutines(n)
	for _, part := range parts {
		p.Go(part)
	}
	return p.Wait()
}
