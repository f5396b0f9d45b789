// Package cite writes a PubMed record as a citation: for a reference manager
// (ris, bibtex, nbib, csl-json) or for reading (apa, mla, vancouver).
//
//	text, err := cite.Format("bibtex", article)
//	if err != nil {
//		return err // a *StyleError, which names the styles there are
//	}
//	fmt.Print(text)
//
// It fetches nothing and invents nothing: what a record does not say is left
// out. Titles keep the capitals they have in PubMed, since sentence case and
// title case cannot be made without knowing proper names; journal titles in APA
// and MLA get theirs, which NLM stores in sentence case.
//
// # Sources
//
//	ris       Reference Manager's RIS format, 2001 (archived at
//	          https://web.archive.org/web/20120526103719/http://refman.com/support/risformat_intro.asp),
//	          and its 2011 tags DA, DB, LA, M3, T2
//	bibtex    Patashnik, BibTeXing, 1988 (https://ctan.org/pkg/bibtex); url, doi, pmid, pmcid,
//	          language and day as natbib's and biblatex's styles read them; eprint and
//	          archiveprefix of a preprint as arXiv gives them (https://info.arxiv.org/help/hypertex/bibstyles)
//	apa       Publication Manual of the APA, 7th edition, 2020: chapter 9 and sections 10.1-10.3;
//	          retraction 10.1 example "retracted journal article"
//	mla       MLA Handbook, 9th edition, 2021: chapter 5; ranges of numbers in chapter 6
//	vancouver NLM, Citing Medicine, 2nd edition (https://www.ncbi.nlm.nih.gov/books/NBK7256/),
//	          with six authors before "et al.", as ICMJE's sample references have it
//	          (https://www.nlm.nih.gov/bsd/uniform_requirements.html)
//	nbib      PubMed format, that is MEDLINE's (https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format
//	          and https://www.nlm.nih.gov/bsd/mms/medlineelements.html)
//	csl-json  CSL 1.0.2 (https://docs.citationstyles.org/en/stable/specification.html) and its
//	          csl-data.json schema
//
// Where these leave a choice, it is this:
//
//   - A retracted work says so in every style. APA, Vancouver and NBIB have words
//     for it. RIS, BibTeX and CSL have a note (CSL also a status), and the title
//     begins with "RETRACTED: " as NISO RP-45-2024 (CREC) asks of metadata, so that
//     no later program loses it. MLA has no rule: "Retracted." is at the end.
//   - Vancouver and NBIB date an article as NLM does (PubModel): by the electronic
//     date where that is the version of record, with "Print" or "eCollection" and
//     the other date behind; else by the issue, with "Epub" behind. All other
//     styles give the date of the issue.
//   - Page numbers are written out, 737-8 as 737-738, except in Vancouver and NBIB,
//     where they are as NLM recorded them, and in MLA, which shortens by a
//     different rule. Something that is no page, such as e5807, is an article number.
//   - An article without pages is identified by its article number, which a record has as
//     the pii of ELocationID (NLM Tech Bull 2008 Jul-Aug;(363):e2). PubMed prints
//     any pii there, S1234-5678(20)00001-X of an article ahead of print too, and so
//     does SO in nbib, which is PubMed's line. The other styles want one short word
//     with a digit in it and without an ISSN, of an article that is in its issue.
//     RIS has it in SP, which Zotero and JabRef read as the pages; C7, EndNote's
//     article number, takes the place of the issue in JabRef and becomes a note in
//     Zotero. BibTeX has it in eid, CSL in number. LID in nbib has every location
//     of a record.
//   - A translated title, which NLM puts in brackets, follows the original one in
//     Vancouver, APA and MLA; data formats keep it as the title and give the
//     original next to it.
//   - A preprint without a DOI, as most of arXiv's are in PubMed, has in APA its number
//     behind the title, and in APA and MLA the address at arXiv, or else in PubMed
//     Central or PubMed.
//   - A DOI in BibTeX is as it is registered, since biblatex and hyperref print it
//     verbatim; as a link it is percent-encoded.
//   - apa and mla are plain text; Marked encloses in Emphasis what is to be in italics.
package cite
