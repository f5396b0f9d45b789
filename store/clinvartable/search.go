package clinvartable

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
)

// A Field is a text of a variant that a Filter matches.
type Field int

// The fields.
const (
	GeneField      Field = iota // the text of the column GeneSymbol
	ConditionField              // one condition: its name, then a tab and its ids if there are any
	GermlineField               // classes
	ImpactField
	OncogenicityField
)

// A Filter keeps the variants with a matching text in one of the fields; with Exclude, the others.
type Filter struct {
	Fields  []Field
	Match   func(text string) bool
	Exclude bool
}

// A Region is a range of bases, counted from 1.
type Region struct {
	Assembly, Chromosome string
	First, Last          int
}

// A Query keeps the variants that pass all of its filters.
type Query struct {
	Filters       []Filter
	MinStars      int           // of any of the three classifications
	GermlineStars int           // minimum stars of the germline classification
	Consequences  []Consequence // for each set, variants with one of its effects
	Region        *Region       // variants that overlap it
	Keys          [][]string    // for each list, variants that have one of its keys
	IDs           map[int]bool  // VariationIDs; nil means all
	Offset, Limit int
}

// A Page holds the variants of a page, those with most stars first, and else in the order of the file.
type Page struct {
	Variants []*Variant
	Total    int
	Classes  map[string]int // number of all variants by germline class, "" without one
}

const maxStars = 4

// Search returns a page of the variants of a query, and their total.
func (t *Table) Search(ctx context.Context, q Query) (*Page, error) {
	s := &search{table: t, query: q, classes: map[uint32]int{}}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	for n := range t.chunks() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := s.scan(t.chunk(n)); err != nil {
			return nil, err
		}
	}
	page := &Page{Total: s.total, Classes: map[string]int{}}
	for n, variants := range s.classes {
		class, err := t.text(words, int(n))
		if err != nil {
			return nil, err
		}
		page.Classes[class] = variants
	}
	var rows []int
	for stars := maxStars; stars >= 0; stars-- {
		rows = append(rows, s.found[stars]...)
	}
	rows = rows[min(q.Offset, len(rows)):min(q.Offset+q.Limit, len(rows))]
	sorted := slices.Sorted(slices.Values(rows))
	variants, err := t.variants(ctx, sorted)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		i, _ := slices.BinarySearch(sorted, row)
		page.Variants = append(page.Variants, variants[i])
	}
	return page, nil
}

// A search is a running search.
type search struct {
	table   *Table
	query   Query
	total   int
	classes map[uint32]int      // variants by number of the germline class
	found   [maxStars + 1][]int // first rows by stars

	sets  [][]fieldSet // numbers of the texts that match, by filter and field
	rows  []int        // rows with the keys, sorted; nil means all
	extra map[int]bool // rows that overlap the region by a place that is not in the columns
	chrom uint32       // number of the region's chromosome
}

// A fieldSet is the set of numbers that match in a column.
type fieldSet struct {
	column  int
	matches []bool
}

// prepare finds the numbers of the texts that match, the rows of the keys and the extra places.
func (s *search) prepare(ctx context.Context) (err error) {
	for _, f := range s.query.Filters {
		var sets []fieldSet
		for _, field := range f.Fields {
			set, err := s.fieldSet(field, f.Match)
			if err != nil {
				return err
			}
			sets = append(sets, set)
		}
		s.sets = append(s.sets, sets)
	}
	for i, keys := range s.query.Keys {
		var rows []int
		for _, key := range keys {
			more, err := s.table.rows(key)
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
		slices.Sort(rows)
		rows = slices.Compact(rows)
		variants, err := s.table.variants(ctx, rows)
		if err != nil {
			return err
		}
		kept := []int{}
		for j, v := range variants {
			_, known := slices.BinarySearch(s.rows, rows[j])
			if slices.ContainsFunc(keys, v.hasKey) && (i == 0 || known) {
				kept = append(kept, rows[j])
			}
		}
		s.rows = kept
	}
	if s.query.Region != nil {
		err = s.prepareRegion()
	}
	return err
}

// fieldSet returns the numbers of the texts of a field that match.
func (s *search) fieldSet(field Field, match func(string) bool) (set fieldSet, err error) {
	d := words
	switch field {
	case GeneField:
		d, set.column = genes, genesOf
	case ConditionField:
		d, set.column = conditions, conditionsOf
	default:
		set.column = germlineOf + int(field-GermlineField)
	}
	texts, err := s.table.texts(d)
	if err != nil {
		return set, err
	}
	for _, text := range texts {
		set.matches = append(set.matches, match(text))
	}
	if field != ConditionField {
		return set, nil
	}
	all, err := s.table.texts(lists)
	of := set.matches
	set.matches = nil
	for _, list := range all {
		matches := false
		for d := (decode{body: []byte(list)}); len(d.body) > 0 && !matches; {
			n := d.number()
			matches = n < uint64(len(of)) && of[n]
		}
		set.matches = append(set.matches, matches)
	}
	return set, err
}

// prepareRegion finds the number of the chromosome and the rows that overlap the region by an extra place.
func (s *search) prepareRegion() error {
	all, err := s.table.texts(words)
	if err != nil {
		return err
	}
	n := slices.Index(all, s.query.Region.Chromosome)
	if n < 0 {
		s.rows = []int{}
		return nil
	}
	s.chrom, s.extra = uint32(n), map[int]bool{}
	body, err := s.table.pack.block(extraPlaceBlock, 0)
	d := decode{body: body}
	for len(d.body) > 0 {
		row, assembly := int(d.number()), int(d.number())
		chromosome, first, last := uint32(d.number()), uint32(d.number()), uint32(d.number())
		if assembly == s.assembly() && s.overlaps(chromosome, first, last) {
			s.extra[row] = true
		}
	}
	return errors.Join(err, d.err())
}

func (s *search) assembly() int {
	if s.query.Region.Assembly == "GRCh37" {
		return 1
	}
	return 0
}

func (s *search) overlaps(chromosome, first, last uint32) bool {
	r := s.query.Region
	return chromosome == s.chrom && first > 0 && int(first) <= r.Last && int(last) >= r.First
}

// scan adds the rows of a chunk that pass all filters.
func (s *search) scan(c *chunk) error {
	keep := make([]bool, c.rows)
	left := 0
	if s.rows == nil {
		for i := range keep {
			keep[i] = true
		}
		left = c.rows
	} else {
		from, _ := slices.BinarySearch(s.rows, c.first)
		for _, row := range s.rows[from:] {
			if row >= c.first+c.rows {
				break
			}
			keep[row-c.first], left = true, left+1
		}
	}
	filter := func(pass func(i int) bool) {
		for i, kept := range keep {
			if kept && !pass(i) {
				keep[i], left = false, left-1
			}
		}
	}
	for _, step := range s.steps(c) {
		if left == 0 {
			return c.err
		}
		filter(step())
	}
	if left == 0 || c.err != nil {
		return c.err
	}
	s.total += left
	stars, classes := c.column(starsOf), c.column(germlineOf)
	for i, kept := range keep {
		if !kept {
			continue
		}
		s.classes[classes[i]]++
		if n := min(stars[i]&starsMask, maxStars); len(s.found[n]) < s.query.Offset+s.query.Limit {
			s.found[n] = append(s.found[n], c.first+i)
		}
	}
	return c.err
}

// steps returns the filters of a chunk. Each reads its columns when it is called.
func (s *search) steps(c *chunk) (steps []func() func(i int) bool) {
	if ids := s.query.IDs; ids != nil {
		steps = append(steps, func() func(int) bool {
			column := c.column(idOf)
			return func(i int) bool { return ids[int(column[i])] }
		})
	}
	for n, sets := range s.sets {
		exclude := s.query.Filters[n].Exclude
		steps = append(steps, func() func(int) bool {
			columns := make([][]uint32, len(sets))
			for j, set := range sets {
				columns[j] = c.column(set.column)
			}
			return func(i int) bool {
				for j, set := range sets {
					if n := columns[j][i]; int(n) < len(set.matches) && set.matches[n] {
						return !exclude
					}
				}
				return exclude
			}
		})
	}
	if least, germline := uint32(s.query.MinStars), uint32(s.query.GermlineStars); least+germline > 0 {
		steps = append(steps, func() func(int) bool {
			column := c.column(starsOf)
			return func(i int) bool { return column[i]&starsMask >= least && column[i]>>germlineStars >= germline }
		})
	}
	for _, effects := range s.query.Consequences {
		steps = append(steps, func() func(int) bool {
			column := c.column(consequenceOf)
			return func(i int) bool { return column[i]&uint32(effects) != 0 }
		})
	}
	if s.query.Region != nil {
		steps = append(steps, func() func(int) bool {
			at := placeOf + placeColumns*s.assembly()
			chromosome, first, last := c.column(at), c.column(at+1), c.column(at+2)
			return func(i int) bool {
				return s.overlaps(chromosome[i], first[i], last[i]) || s.extra[c.first+i]
			}
		})
	}
	return steps
}

// A chunk holds the columns of up to rowsPerChunk rows.
type chunk struct {
	table               *Table
	number, first, rows int
	columns             [searchColumns][]uint32
	err                 error
}

func (t *Table) chunks() int { return (t.Info.Rows + rowsPerChunk - 1) / rowsPerChunk }

func (t *Table) chunk(n int) *chunk {
	first := n * rowsPerChunk
	return &chunk{table: t, number: n, first: first, rows: min(rowsPerChunk, t.Info.Rows-first)}
}

// column returns the numbers of a column. If it cannot be read, they are zero and c.err is set.
func (c *chunk) column(n int) []uint32 {
	if c.columns[n] != nil {
		return c.columns[n]
	}
	body, err := c.table.pack.block(columnBlock+kind(n), c.number)
	if err == nil && len(body) != 4*c.rows {
		err = damaged("the file is damaged")
	}
	c.columns[n] = make([]uint32, c.rows)
	if err != nil {
		c.err = errors.Join(c.err, err)
		return c.columns[n]
	}
	for i := range c.columns[n] {
		c.columns[n][i] = binary.LittleEndian.Uint32(body[4*i:])
	}
	return c.columns[n]
}
