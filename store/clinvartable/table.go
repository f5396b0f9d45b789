package clinvartable

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"biomcp/store/disk"
	"biomcp/store/table"
)

// Name is the name of the data set.
const Name = "clinvar"

// A form describes a table of ClinVar and the file that keeps it.
type form struct {
	set  string
	file string   // name in the folder of the table
	ids  []string // columns that hold numbers, VariationID first
}

func variantForm() *form {
	return &form{Name, "variants.bin", []string{"variationid", "alleleid"}}
}

// header is the contents of infoBlock.
type header struct {
	Info    table.Info `json:"info"`
	Index   int        `json:"index"`   // bits of a hash that number the blocks of the index
	Oldest  string     `json:"oldest"`  // release since which changes are known
	Release string     `json:"release"` // date of this version
}

// A Table is an open table.
type Table struct {
	Info    table.Info
	Release string // date of this version, from the source: 2026-11-22
	Oldest  string // date of the first version that was stored, since which changes are known
	pack    *pack
	index   int
	blocks  map[uint64][]byte // dictionary blocks that were read
}

// Open opens the table in a folder. The error is a *table.AbsentError if there is none.
func Open(dir string) (*Table, error) { return openForm(dir, variantForm()) }

func openForm(dir string, f *form) (*Table, error) {
	p, err := openPack(filepath.Join(dir, f.file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &table.AbsentError{Set: f.set}
	}
	if err != nil {
		return nil, disk.Wrap(context.Background(), reading, err)
	}
	body, err := p.block(infoBlock, 0)
	var h header
	if err == nil {
		if err = json.Unmarshal(body, &h); err != nil || h.Info.Rows == 0 {
			err = damaged("the file is damaged")
		}
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	t := &Table{Info: h.Info, Release: h.Release, Oldest: h.Oldest, pack: p, index: h.Index,
		blocks: map[uint64][]byte{}}
	var c checked
	if text, err := os.ReadFile(filepath.Join(dir, checkedFile)); err == nil && json.Unmarshal(text, &c) == nil &&
		c.Version == t.Info.Version {
		t.Info.CheckedAt = c.At
	}
	return t, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.pack.Close() }

// Find returns the variants that have one of the keys, in the order of the file. IDKey and the like make keys.
func (t *Table) Find(ctx context.Context, keys ...string) ([]*Variant, error) {
	_, all, err := t.withKeys(ctx, keys)
	return all, err
}

// withKeys returns the variants that have one of the keys, and their rows.
func (t *Table) withKeys(ctx context.Context, keys []string) (rows []int, all []*Variant, err error) {
	var found []int
	for _, key := range keys {
		more, err := t.rows(key)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, more...)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	variants, err := t.variants(ctx, found)
	rows = []int{}
	for i, v := range variants {
		if slices.ContainsFunc(keys, v.hasKey) {
			rows, all = append(rows, found[i]), append(all, v)
		}
	}
	return rows, all, err
}

// variants returns the variants of rows, which must be sorted.
func (t *Table) variants(ctx context.Context, rows []int) (all []*Variant, err error) {
	text := func(dictionary dictionary, n uint64) string {
		found, readErr := t.text(dictionary, int(n))
		err = errors.Join(err, readErr)
		return found
	}
	var block []byte
	current := -1
	for _, row := range rows {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n := row / recordsPerBlock
		if n != current {
			if block, err = t.pack.block(recordBlock, n); err != nil {
				return nil, err
			}
			current = n
		}
		d := &decode{body: block}
		for range row % recordsPerBlock {
			readVariant(d, func(dictionary, uint64) string { return "" })
		}
		v := readVariant(d, text)
		late, lateErr := t.pack.block(lateBlock, n)
		for l := (&decode{body: late}); len(l.body) > 0; {
			at := int(l.bytes(1)[0])
			if p := readPlace(l, text); at == row%recordsPerBlock && !slices.Contains(v.Places, p) {
				v.Places = append(v.Places, p)
			}
		}
		if err = errors.Join(err, lateErr, d.err()); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// text returns a text of a dictionary.
func (t *Table) text(d dictionary, n int) (string, error) {
	k, number := dictionaryBlock+kind(d), n/textsPerBlock
	body := t.blocks[blockID(k, number)]
	if body == nil {
		var err error
		if body, err = t.pack.block(k, number); err != nil {
			return "", err
		}
		t.blocks[blockID(k, number)] = body
	}
	r := decode{body: body}
	for range n % textsPerBlock {
		r.bytes(r.number())
	}
	text := r.text()
	return text, r.err()
}

// texts returns all texts of a dictionary.
func (t *Table) texts(d dictionary) (all []string, err error) {
	for n := 0; ; n++ {
		body, err := t.pack.block(dictionaryBlock+kind(d), n)
		if err != nil || body == nil {
			return all, err
		}
		r := decode{body: body}
		for len(r.body) > 0 {
			all = append(all, r.text())
		}
		if err := r.err(); err != nil {
			return nil, err
		}
	}
}
