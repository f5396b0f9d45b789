package clinvartable

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"biomcp/store/disk"
	"biomcp/store/intern"
	"biomcp/store/table/sets"
)

const (
	recordsPerBlock = 128
	rowsPerChunk    = 1 << 16
	textsPerBlock   = 1 << 10
	maxRows         = 1 << rowBits
	maxID           = 1 << 26 // greater than every VariationID
)

// Columns of the search. Each holds a number per row.
const (
	idOf           = iota // VariationID
	germlineOf            // classes and chromosomes are numbers of words
	impactOf              // somatic clinical impact
	oncogenicityOf        //
	starsOf               // the highest of the three kinds, then those of the germline class from bit germlineStars
	consequenceOf         // a set of consequences
	genesOf               // number of the text of genes
	conditionsOf          // number of the list of conditions
	placeOf               // chromosome, start and end on GRCh38; then on GRCh37
	searchColumns  = placeOf + 2*placeColumns
	placeColumns   = 3
)

// germlineStars is the first bit of the germline classification's stars in the column starsOf, and starsMask covers the
// highest of the three kinds.
const germlineStars, starsMask = 4, 1<<germlineStars - 1

// assemblyIndex returns the place in the columns of an assembly whose places can be searched for, or -1.
func assemblyIndex(assembly string) int {
	switch assembly {
	case "GRCh38":
		return 0
	case "GRCh37":
		return 1
	}
	return -1
}

// A writer writes the variants of a file in one pass.
type writer struct {
	pack    *packWriter
	index   *indexWriter
	words   [dictionaries]intern.Table
	source  string          // name of the file that is read
	ids     []uint32        // VariationID by row
	alleles []uint32        // AlleleID by VariationID, 0 without a row
	block   []byte          // records that are not yet written
	columns [][]uint32      // chunk that is not yet written
	late    map[int][]Place // places by VariationID of lines that were not beside the first line
	extra   []byte          // places that are not in the columns: row, assembly, chromosome, start, end
	list    []byte
	history *history
}

func (w *writer) number(d dictionary, text string) uint32 {
	n, _ := intern.Add(&w.words[d], text)
	return n
}

// fill writes all variants of a file.
func (w *writer) fill(r *lineReader) error {
	var v *Variant
	for {
		err := r.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if v != nil && (err != nil || r.ids[0] != v.VariationID) {
			if err := w.add(v); err != nil {
				return err
			}
			v = nil
		}
		if err != nil {
			return w.finish()
		}
		place, id, allele := r.place(), r.ids[0], r.ids[1]
		known := w.allele(id)
		if v != nil {
			known = v.AlleleID
		}
		switch {
		case known > 0 && allele != known: // another allele of a haplotype
			r.skip()
			continue
		case v == nil && known > 0:
			w.late[id] = append(w.late[id], place)
			continue
		case v == nil:
			v = r.variant()
		}
		if !slices.Contains(v.Places, place) {
			v.Places = append(v.Places, place)
		}
	}
}

// allele returns the AlleleID of a VariationID with a row, or 0.
func (w *writer) allele(id int) int {
	if id >= len(w.alleles) {
		return 0
	}
	return int(w.alleles[id])
}

// add writes a variant as the next row.
func (w *writer) add(v *Variant) error {
	row := len(w.ids)
	if more := v.VariationID + 1 - len(w.alleles); more > 0 {
		w.alleles = append(w.alleles, make([]uint32, more)...)
	}
	w.alleles[v.VariationID] = uint32(v.AlleleID)
	w.ids = append(w.ids, uint32(v.VariationID))
	w.list = w.list[:0]
	for _, c := range v.Conditions {
		text := c.Name
		if len(c.IDs) > 0 {
			text += "\t" + strings.Join(c.IDs, ",")
		}
		w.list = binary.AppendUvarint(w.list, uint64(w.number(conditions, text)))
	}
	list, _ := intern.Add(&w.words[lists], w.list)
	w.history.add(v)
	w.block = v.appendTo(w.block, list, w.number)
	for _, key := range v.keys() {
		w.index.add(key, row)
	}
	values := [searchColumns]uint32{idOf: uint32(v.VariationID), genesOf: w.number(genes, v.GeneText),
		conditionsOf: list, consequenceOf: uint32(Consequences(v.Name))}
	for i, c := range v.classifications() {
		values[germlineOf+i] = w.number(words, c.Class)
		values[starsOf] = max(values[starsOf], uint32(Stars(c.Review)))
	}
	values[starsOf] |= uint32(Stars(v.Germline.Review)) << germlineStars
	for _, p := range v.Places {
		w.addPlace(row, &p, values[placeOf:])
	}
	for i := range values {
		w.columns[i] = append(w.columns[i], values[i])
	}
	return w.flush(false)
}

// addPlace adds a place to the index, and to the columns of the row or to the extra places.
func (w *writer) addPlace(row int, p *Place, columns []uint32) {
	if key := p.key(); key != "" {
		w.index.add(key, row)
	}
	at := assemblyIndex(p.Assembly)
	if at < 0 || p.Start == 0 {
		return
	}
	values := [placeColumns]uint32{w.number(words, p.Chromosome), uint32(p.Start), uint32(max(p.Start, p.End))}
	if columns != nil && columns[at*placeColumns+1] == 0 {
		copy(columns[at*placeColumns:], values[:])
		return
	}
	for _, n := range []uint32{uint32(row), uint32(at), values[0], values[1], values[2]} {
		w.extra = binary.AppendUvarint(w.extra, uint64(n))
	}
}

// flush writes the block and the chunk that are full, or the last ones if end is set.
func (w *writer) flush(end bool) error {
	rows := len(w.ids)
	if rows > maxRows {
		return &sets.FormatError{File: w.source, Message: "it has more variants than this program can store"}
	}
	if len(w.block) > 0 && (end || rows%recordsPerBlock == 0) {
		if err := w.pack.put(recordBlock, (rows-1)/recordsPerBlock, w.block); err != nil {
			return err
		}
		w.block = w.block[:0]
	}
	for i, column := range w.columns {
		if len(column) == 0 || !end && rows%rowsPerChunk > 0 {
			break
		}
		var body []byte
		for _, n := range column {
			body = binary.LittleEndian.AppendUint32(body, n)
		}
		if err := w.pack.put(columnBlock+kind(i), (rows-1)/rowsPerChunk, body); err != nil {
			return err
		}
		w.columns[i] = column[:0]
	}
	return nil
}

// finish writes what is known only after the last line.
func (w *writer) finish() error {
	if err := w.flush(true); err != nil {
		return err
	}
	var body []byte // late places of one block: place in the block, then the place
	for row, id := range w.ids {
		for _, p := range w.late[int(id)] {
			w.addPlace(row, &p, nil)
			body = p.appendTo(append(body, byte(row%recordsPerBlock)), w.number)
		}
		if last := row%recordsPerBlock == recordsPerBlock-1 || row == len(w.ids)-1; last && len(body) > 0 {
			if err := w.pack.put(lateBlock, row/recordsPerBlock, body); err != nil {
				return err
			}
			body = body[:0]
		}
	}
	if err := w.pack.put(extraPlaceBlock, 0, w.extra); err != nil {
		return err
	}
	for d := range w.words {
		for n := 0; n < w.words[d].Len(); {
			body = body[:0]
			for end := min(n+textsPerBlock, w.words[d].Len()); n < end; n++ {
				body = appendText(body, string(w.words[d].Word(uint32(n))))
			}
			if err := w.pack.put(dictionaryBlock+kind(d), (n-1)/textsPerBlock, body); err != nil {
				return err
			}
		}
	}
	return w.index.finish(w.pack)
}

// fillVariants writes all variants of a file and the changes since the old version.
func fillVariants(w *writer, r *lineReader, old *Table, h *header) (rows int, err error) {
	w.columns, w.late = make([][]uint32, searchColumns), map[int][]Place{}
	w.number(words, "") // becomes noWord
	w.history, err = historyOf(r.ctx, old, h.Release)
	if disk.IsKind(err, disk.Failed) { // the old changes cannot be read
		w.history, err = historyOf(r.ctx, nil, h.Release)
	}
	if err != nil {
		return 0, err
	}
	h.Oldest = w.history.oldest
	if err := w.fill(r); err != nil {
		return 0, err
	}
	return len(w.ids), w.putJSON(changeBlock, w.history.changes)
}

func (w *writer) putJSON(k kind, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.pack.put(k, 0, body)
}

// Stars returns the stars of a review status (https://www.ncbi.nlm.nih.gov/clinvar/docs/review_status/).
func Stars(review string) int {
	switch review = strings.ToLower(review); {
	case review == "practice guideline":
		return 4
	case review == "reviewed by expert panel":
		return 3
	case strings.HasPrefix(review, "criteria provided, multiple submitters"):
		return 2
	case strings.HasPrefix(review, "criteria provided"):
		return 1
	}
	return 0
}
