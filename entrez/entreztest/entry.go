package entreztest

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Entry is a record of a database beyond PubMed, such as gene: its summary, and by
// what it is found.
type Entry struct {
	UID string `json:"uid"`
	// Summary is the DocSum, version 2.0, without the uid; none: ESummary does not
	// know the record, which ESearch finds.
	Summary map[string]any `json:"summary"`
	// Terms are the values of each field by its name in EInfo. Those of a range are
	// numbers, or "first-last".
	Terms map[string][]string `json:"terms"`
	Links map[string][]string `json:"links"` // uids by the name of a link: gene_pubmed
	XML   string              `json:"xml"`   // what EFetch answers, without the element around all records
}

// entries are the records of a database and its fields as EInfo has them.
type entries struct {
	Note    string      `json:"note"`
	Fields  [][2]string `json:"fields"` // name and full name
	Records []*Entry    `json:"records"`

	strange func(tag string) // is told of a tag that is not a field's
}

// database files are synthetic: records made by hand, of which only names, ids and
// shapes follow real ones.
//
//go:embed entries/*.json
var entryFiles embed.FS

// synthetic is what every server holds, by database. It is read once and never
// changed.
var synthetic = sync.OnceValue(func() map[string]*entries {
	out := map[string]*entries{}
	files, err := entryFiles.ReadDir("entries")
	if err != nil {
		panic(err) // embedded
	}
	for _, f := range files {
		data, err := entryFiles.ReadFile("entries/" + f.Name())
		held := &entries{}
		if err == nil {
			err = json.Unmarshal(data, held)
		}
		if err != nil {
			panic(fmt.Sprintf("entreztest: %s: %v", f.Name(), err))
		}
		out[strings.TrimSuffix(f.Name(), ".json")] = held
	}
	return out
})

// ownEntries is a copy of what every server holds, which SetEntry may change.
func ownEntries() map[string]*entries {
	out := map[string]*entries{}
	for db, e := range synthetic() {
		out[db] = &entries{Fields: e.Fields, Records: slices.Clone(e.Records)}
	}
	return out
}

// SetEntry adds or replaces a record of a database beyond PubMed.
func (s *Server) SetEntry(db string, e Entry) {
	s.entriesMu.Lock()
	defer s.entriesMu.Unlock()
	held := s.entries[db]
	if held == nil {
		held = &entries{}
		s.entries[db] = held
	}
	held.Records = slices.DeleteFunc(held.Records, func(old *Entry) bool { return old.UID == e.UID })
	held.Records = append(held.Records, &e)
}

// SetSummaries adds the records of a reply of ESummary (JSON, version 2.0), such as
// a captured one. terms are the ones that find each entry, by its uid; without any a
// record is found by its words alone.
func (s *Server) SetSummaries(db string, reply io.Reader, terms map[string]map[string][]string) error {
	var body struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if err := json.NewDecoder(reply).Decode(&body); err != nil {
		return err
	}
	for _, uid := range slices.Sorted(maps.Keys(body.Result)) {
		if uid == "uids" {
			continue
		}
		e := Entry{UID: uid, Terms: terms[uid]}
		if err := json.Unmarshal(body.Result[uid], &e.Summary); err != nil {
			return fmt.Errorf("the summary of %s: %w", uid, err)
		}
		s.SetEntry(db, e)
	}
	return nil
}

// database returns what the server holds of a database beyond PubMed, nil for nothing.
func (s *Server) database(db string) *entries {
	s.entriesMu.RLock()
	defer s.entriesMu.RUnlock()
	if e := s.entries[db]; e != nil {
		return &entries{Fields: e.Fields, Records: slices.Clone(e.Records), strange: func(tag string) {
			s.entriesMu.Lock()
			defer s.entriesMu.Unlock()
			s.strange[db+"["+tag+"]"] = true
		}}
	}
	return nil
}

func (e *entries) get(uid string) *Entry {
	if i := slices.IndexFunc(e.Records, func(r *Entry) bool { return r.UID == uid }); i >= 0 {
		return e.Records[i]
	}
	return nil
}

// summary is the DocSum of a record.
func (e *entries) summary(uid string) (any, bool) {
	r := e.get(uid)
	if r == nil || r.Summary == nil {
		return nil, false
	}
	doc := maps.Clone(r.Summary)
	doc["uid"] = uid
	return doc, true
}

// links are the uids that records lead to by the name of a link.
func (e *entries) links(name string, ids []string) (out []scoredLink) {
	if e == nil {
		return nil
	}
	for _, id := range ids {
		if r := e.get(id); r != nil {
			for _, to := range r.Links[name] {
				out = append(out, scoredLink{ID: to})
			}
		}
	}
	return out
}

// info are the fields as EInfo has them.
func (e *entries) info(d *databaseInfo, second bool) {
	d.Menu, d.Description, d.Count = d.Name, "Synthetic records of "+d.Name, len(e.Records)
	for _, f := range e.Fields {
		info := (&field{code: f[0], name: f[1], about: f[1]}).info(second)
		d.FieldList = append(d.FieldList, info)
	}
}

// fetch is the records' XML in one document: a bare record of ClinVar where an entry has
// none, since every variant of ClinVar has one.
func (e *entries) fetch(ids []string, root string) reply {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n<" + root + ">\n")
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil { // ids may have leading zeros
			id = strconv.Itoa(n)
		}
		if r := e.get(id); r != nil {
			b.WriteString(cmp.Or(r.XML, `<VariationArchive VariationID="`+id+`"><ClassifiedRecord/></VariationArchive>`) + "\n")
		}
	}
	return xmlReply(b.String() + "</" + root + ">\n")
}
