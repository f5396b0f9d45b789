package intake

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// UIDs of two MeSH check tags (https://meshb.nlm.nih.gov).
const (
	meshHumans  = "D006801"
	meshAnimals = "D000818"
)

// Document converts a PubMed record to a document of the corpus, without chunks. Fields with
// one name are copied, and the code below handles the others. A date is written as in the
// record: a time gets a Z, though PubMed's times have no zone, and a missing hour becomes
// 00:00. EDAT is the date of PubStatus pubmed and CRDT that of PubStatus entrez. LR is
// DateRevised in its original precision. Human and Animal are the MeSH check tags, and Indexed
// means status MEDLINE. If the record has no abstract, its text is another abstract of the
// record, such as one in another language.
func Document(a *pubmed.Article) (*store.Document, error) {
	pmid, err := record.ParsePMID(a.PMID)
	if err != nil {
		return nil, err
	}
	if len(a.Sections) == 0 {
		with := *a
		with.Sections = a.AnyAbstract()
		with.Abstract, a = pubmed.JoinSections(with.Sections), &with
	}
	d := new(store.Document)
	copyFields(reflect.ValueOf(d).Elem(), reflect.ValueOf(a).Elem())
	d.PMID, d.PMIDVersion, d.Version = pmid, max(a.Version, 1), 0
	d.Title = record.Title(a.Title, a.VernacularTitle)
	d.Journal.MedlineTA = a.Journal.Abbreviation
	d.PubTypes, d.Languages = a.PublicationTypes, a.Language
	d.PDat, d.MedlineDate, d.Epub = a.IssueDate().String(), a.PublicationDate.MedlineDate, a.ElectronicDate.String()
	d.Season = a.PublicationDate.Season
	if i := slices.IndexFunc(a.ELocations, func(l pubmed.ELocation) bool { return l.Type == "pii" }); i >= 0 {
		d.PII = a.ELocations[i].Value
	}
	d.EDAT, d.CRDT = timestamp(a.Dates.Pubmed), timestamp(a.Dates.Entrez)
	d.LR = cmp.Or(timestamp(a.Dates.LastRevised), a.Dates.LastRevised)
	d.Indexed = a.Status == "MEDLINE"
	for i, p := range a.Authors {
		d.Authors[i].Collective = p.CollectiveName
	}
	for _, r := range a.References {
		if cited, err := record.ParsePMID(r.PMID); err == nil {
			d.Cites = append(d.Cites, cited)
		}
	}
	for _, m := range a.Mesh {
		d.Human = d.Human || m.UI == meshHumans || m.Descriptor == "Humans"
		d.Animal = d.Animal || m.UI == meshAnimals || m.Descriptor == "Animals"
	}
	if b := a.Book; b != nil {
		d.Publisher = b.Publisher
		if b.Title != a.Title {
			d.BookTitle = b.Title
		}
		// A chapter is as old as its text. PubMed's date of revision refers to the chapter,
		// which is rewritten for years after it first appeared. The date of first publication
		// is kept as the electronic one, which a chapter does not have.
		if revised := a.Dates.LastRevised; d.BookTitle != "" && revised > d.PDat && len(revised) == len("2006-01-02") {
			d.PDat, d.Epub = revised, d.PDat
		}
	}
	d.Facts = rag.Facts(d)
	return d, nil
}

// copyFields copies the fields of a struct to those with the same name in another: strings,
// numbers and slices of them directly, structs and slices of structs field by field. It skips
// fields with different kinds.
func copyFields(to, from reflect.Value) {
	for _, p := range commonFields(to.Type(), from.Type()) {
		t, f := to.Field(p[0]), from.Field(p[1])
		switch {
		case f.Type().AssignableTo(t.Type()):
			t.Set(f)
		case t.Kind() == reflect.Struct && f.Kind() == reflect.Struct:
			copyFields(t, f)
		case structSlice(t) && structSlice(f) && f.Len() > 0:
			t.Set(reflect.MakeSlice(t.Type(), f.Len(), f.Len()))
			for i := range f.Len() {
				copyFields(t.Index(i), f.Index(i))
			}
		}
	}
}

// structSlice reports whether v is a slice of structs.
func structSlice(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct
}

var namePairs sync.Map // [2]reflect.Type to [][2]int

// commonFields returns the pairs of field indexes with the same name in two struct types.
func commonFields(to, from reflect.Type) [][2]int {
	key := [2]reflect.Type{to, from}
	if known, ok := namePairs.Load(key); ok {
		return known.([][2]int)
	}
	pairs := [][2]int{}
	for i := range to.NumField() {
		if f, ok := from.FieldByName(to.Field(i).Name); ok {
			pairs = append(pairs, [2]int{i, f.Index[0]})
		}
	}
	namePairs.Store(key, pairs)
	return pairs
}

// timestamp converts a date of pubmed.Dates to RFC 3339. It returns "" if the date has no day.
func timestamp(date string) string {
	switch len(date) {
	case len("2006-01-02"):
		return date + "T00:00:00Z"
	case len("2006-01-02T15:04"):
		return date + ":00Z"
	}
	return ""
}
