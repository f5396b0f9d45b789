package cite

import (
	"cmp"
	"strings"
	"sync"
	"unicode/utf8"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// nbibWidth is the column at which PubMed breaks lines. It does not break a longer word.
const nbibWidth = 87

// An nbibWriter writes tagged lines: a tag of four characters, "- " and the value, with
// continuation lines indented by six spaces.
type nbibWriter struct{ out strings.Builder }

func (n *nbibWriter) add(tag string, values ...string) {
	for _, v := range values {
		words := strings.Fields(oneLine(v))
		if len(words) == 0 {
			continue
		}
		n.out.WriteString((tag + "   ")[:4] + "-")
		column := 5
		for i, word := range words {
			if size := 1 + utf8.RuneCountInString(word); column+size <= nbibWidth || i == 0 {
				n.out.WriteString(" ")
				column += size
			} else {
				n.out.WriteString("\n      ")
				column = 5 + size
			}
			n.out.WriteString(word)
		}
		n.out.WriteString("\n")
	}
}

// nbib formats a record in the PubMed format, with the fields in PubMed's order.
func nbib(w *work) string {
	n := &nbibWriter{}
	if w.Book == nil {
		w.nbibArticle(n)
	} else {
		w.nbibBook(n)
	}
	return n.out.String()
}

func (w *work) nbibArticle(n *nbibWriter) {
	j := w.Journal
	n.add("PMID", w.PMID)
	n.add("OWN", "NLM")
	n.add("STAT", w.Status)
	n.add("DCOM", digits(w.Dates.Completed))
	n.add("LR", digits(w.Dates.LastRevised))
	n.add("IS", wrap("", j.ISSN, wrap(" (", j.ISSNType, ")")), wrap("", j.ISSNLinking, " (Linking)"))
	n.add("VI", j.Volume)
	n.add("IP", j.Issue)
	n.add("DP", nlmDate(w.PublicationDate))
	n.add("TI", w.Title)
	n.add("PG", j.Pages)
	for _, l := range w.ELocations {
		n.add("LID", l.Value+" ["+l.Type+"]")
	}
	n.add("AB", w.Abstract)
	n.add("CI", w.Copyright)
	for _, o := range w.OtherAbstracts {
		n.add("OAB", joinNonEmpty(" ", wrap("", o.Type, ":"), pubmed.JoinSections(o.Sections)))
		n.add("OABL", o.Language)
	}
	n.authors("FAU", "AU", w.Authors)
	if w.incomplete {
		n.add("AU", "et al.")
	}
	n.add("LA", w.Language...)
	for _, bank := range w.DataBanks {
		if len(bank.Accessions) == 0 {
			n.add("SI", bank.Name)
		}
		for _, accession := range bank.Accessions {
			n.add("SI", bank.Name+"/"+accession)
		}
	}
	for _, g := range w.Grants {
		n.add("GR", joinNonEmpty("/", g.ID, g.Acronym, g.Agency)+"/"+g.Country)
	}
	n.add("PT", w.PublicationTypes...)
	if w.Retracted && !hasType(w.Article, record.RetractedType) {
		n.add("PT", record.RetractedType)
	}
	n.add("TT", w.VernacularTitle)
	n.add("DEP", digits(w.ElectronicDate.String()))
	n.add("PL", j.Country)
	n.add("TA", j.Abbreviation)
	n.add("JT", j.Title)
	n.add("JID", j.NLMID)
	for _, c := range w.Chemicals {
		n.add("RN", joinNonEmpty(" ", c.Registry, wrap("(", c.Name, ")")))
	}
	n.add("SB", w.CitationSubsets...)
	for _, c := range w.Corrections {
		if tag := nbibCorrection()[c.Type]; tag != "" {
			n.add(tag, joinNonEmpty(" ", c.Source, wrap("PMID: ", c.PMID, "")))
		}
	}
	for _, m := range w.Mesh {
		n.add("MH", m.String())
	}
	for _, s := range w.SupplMesh {
		n.add("NM", s.Name)
	}
	n.add("GS", w.GeneSymbols...)
	for _, p := range people(w.PersonalNames) {
		n.name("FPS", "PS", p)
	}
	n.add("PMC", w.PMCID)
	w.nbibIDs(n, "MID", "mid", "")
	if len(w.Keywords) > 0 {
		n.add("OTO", "NOTNLM")
		n.add("OT", w.Keywords...)
	}
	n.add("COIS", w.Coi)
	for _, p := range people(w.Investigators) {
		n.name("FIR", "IR", p)
	}
	w.nbibHistory(n)
	w.nbibIDs(n, "AID", "doi", " [doi]")
	w.nbibIDs(n, "AID", "pii", " [pii]")
	n.add("PST", w.PublicationStatus)
	n.add("SO", w.nbibSource())
}

func (w *work) nbibBook(n *nbibWriter) {
	b := w.Book
	n.add("PMID", w.PMID)
	n.add("STAT", "Publisher")
	n.add("DRDT", digits(w.Dates.LastRevised))
	n.add("CTDT", digits(b.ContributionDate.String()))
	n.add("PB", b.Publisher)
	n.add("PL", b.PublisherLocation)
	n.add("DP", nlmDate(w.PublicationDate))
	if w.kind == chapter {
		n.add("TI", w.Title)
	}
	n.add("BTI", b.Title)
	n.add("VI", b.Volume)
	n.add("VTI", b.VolumeTitle)
	n.add("EN", b.Edition)
	n.add("CTI", b.Collection)
	n.add("ISBN", b.ISBN...)
	n.add("PG", w.Journal.Pages)
	n.add("AB", w.Abstract)
	n.add("CI", w.Copyright)
	n.authors("FED", "ED", w.Editors)
	n.authors("FAU", "AU", w.Authors)
	n.add("LA", w.Language...)
	n.add("PT", w.PublicationTypes...)
	n.add("OT", w.Keywords...)
	w.nbibHistory(n)
	w.nbibIDs(n, "AID", "bookaccession", " [bookaccession]")
	w.nbibIDs(n, "AID", "doi", " [doi]")
}

func (n *nbibWriter) authors(full, short string, authors []pubmed.Author) {
	for _, a := range authors {
		list := people([]pubmed.Author{a})
		if len(list) == 0 {
			continue
		}
		p := list[0]
		if p.group != "" {
			n.add("CN", p.group)
		} else {
			n.name(full, short, p)
		}
		n.add("AUID", wrap("ORCID: ", a.ORCID, ""))
		n.add("AD", a.Affiliations...)
	}
}

// name adds a person's name twice: in full under the tag full, and with initials under the tag short.
func (n *nbibWriter) name(full, short string, p person) {
	n.add(full, joinNonEmpty(" ", joinNonEmpty(", ", p.family, p.givenNamesOrInitials()), p.suffix))
	n.add(short, p.nlm())
}

// nbibHistory adds PubMed's dates: entry (EDAT), MeSH (MHDA), creation (CRDT), and then the whole
// history.
func (w *work) nbibHistory(n *nbibWriter) {
	d := w.Dates
	n.add("EDAT", nbibTime(d.Pubmed))
	n.add("MHDA", nbibTime(d.Medline))
	n.add("CRDT", nbibTime(d.Entrez))
	n.add("PMCR", nbibTime(d.PMCRelease))
	for _, status := range []string{
		"received", "revised", "accepted", "aheadofprint", "epublish", "ppublish", "ecollection", "retracted",
		"pmc-release", "pmc", "pmcr", "entrez", "pubmed", "pubmedr", "premedline", "medline", "medliner",
	} {
		n.add("PHST", wrap("", nbibTime(*d.Status(status)), " ["+status+"]"))
	}
}

func (w *work) nbibIDs(n *nbibWriter, tag, kind, mark string) {
	for _, id := range w.ArticleIDs {
		if id.Type == kind && id.Value != "" {
			n.add(tag, id.Value+mark)
		}
	}
}

// nbibSource returns a citation such as "Bioinformatics. 2006 Mar 1;22(5):616-7. doi: x. Epub 2005
// Dec 23."
func (w *work) nbibSource() string {
	journal := cmp.Or(w.Journal.Abbreviation, w.journalAbbreviation())
	if w.kind == preprint {
		journal += " [Preprint]"
	}
	cited, other := w.nlmDates("Online ahead of print.")
	return joinNonEmpty(" ", endSentence(oneLine(journal)), w.nlmIssue(cited, w.pii()), w.nlmDOI(), other)
}

// nbibTime converts a time of pubmed.Dates to the form 2005/12/27 09:00.
func nbibTime(s string) string {
	if s == "" {
		return ""
	}
	day, hour, hasTime := strings.Cut(s, "T")
	if !hasTime && len(day) == len("2005-12-27") {
		hour = "00:00"
	}
	return joinNonEmpty(" ", strings.ReplaceAll(day, "-", "/"), hour)
}

func digits(s string) string { return strings.ReplaceAll(s, "-", "") }

// nbibCorrection maps types of links between records to tags.
var nbibCorrection = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"AssociatedDataset": "DDIN", "AssociatedPublication": "DRIN",
		"CommentIn": "CIN", "CommentOn": "CON",
		"CorrectedandRepublishedIn": "CRI", "CorrectedandRepublishedFrom": "CRF",
		"ErratumIn": "EIN", "ErratumFor": "EFR",
		"ExpressionOfConcernIn": "ECI", "ExpressionOfConcernFor": "ECF",
		"OriginalReportIn": "ORI", "SummaryForPatientsIn": "SPIN",
		"ReprintIn": "RPI", "ReprintOf": "RPF", "RepublishedIn": "RPI", "RepublishedFrom": "RPF",
		"RetractedandRepublishedIn": "RRI", "RetractedandRepublishedFrom": "RRF",
		"RetractionIn": "RIN", "RetractionOf": "ROF",
		"UpdateIn": "UIN", "UpdateOf": "UOF",
	}
})
