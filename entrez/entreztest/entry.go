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

// An Entry is a record of a database other than PubMed, such as gene.
type Entry struct {
	UID string `json:"uid"`
	// Summary is the DocSum, version 2.0, without the uid. If it is nil, ESearch finds the record,
	// but ESummary does not know it.
	Summary map[string]any `json:"summary"`
	// Terms holds the values of each field by the field's name in EInfo. Values that are searched
	// by range are numbers, or "first-last".
	Terms map[string][]string `json:"terms"`
	Links map[string][]string `json:"links"` // UIDs by the name of the link, such as gene_pubmed
	XML   string              `json:"xml"`   // the record in EFetch's reply, without the root element
}

// entries holds the records of a database, and its fields as EInfo lists them.
type entries struct {
	Note    string      `json:"note"`
	Fields  [][2]string `json:"fields"` // name and full name
	Records []*Entry    `json:"records"`

	onUnknownTag func(tag string) // called with each tag that is not a field's
}

// entryFiles holds synthetic records. Only their names, IDs and form follow real records.
//
//go:embed entries/*.json
var entryFiles embed.FS

// synthetic returns the records of every server by database. It reads them once; callers must not
// change them.
var synthetic = sync.OnceValue(func() map[string]*entries {
	out := map[string]*entries{}
	files, err := entryFiles.ReadDir("entries")
	if err != nil {
		panic(err) // embedded
	}
	for _, f := range files {
		data, err := entryFiles.ReadFile("entries/" + f.Name())
		db := &entries{}
		if err == nil {
			err = json.Unmarshal(data, db)
		}
		if err != nil {
			panic(fmt.Sprintf("entreztest: %s: %v", f.Name(), err))
		}
		out[strings.TrimSuffix(f.Name(), ".json")] = db
	}
	return out
})

// copyEntries returns a copy of the records of every server, which SetEntry may change.
func copyEntries() map[string]*entries {
	out := map[string]*entries{}
	for db, e := range synthetic() {
		out[db] = &entries{Fields: e.Fields, Records: slices.Clone(e.Records)}
	}
	return out
}

// SetEntry adds or replaces a record of a database other than PubMed.
func (s *Server) SetEntry(db string, e Entry) {
	s.entriesMu.Lock()
	defer s.entriesMu.Unlock()
	list := s.entries[db]
	if list == nil {
		list = &entries{}
		s.entries[db] = list
	}
	list.Records = slices.DeleteFunc(list.Records, func(old *Entry) bool { return old.UID == e.UID })
	list.Records = append(list.Records, &e)
}

// SetSummaries adds the records of an ESummary reply (JSON, version 2.0), such as a captured one.
// terms holds the terms of each entry by its UID. An entry without terms is found only by the words
// of its summary.
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

// database returns the records of a database other than PubMed, or nil if there are none.
func (s *Server) database(db string) *entries {
	s.entriesMu.RLock()
	defer s.entriesMu.RUnlock()
	if e := s.entries[db]; e != nil {
		return &entries{Fields: e.Fields, Records: slices.Clone(e.Records), onUnknownTag: func(tag string) {
			s.entriesMu.Lock()
			defer s.entriesMu.Unlock()
			s.unknownTags[db+"["+tag+"]"] = true
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

// summary returns the DocSum of a record. It returns false if there is none.
func (e *entries) summary(uid string) (any, bool) {
	r := e.get(uid)
	if r == nil || r.Summary == nil {
		return nil, false
	}
	doc := maps.Clone(r.Summary)
	doc["uid"] = uid
	return doc, true
}

// links returns the UIDs that the records link to, by the name of the link.
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

// info adds the fields, as EInfo lists them.
func (e *entries) info(d *databaseInfo, version2 bool) {
	d.Menu, d.Description, d.Count = d.Name, "Synthetic records of "+d.Name, len(e.Records)
	for _, f := range e.Fields {
		info := (&field{code: f[0], name: f[1], description: f[1]}).info(version2)
		d.FieldList = append(d.FieldList, info)
	}
}

// fetch returns the records' XML in one document. It replaces missing XML by an empty record of
// ClinVar, in which every variant has one.
func (e *entries) fetch(ids []string, root string) reply {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8" ?>` + "\n<" + root + ">\n")
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil { // the IDs may have leading zeros
			id = strconv.Itoa(n)
		}
		if r := e.get(id); r != nil {
			empty := `<VariationArchive VariationID="` + id + `"><ClassifiedRecord/></VariationArchive>`
			b.WriteString(cmp.Or(r.XML, empty) + "\n")
		}
	}
	return xmlReply(b.String() + "</" + root + ">\n")
}
