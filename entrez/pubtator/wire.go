package pubtator

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// The types below are the export as it comes. PubTator fills the same field
// with a string, a number, null, a list or an object, so every field that is
// read goes through text, whole or list, which refuse nothing.

type wireDocument struct {
	ID        text                 `json:"id"`
	PMID      text                 `json:"pmid"`
	PMCID     text                 `json:"pmcid"`
	Infons    lenient[wireInfons]  `json:"infons"`
	Passages  list[wirePassage]    `json:"passages"`
	Relations list[wireConnection] `json:"relations"`
}

type wirePassage struct {
	Infons      lenient[wireInfons]  `json:"infons"`
	Offset      whole                `json:"offset"`
	Text        text                 `json:"text"`
	Annotations list[wireAnnotation] `json:"annotations"`
}

type wireInfons struct {
	Type        text `json:"type"`
	SectionType text `json:"section_type"`
	Section     text `json:"section"`
	PMID        text `json:"article-id_pmid"`
	PMCID       text `json:"article-id_pmc"`
}

type wireAnnotation struct {
	Text      text                `json:"text"`
	Infons    lenient[wireEntity] `json:"infons"`
	Locations list[wireLocation]  `json:"locations"`
}

type wireEntity struct {
	Type       text `json:"type"`
	Identifier text `json:"identifier"`
	Database   text `json:"database"`
	Accession  text `json:"accession"`
	Name       text `json:"name"`
	RSID       text `json:"rsid"`
}

type wireLocation struct {
	Offset whole `json:"offset"`
	Length whole `json:"length"`
}

type wireConnection struct {
	Infons lenient[struct {
		Type  text                `json:"type"`
		Score text                `json:"score"`
		Role1 lenient[wireEntity] `json:"role1"`
		Role2 lenient[wireEntity] `json:"role2"`
	}] `json:"infons"`
}

type wireRelation struct {
	Type     text  `json:"type"`
	Source   text  `json:"source"`
	Target   text  `json:"target"`
	Articles whole `json:"publications"`
}

// text takes a string, a number or a boolean unchanged and the members of a
// list joined by ";"; null, an object and "-" are "".
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	*t = ""
	switch data[0] {
	case '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if s = strings.TrimSpace(s); s != "-" && s != "None" {
			*t = text(s)
		}
	case '[':
		var members []json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return err
		}
		var words []string
		for _, m := range members {
			var word text
			if m[0] == '[' { // a list in a list is never read: nesting must cost nothing
				continue
			}
			if err := word.UnmarshalJSON(m); err != nil {
				return err
			}
			if word != "" {
				words = append(words, string(word))
			}
		}
		*t = text(strings.Join(words, ";"))
	case 'n', '{':
	default:
		*t = text(data)
	}
	return nil
}

// whole takes a number, also one written as a string; anything else is 0.
type whole int

func (w *whole) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil || !(n >= 0 && n <= 1<<30) { // not n < 0: NaN parses too
		n = 0
	}
	*w = whole(n)
	return nil
}

// list takes a list, dropping members of another shape; anything else is none.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	*l = list[T]{}
	if data[0] != '[' {
		return nil
	}
	var members []json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for _, m := range members {
		var v T
		if m[0] == '{' && json.Unmarshal(m, &v) == nil {
			*l = append(*l, v)
		}
	}
	return nil
}

// lenient takes an object; anything else is the zero value.
type lenient[T any] struct{ V T }

func (l *lenient[T]) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &l.V)
}

func (d wireDocument) clean() Document {
	out := Document{
		PMID: string(d.PMID), PMCID: pmcid(d.PMCID),
		Passages: []Passage{}, Relations: []Relation{},
	}
	if out.PMID == "" && strings.Trim(string(d.ID), "0123456789") == "" {
		out.PMID = string(d.ID)
	}
	if out.PMCID == "" && strings.HasPrefix(string(d.ID), "PMC") {
		out.PMCID = string(d.ID)
	}
	for _, p := range d.Passages {
		in := p.Infons.V
		section := cmp.Or(in.SectionType, in.Section)
		out.PMID = cmp.Or(out.PMID, string(in.PMID))
		// An abstract's title passage carries article-id_pmc only when the
		// article is in PMC too, while pmcid is null there.
		out.PMCID = cmp.Or(out.PMCID, pmcid(in.PMCID))
		passage := Passage{
			Type: string(in.Type), Section: string(section),
			Text: string(p.Text), Offset: int(p.Offset), Annotations: []Annotation{},
		}
		for _, a := range p.Annotations {
			passage.Annotations = append(passage.Annotations, a.clean())
		}
		out.Passages = append(out.Passages, passage)
	}
	for _, r := range d.Relations {
		in := r.Infons.V
		first, other := in.Role1.V.clean(), in.Role2.V.clean()
		if first.Type == "" && other.Type == "" {
			continue
		}
		score, _ := strconv.ParseFloat(string(in.Score), 64)
		if !(score >= 0 && score <= 1) { // also NaN, which JSON cannot carry
			score = 0
		}
		out.Relations = append(out.Relations, Relation{Type: string(in.Type), Score: score, First: first, Other: other})
	}
	return out
}

func (a wireAnnotation) clean() Annotation {
	out := a.Infons.V.clean()
	out.Text = string(a.Text)
	for _, l := range a.Locations {
		out.Locations = append(out.Locations, Location{Offset: int(l.Offset), Length: int(l.Length)})
	}
	return out
}

func (e wireEntity) clean() Annotation {
	out := Annotation{
		Type: string(e.Type), Identifier: string(e.Identifier), Database: string(e.Database),
		Accession: string(e.Accession), Name: string(e.Name), Locations: []Location{},
	}
	// A variant's identifier reads "tmVar:p|SUB|V|600|E;HGVS:p.V600E;...;RS#:113488022;...";
	// its rs number is what the databases know it by.
	if rs := string(e.RSID); rs != "" {
		out.Identifier = rs
	}
	return out
}

func pmcid(t text) string {
	if t == "" || strings.HasPrefix(string(t), "PMC") {
		return string(t)
	}
	return "PMC" + string(t)
}
