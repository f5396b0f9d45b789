package entreztest

import (
	"cmp"
	"slices"
	"strings"
)

// searchMesh answers db=mesh. It finds the headings of the records by the words of their terms, or
// by UI. [mh] and quotation marks require a whole term.
func (s *Server) searchMesh(query node, f *found) []string {
	f.search = &search{strictFields: true}
	keep, effective := boolean(query, func(leaf node) func(*heading) bool { return s.meshTerm(leaf, f.search) })
	f.translation = effective
	var hits []*heading
	if keep != nil {
		for _, h := range s.corpus.headings {
			if keep(h) {
				hits = append(hits, h)
			}
		}
	} else {
		f.translation = "(" + echo(query) + ")"
	}
	// Order an exact match before headings that only contain the words, and then by name.
	wanted := fold(meshText(query))
	slices.SortFunc(hits, func(a, b *heading) int {
		exact := func(h *heading) int {
			if slices.ContainsFunc(h.Terms, func(t string) bool { return fold(t) == wanted }) {
				return 0
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(exact(a), exact(b)),
			strings.Compare(b.UI[:1], a.UI[:1]),
			strings.Compare(a.Terms[0], b.Terms[0]),
		)
	})
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = meshUID(h.UI)
	}
	return out
}

func meshText(n node) string {
	switch n := n.(type) {
	case wordsNode:
		return strings.Join(n.words, " ")
	case termNode:
		return n.text
	case groupNode:
		return meshText(n.inner)
	}
	return ""
}

// meshTerm converts a term to a predicate of headings. It returns nil if no heading matches, so
// that the term is dropped.
func (s *Server) meshTerm(n node, q *search) func(*heading) bool {
	try := func(text string, quoted bool, quotedTerm string, keep func(*heading) bool) func(*heading) bool {
		for _, h := range s.corpus.headings {
			if keep(h) {
				return keep
			}
		}
		if quoted {
			q.quotedNotFound = append(q.quotedNotFound, quotedTerm)
		} else {
			q.notFound = append(q.notFound, text)
		}
		return nil
	}
	switch n := n.(type) {
	case wordsNode:
		words := wordsOf(strings.Join(n.words, " "))
		return try(strings.Join(n.words, " "), false, "", func(h *heading) bool {
			for _, w := range words {
				if !strings.Contains(h.words, " "+w+" ") {
					return false
				}
			}
			return len(words) > 0
		})
	case termNode:
		name, _, _ := strings.Cut(strings.ToLower(n.tag), ":")
		whole := false
		switch name {
		case "mh", "mesh", "mesh terms", "multi":
			whole = true
		case "", "all", "all fields", "word", "text word", "uid", "mhui", "meshui", "tn":
		default:
			q.fieldsNotFound = append(q.fieldsNotFound, n.tag)
		}
		key := fold(n.text)
		return try(n.text, n.quoted, echo(n), func(h *heading) bool {
			if whole {
				return slices.ContainsFunc(h.Terms, func(t string) bool { return fold(t) == key })
			}
			return key != "" && strings.Contains(h.words, " "+key+" ") || meshUID(h.UI) == n.text
		})
	}
	return nil
}

type meshLink struct {
	Parent   string `json:"parent"`
	TreeNum  string `json:"treenum"`
	Children []int  `json:"children"`
}

// meshSummary is the DocSum of db=mesh, version 2.0.
type meshSummary struct {
	UID                 string     `json:"uid"`
	YearIntroduced      string     `json:"ds_yearintroduced"`
	ScopeNote           string     `json:"ds_scopenote"`
	RegistryNumber      string     `json:"ds_registrynumber"`
	HeadingMappedTo     string     `json:"ds_headingmappedto"`
	MeshTerms           []string   `json:"ds_meshterms"`
	Subheading          []string   `json:"ds_subheading"`
	PAPX                []string   `json:"ds_papx"`
	PreviousIndexing    []string   `json:"ds_previousindexing"`
	SeeRelated          []string   `json:"ds_seerelated"`
	PAList              []string   `json:"ds_palist"`
	IdxLinks            []meshLink `json:"ds_idxlinks"`
	EntryDate           string     `json:"ds_entrydate"`
	RevisionDate        string     `json:"ds_revisiondate"`
	HeadingMappedToList []int      `json:"ds_headingmappedtolist"`
	RecordType          string     `json:"ds_recordtype"`
	MeshUI              string     `json:"ds_meshui"`
}

func (s *Server) meshSummary(uid string) (any, bool) {
	for _, h := range s.corpus.headings {
		if meshUID(h.UI) != uid {
			continue
		}
		kind := "supplemental-record"
		if h.isDescriptor() {
			kind = "descriptor"
		}
		links := []meshLink{}
		for _, tree := range h.TreeNumbers {
			links = append(links, meshLink{TreeNum: tree, Children: []int{}})
		}
		return meshSummary{
			UID: uid, YearIntroduced: h.YearIntroduced, ScopeNote: h.ScopeNote, MeshTerms: nonNil(h.Terms),
			Subheading: nonNil(h.qualifiers), PAPX: []string{}, PreviousIndexing: []string{},
			SeeRelated: nonNil(h.SeeRelated), PAList: []string{}, IdxLinks: links,
			EntryDate: "1/01/01 00:00", RevisionDate: "1/01/01 00:00", HeadingMappedToList: []int{},
			RecordType: kind, MeshUI: h.UI,
		}, true
	}
	return nil, false
}

// SetHeading sets the parts of a MeSH heading that records lack: entry terms, which automatic term
// mapping then translates, scope note and tree numbers.
func (s *Server) SetHeading(h Heading) error {
	if meshUID(h.UI) == "" || len(h.Terms) == 0 {
		return errBadHeading
	}
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	replacement := &heading{Heading: h}
	if old := s.corpus.headings[h.UI]; old != nil {
		replacement.qualifiers = old.qualifiers
	}
	s.corpus.setHeading(replacement)
	return nil
}
