package study

import (
	"runtime"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"biomcp/store/study/symbols"
)

// batchRows is the number of matrix rows that one goroutine parses at a time.
const batchRows = 64

// A batch holds consecutive rows.
type batch struct {
	first int // index of the first row in matrixIndex.Genes
	text  []byte
	ends  []int // end of each row in text
}

// Rows calls fn for every gene with its values, NaN if a sample has no value or is not profiled
// for the gene. It makes concurrent calls in arbitrary order; the values are valid during the
// call only.
func (m *Matrix) Rows(fn func(gene string, values []float64) error) error {
	c, err := m.study.coverage(m.Profile)
	if err == nil {
		err = c.unknown
	}
	if err != nil {
		return err
	}
	if m.index.Cells != nil {
		return m.eachLong(c, fn)
	}
	src, r, err := m.study.read(m.index.File)
	if err != nil {
		return err
	}
	defer src.close()
	var failed atomic.Bool
	workers := pool.New().WithMaxGoroutines(runtime.GOMAXPROCS(0)).WithErrors().WithFirstError()
	run := func(b *batch) {
		workers.Go(func() error {
			err := m.each(b, c, fn)
			if err != nil {
				failed.Store(true)
			}
			return err
		})
	}
	l, b := newLines(m.index.File, r), &batch{}
	for i := 0; i < len(m.index.Line) && !failed.Load(); {
		line, err := l.next()
		if err != nil {
			_ = workers.Wait() // the error below is more specific
			changed := l.errorf("", "the file changed while it was read")
			changed.Err = err
			return changed
		}
		if int32(l.no) != m.index.Line[i] {
			continue
		}
		b.text = append(b.text, line...)
		b.ends = append(b.ends, len(b.text))
		if i++; len(b.ends) == batchRows {
			run(b)
			b = &batch{first: i}
		}
	}
	run(b)
	return workers.Wait()
}

// each calls fn for each row of a batch.
func (m *Matrix) each(b *batch, c *coverage, fn func(gene string, values []float64) error) error {
	values, from := m.blank(), 0
	for k, to := range b.ends {
		i := b.first + k
		if err := m.parse(b.text[from:to], int(m.index.Line[i]), values); err != nil {
			return err
		}
		c.mask(m.key(i), values)
		if err := fn(symbols.Spell(m.index.Genes[i]), values); err != nil {
			return err
		}
		from = to
	}
	return nil
}
