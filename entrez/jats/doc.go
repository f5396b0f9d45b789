// Package jats parses the full text of an article from PubMed Central into structured data:
// sections, paragraphs, lists, tables on a rectangular grid, figures, formulas and references.
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
// https://jats.nlm.nih.gov/archiving/tag-library/1.4/), and its predecessor, the NLM tag sets 2 and
// 3. The document is an article by itself, or the pmc-articleset of EFetch (db=pmc). The text of a
// body is complete and in order. Parse only drops object identifiers, alternative texts of
// pictures, index terms, and all but one of several alternatives.
//
// Text is plain. Emphasis is dropped. Sub- and superscripts are Unicode characters if possible (see
// package pubmed), and x^(...) or x_(...) otherwise. Links are "words (address)", and citations are
// [12] in all articles. Nothing is escaped for markdown or a terminal, which is left to the
// renderer.
//
// The package fetches neither text (see package entrez) nor pictures, and expands no entity that a
// document declares. Size, nesting, elements and table cells are limited, so that no document can
// exhaust memory.
package jats
