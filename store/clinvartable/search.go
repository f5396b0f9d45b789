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
	MinStars      int           // minimum stars of the best of the three classifications
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

	assembly int // index of the region's assembly, GRCh38 by default
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
		rows, _, err := s.table.withKeys(ctx, keys)
		if err != nil {
			return err
		}
		if i > 0 {
			rows = slices.DeleteFunc(rows, func(row int) bool { _, both := slices.BinarySearch(s.rows, row); return !both })
		}
		s.rows = rows
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
	s.assembly = max(0, assemblyIndex(s.query.Region.Assembly))
	body, err := s.table.pack.block(extraPlaceBlock, 0)
	d := decode{body: body}
	for len(d.body) > 0 {
		row, assembly := int(d.number()), int(d.number())
		chromosome, first, last := uint32(d.number()), uint32(d.number()), uint32(d.number())
		if assembly == s.assembly && s.overlaps(chromosome, first, last) {
			s.extra[row] = true
		}
	}
	return errors.Join(err, d.err())
}

func (s *search) overlaps(chromosome, first, last uint32) bool {
	r := s.query.Region
	return chromosome == s.chrom && first > 0 && int(first) <= r.Last && int(last) >= r.First
}

// scan adds the rows of a chunk that pass all filters.
func (s *search) scan(c *chunk) error {
	add := func(i int) {
		if !s.keeps(c, i) {
			return
		}
		s.total++
		s.classes[c.column(germlineOf)[i]]++
		if n := min(c.column(starsOf)[i]&starsMask, maxStars); len(s.found[n]) < s.query.Offset+s.query.Limit {
			s.found[n] = append(s.found[n], c.first+i)
		}
	}
	if s.rows == nil {
		for i := range c.rows {
			add(i)
		}
		return c.err
	}
	from, _ := slices.BinarySearch(s.rows, c.first)
	to, _ := slices.BinarySearch(s.rows, c.first+c.rows)
	for _, row := range s.rows[from:to] {
		add(row - c.first)
	}
	return c.err
}

// keeps reports whether a row of a chunk passes all filters.
func (s *search) keeps(c *chunk, i int) bool {
	q := &s.query
	if q.IDs != nil && !q.IDs[int(c.column(idOf)[i])] {
		return false
	}
	for n, sets := range s.sets {
		found := false
		for _, set := range sets {
			text := int(c.column(set.column)[i])
			found = found || text < len(set.matches) && set.matches[text]
		}
		if found == q.Filters[n].Exclude {
			return false
		}
	}
	if q.MinStars+q.GermlineStars > 0 {
		stars := int(c.column(starsOf)[i])
		if stars&starsMask < q.MinStars || stars>>germlineStars < q.GermlineStars {
			return false
		}
	}
	for _, effects := range q.Consequences {
		if c.column(consequenceOf)[i]&uint32(effects) == 0 {
			return false
		}
	}
	if q.Region == nil {
		return true
	}
	at := placeOf + placeColumns*s.assembly
	return s.overlaps(c.column(at)[i], c.column(at + 1)[i], c.column(at + 2)[i]) || s.extra[c.first+i]
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
	if c.columns[n] == nil {
		c.load(n)
	}
	return c.columns[n]
}

func (c *chunk) load(n int) {
	c.columns[n] = make([]uint32, c.rows)
	body, err := c.table.pack.block(columnBlock+kind(n), c.number)
	if err == nil && len(body) != 4*c.rows {
		err = damaged("the file is damaged")
	}
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	for i := range c.columns[n] {
		c.columns[n][i] = binary.LittleEndian.Uint32(body[4*i:])
	}
}
