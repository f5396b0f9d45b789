// Package jats turns the full text of an article, as PubMed Central gives it,
// into plain structured data: sections, paragraphs, lists, tables on a
// rectangular grid, figures, formulas, references.
//
//	article, err := jats.Parse(body)
//	if err != nil {
//		return err
//	}
//	for _, h := range article.Outline() {
//		fmt.Println(strings.Repeat("  ", h.Level-1)+h.Title, h.Words)
//	}
//
// The format is JATS, the Journal Article Tag Suite (ANSI/NISO Z39.96-2024,
// https://jats.nlm.nih.gov/archiving/tag-library/1.4/), and its forerunner, the
// NLM tag sets 2 and 3, either as an article by itself or inside the
// pmc-articleset of EFetch (db=pmc). The whole text of a body is kept, in order;
// what is left out is no text: object identifiers, alternative texts that
// describe pictures, index terms, and all but one of several alternatives.
//
// Text is plain: emphasis is dropped, sub- and superscripts are Unicode where
// that can write them (package pubmed) and x^(...) or x_(...) where not, links
// are "words (address)", citations read [12] however the journal printed them.
// Nothing is escaped for markdown or a terminal; that is the renderer's work.
//
// It fetches nothing, neither text (package entrez) nor pictures, and expands no
// entity that a document declares. Input, nesting, elements and table cells are
// bounded, so no document can exhaust the machine.
package jats
