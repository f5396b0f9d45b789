package cite

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

var update = flag.Bool("update", false, "write testdata/fields.txt")

// A place is a field of an article that holds one value.
type place struct {
	path string
	of   func(a reflect.Value) reflect.Value // makes what contains the field
}

// places returns every field under a type, by reflection, so that a new field joins the test by itself. A list gets
// one element more.
func places(path string, typ reflect.Type, reach func(reflect.Value) reflect.Value) []place {
	switch typ.Kind() {
	case reflect.Pointer:
		return places(path, typ.Elem(), func(a reflect.Value) reflect.Value {
			p := reach(a)
			if p.IsNil() {
				p.Set(reflect.New(typ.Elem()))
			}
			return p.Elem()
		})
	case reflect.Struct:
		var all []place
		for i := range typ.NumField() {
			all = append(all, places(path+"."+typ.Field(i).Name, typ.Field(i).Type, func(a reflect.Value) reflect.Value {
				return reach(a).Field(i)
			})...)
		}
		return all
	case reflect.Slice:
		return places(path, typ.Elem(), func(a reflect.Value) reflect.Value {
			list := reach(a)
			list.Set(reflect.Append(list, sampleOf(typ.Elem())))
			return list.Index(list.Len() - 1)
		})
	}
	return []place{{path, reach}}
}

// sampleOf returns an element that a style can print: a person has a name, an identifier a type.
func sampleOf(typ reflect.Type) reflect.Value {
	switch typ {
	case reflect.TypeFor[pubmed.Author]():
		return reflect.ValueOf(pubmed.Author{LastName: "Person", ForeName: "Syn", Initials: "S"})
	case reflect.TypeFor[pubmed.ArticleID]():
		return reflect.ValueOf(pubmed.ArticleID{Type: "pii", Value: "p1"})
	case reflect.TypeFor[pubmed.ELocation]():
		return reflect.ValueOf(pubmed.ELocation{Type: "pii", Value: "p2"})
	case reflect.TypeFor[pubmed.Mesh]():
		return reflect.ValueOf(pubmed.Mesh{Descriptor: "Heading"})
	}
	return reflect.New(typ).Elem()
}

// setSample sets a field to a value that is not that of the sample.
func setSample(path string, v reflect.Value) {
	text := "The " + strings.ToLower(path[strings.LastIndex(path, ".")+1:])
	switch {
	case strings.HasPrefix(path, ".Dates."):
		text = "2021-02-03"
	case strings.HasSuffix(path, "DOI"):
		text = "10.1000/field"
	case strings.HasSuffix(path, ".MedlineDate"):
		text = "2018 Feb-Mar"
	case strings.HasSuffix(path, ".Season"):
		text = "Winter"
	case strings.HasSuffix(path, "Language"):
		text = "ger"
	case strings.HasSuffix(path, "ORCID"):
		text = "0000-0001-2345-6789"
	case path == ".PMID":
		text = "90000099"
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int:
		v.SetInt(2)
		if strings.HasSuffix(path, ".Year") {
			v.SetInt(2021)
		}
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

// TestFieldsOfEveryStyle compares with testdata/fields.txt the lines that each field of an article and of a chapter
// adds to, or removes from, each style. The expected lines were read against the sources that the styles name.
func TestFieldsOfEveryStyle(t *testing.T) {
	var out strings.Builder
	for _, base := range []struct {
		name string
		make func() *pubmed.Article
	}{{"article", sample}, {"chapter", bookChapter}} {
		for _, p := range places("", reflect.TypeFor[pubmed.Article](), func(v reflect.Value) reflect.Value { return v }) {
			if base.name == "article" && strings.HasPrefix(p.path, ".Book.") || base.name == "chapter" && strings.HasPrefix(p.path, ".Journal.") {
				continue
			}
			a, plain := base.make(), base.make()
			setSample(p.path, p.of(reflect.ValueOf(a).Elem()))
			p.of(reflect.ValueOf(plain).Elem())
			var changes strings.Builder
			for _, style := range []string{"ris", "bibtex", "nbib", "csl-json"} { // the styles of programs
				before, after := strings.Split(must(t, style, plain), "\n"), strings.Split(must(t, style, a), "\n")
				for _, line := range without(before, after) {
					fmt.Fprintf(&changes, "  %-8s - %s\n", style, strings.TrimSpace(line))
				}
				for _, line := range without(after, before) {
					fmt.Fprintf(&changes, "  %-8s + %s\n", style, strings.TrimSpace(line))
				}
			}
			if changes.Len() > 0 {
				fmt.Fprintf(&out, "%s%s\n%s", base.name, p.path, changes.String())
			}
		}
	}
	const file = "testdata/fields.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n")
	for _, line := range without(strings.Split(string(want), "\n"), got) {
		t.Errorf("missing: %s", line)
	}
	for _, line := range without(got, strings.Split(string(want), "\n")) {
		t.Errorf("new: %s", line)
	}
}

// without returns the lines that are more often in a than in b.
func without(a, b []string) []string {
	rest := slices.Clone(b)
	var out []string
	for _, line := range a {
		if i := slices.Index(rest, line); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		out = append(out, line)
	}
	return out
}
