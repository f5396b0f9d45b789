// Package cite formats a PubMed record as a citation, for a reference manager (ris, bibtex, nbib,
// csl-json) or for reading (apa, mla, vancouver).
//
//	text, err := cite.Format("bibtex", article)
//	if err != nil {
//		return err // a *StyleError, which lists the styles
//	}
//	fmt.Print(text)
//
// It fetches nothing, and leaves out what a record does not state. Titles keep PubMed's capitals,
// since sentence case and title case require knowing proper names. Only journal titles in APA and
// MLA get title case, because NLM stores them in sentence case.
//
// # Sources
//
//	ris       Reference Manager's RIS format, 2001, and its 2011 tags DA, DB, LA, M3, T2
//	          (https://web.archive.org/web/20120526103719/http://refman.com/support/risformat_intro.asp)
//	bibtex    Patashnik, BibTeXing, 1988 (https://ctan.org/pkg/bibtex); url, doi, pmid, pmcid, language
//	          and day as natbib and biblatex read them; eprint and archiveprefix as arXiv gives them
//	          (https://info.arxiv.org/help/hypertex/bibstyles)
//	apa       Publication Manual of the APA, 7th edition, 2020: chapter 9 and sections 10.1-10.3
//	mla       MLA Handbook, 9th edition, 2021: chapter 5; ranges of numbers in chapter 6
//	vancouver NLM, Citing Medicine, 2nd edition (https://www.ncbi.nlm.nih.gov/books/NBK7256/), with six
//	          authors as in ICMJE's samples (https://www.nlm.nih.gov/bsd/uniform_requirements.html)
//	nbib      PubMed format, MEDLINE's (https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format and
//	          https://www.nlm.nih.gov/bsd/mms/medlineelements.html)
//	csl-json  CSL 1.0.2 (https://docs.citationstyles.org/en/stable/specification.html), csl-data.json
//
// Some choices are left to the program. Every style marks a retracted work. Vancouver and NBIB use the
// date of the version of record, and all other styles that of the issue. Page ranges are written out
// (737-738), except that Vancouver and NBIB keep NLM's form and MLA shortens by its own rule. An article
// number takes the place of missing pages. A translated title follows the original one in Vancouver,
// APA and MLA; data formats use the translation as the title and add the original.
//
// The styles apa and mla are plain text; [FormatMarked] encloses in [Emphasis] the parts to set in italics.
package cite
