package clinvartable

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"biomcp/store/table"
)

// A Change is a classification of a variant that differs between two releases. From or To is "" if the variant
// had no classification of the kind.
type Change struct {
	VariationID int    `json:"id"`
	Kind        int    `json:"kind"`   // an index of Kinds
	Before      string `json:"before"` // the last release that has From
	Since       string `json:"since"`  // the first release that has To
	From        string `json:"from"`
	To          string `json:"to"`
}

// Kinds names the kinds of classification, in the order of the columns.
func Kinds() []string { return []string{"germline", "clinical impact", "oncogenicity"} }

// releaseOf returns the date of a version: the day on which its source changed the file, or was asked for it.
func releaseOf(info table.Info) string {
	for _, f := range info.Files {
		if t, err := time.Parse(time.RFC1123, f.Modified); err == nil {
			return t.UTC().Format(time.DateOnly)
		}
	}
	return info.StoredAt.UTC().Format(time.DateOnly)
}

// history holds the classes of the old version, and the changes since the first.
type history struct {
	release, newRelease string
	oldest              string      // release since which changes are known
	classes             [][3]uint32 // by VariationID: one more than the number of the class, 0 without the variant
	texts               []string
	changes             []Change
}

// historyOf reads the classes and changes of a table. It returns an empty history for a nil table.
func historyOf(ctx context.Context, t *Table, newRelease string) (h *history, err error) {
	h = &history{newRelease: newRelease, oldest: newRelease}
	if t == nil {
		return h, nil
	}
	h.release, h.oldest = t.Release, t.Oldest
	if h.changes, err = t.Changes(); err != nil {
		return nil, err
	}
	if h.texts, err = t.texts(words); err != nil {
		return nil, err
	}
	for chunk := range t.chunks() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c := t.chunk(chunk)
		for i, id := range c.column(idOf) {
			if int(id) >= len(h.classes) {
				h.classes = append(h.classes, make([][3]uint32, int(id)+1-len(h.classes))...)
			}
			for k := range 3 {
				h.classes[id][k] = c.column(germlineOf + k)[i] + 1
			}
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	return h, nil
}

// add records how the classes of a variant differ from those of the old version.
func (h *history) add(v *Variant) {
	if v.VariationID >= len(h.classes) || h.classes[v.VariationID][0] == 0 {
		return
	}
	for kind, c := range v.classifications() {
		n := int(h.classes[v.VariationID][kind]) - 1
		if n < 0 || n >= len(h.texts) || sameClass(h.texts[n], c.Class) {
			continue
		}
		h.changes = append(h.changes, Change{v.VariationID, kind, h.release, h.newRelease, h.texts[n], c.Class})
	}
}

// sameClass reports whether two texts are the same class. ClinVar renamed its classes of conflicts in 2024.
func sameClass(a, b string) bool {
	return a == b || strings.ReplaceAll(a, "interpretations", "classifications") ==
		strings.ReplaceAll(b, "interpretations", "classifications")
}

// Changes returns all changes since the first version that was stored, oldest first.
func (t *Table) Changes() (all []Change, err error) {
	body, err := t.pack.block(changeBlock, 0)
	if err == nil && body != nil && json.Unmarshal(body, &all) != nil {
		err = damaged("the file is damaged")
	}
	return all, err
}

// ChangedSince returns the classifications that changed after the release of a date, by variant and kind. From
// is the class at that date, To the current one. A classification that changed back is left out.
func (t *Table) ChangedSince(date string) ([]Change, error) {
	all, err := t.Changes()
	var out []Change
	at := map[[2]int]int{}
	for _, c := range all {
		if c.Since <= date {
			continue
		}
		key := [2]int{c.VariationID, c.Kind}
		if i, ok := at[key]; ok {
			out[i].To, out[i].Since = c.To, c.Since
			continue
		}
		at[key] = len(out)
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c Change) bool { return sameClass(c.From, c.To) }), err
}
