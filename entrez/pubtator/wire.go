package pubtator

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/ncbi"
)

// PubTator fills the same field with a string, a number, null, a list or an object, so
// every field is read by text, whole or objects, which refuse nothing.

// text is a string or a number, or those of a list joined by ";"; null, an object and "-"
// are "".
func text(o ncbi.Object, path string) string {
	words := slices.DeleteFunc(o.Texts(path), func(w string) bool { return w == "-" || w == "None" })
	return strings.Join(words, ";")
}

// whole is a number, also one written as a string; anything else is 0.
func whole(o ncbi.Object, path string) int {
	n, err := strconv.ParseFloat(o.Text(path), 64)
	if err != nil || !(n >= 0 && n <= 1<<30) { // not n < 0: NaN parses too
		return 0
	}
	return int(n)
}

// objects are the objects of a list, without members of another shape.
func objects(o ncbi.Object, path string) []ncbi.Object {
	return slices.DeleteFunc(o.Each(path), func(m ncbi.Object) bool { return !m.IsObject() })
}

// What is read of an export, of relations and of concepts.
const (
	readOfExport = "PubTator3.{id,pmid,pmcid} PubTator3.passages.infons.{type,section_type,section,article-id_pmid,article-id_pmc} PubTator3.passages.{offset,text} " +
		"PubTator3.passages.annotations.text PubTator3.passages.annotations.infons.{" + readOfEntity + "} PubTator3.passages.annotations.locations.{offset,length} " +
		"PubTator3.relations.infons.{type,score} PubTator3.relations.infons.role1.{" + readOfEntity + "} PubTator3.relations.infons.role2.{" + readOfEntity + "}"
	readOfEntity    = "type,identifier,database,accession,name,rsid"
	readOfRelations = "type source target publications"
	readOfConcepts  = "_id biotype db db_id name match"
)

func document(d ncbi.Object) Document {
	id := text(d, "id")
	out := Document{PMID: text(d, "pmid"), PMCID: pmcid(text(d, "pmcid")), Passages: []Passage{}, Relations: []Relation{}}
	if out.PMID == "" && strings.Trim(id, "0123456789") == "" {
		out.PMID = id
	}
	if out.PMCID == "" && strings.HasPrefix(id, "PMC") {
		out.PMCID = id
	}
	for _, p := range objects(d, "passages") {
		in := p.At("infons")
		out.PMID = cmp.Or(out.PMID, text(in, "article-id_pmid"))
		// An abstract's title passage carries article-id_pmc only when the
		// article is in PMC too, while pmcid is null there.
		out.PMCID = cmp.Or(out.PMCID, pmcid(text(in, "article-id_pmc")))
		passage := Passage{
			Type: text(in, "type"), Section: cmp.Or(text(in, "section_type"), text(in, "section")),
			Text: text(p, "text"), Offset: whole(p, "offset"), Annotations: []Annotation{},
		}
		for _, a := range objects(p, "annotations") {
			one := entity(a.At("infons"))
			one.Text = text(a, "text")
			for _, l := range objects(a, "locations") {
				one.Locations = append(one.Locations, Location{Offset: whole(l, "offset"), Length: whole(l, "length")})
			}
			passage.Annotations = append(passage.Annotations, one)
		}
		out.Passages = append(out.Passages, passage)
	}
	for _, r := range objects(d, "relations") {
		in := r.At("infons")
		first, other := entity(in.At("role1")), entity(in.At("role2"))
		if first.Type == "" && other.Type == "" {
			continue
		}
		score, _ := strconv.ParseFloat(text(in, "score"), 64)
		if !(score >= 0 && score <= 1) { // also NaN, which JSON cannot carry
			score = 0
		}
		out.Relations = append(out.Relations, Relation{Type: text(in, "type"), Score: score, First: first, Other: other})
	}
	return out
}

func entity(e ncbi.Object) Annotation {
	return Annotation{
		// A variant's identifier reads "tmVar:p|SUB|V|600|E;HGVS:p.V600E;...;RS#:113488022;...";
		// its rs number is what the databases know it by.
		Identifier: cmp.Or(text(e, "rsid"), text(e, "identifier")),
		Type:       text(e, "type"), Database: text(e, "database"), Accession: text(e, "accession"), Name: text(e, "name"), Locations: []Location{},
	}
}

func pmcid(id string) string {
	if id == "" || strings.HasPrefix(id, "PMC") {
		return id
	}
	return "PMC" + id
}
