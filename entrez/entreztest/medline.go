package entreztest

import (
	"fmt"
	"strings"

	"biomcp/entrez/pubmed"
)

const medlineWidth = 88 // columns of the MEDLINE display format

// correctionTags are the MEDLINE tags of CommentsCorrections (NLM, "MEDLINE/
// PubMed Data Element (Field) Descriptions").
var correctionTags = map[string]string{
	"CommentIn": "CIN", "CommentOn": "CON", "CorrectedandRepublishedIn": "CRI", "CorrectedandRepublishedFrom": "CRF",
	"ErratumIn": "EIN", "ErratumFor": "EFR", "ExpressionOfConcernIn": "ECI", "ExpressionOfConcernFor": "ECF",
	"RepublishedIn": "RPI", "RepublishedFrom": "RPF", "RetractedandRepublishedIn": "RRI", "RetractedandRepublishedFrom": "RRF",
	"RetractionIn": "RIN", "RetractionOf": "ROF", "UpdateIn": "UIN", "UpdateOf": "UOF",
	"SummaryForPatientsIn": "SPIN", "OriginalReportIn": "ORI", "AssociatedDataset": "DDIN", "AssociatedPublication": "DRIN",
}

// medline writes a record in the MEDLINE display format (captures
// medline_pubmed_result*): a tag of four columns, "- ", and text wrapped with
// six blanks in front.
func medline(a *pubmed.Article) string {
	var b strings.Builder
	put := func(tag, text string) {
		if text != "" {
			b.WriteString(wrap(fmt.Sprintf("%-4s- ", tag), text))
		}
	}
	each := func(tag string, texts []string) {
		for _, t := range texts {
			put(tag, t)
		}
	}
	j := a.Journal
	put("PMID", a.PMID)
	put("OWN", "NLM")
	put("STAT", a.Status)
	put("DCOM", compact(a.Dates.Completed))
	put("LR", compact(a.Dates.LastRevised))
	if j.ISSN != "" {
		put("IS", j.ISSN+" ("+j.ISSNType+")")
	}
	if j.ISSNLinking != "" {
		put("IS", j.ISSNLinking+" (Linking)")
	}
	put("VI", j.Volume)
	put("IP", j.Issue)
	put("DP", dateText(a.PublicationDate))
	put("TI", a.Title)
	put("PG", j.Pages)
	if a.DOI != "" {
		put("LID", a.DOI+" [doi]")
	}
	put("AB", strings.ReplaceAll(a.Abstract, "\n", " "))
	put("CI", a.Copyright)
	for _, p := range a.Authors {
		medlinePerson(put, "FAU", "AU", p)
		if p.ORCID != "" {
			put("AUID", "ORCID: "+p.ORCID)
		}
		each("AD", p.Affiliations)
	}
	each("LA", a.Language)
	for _, d := range a.DataBanks {
		for _, acc := range d.Accessions {
			put("SI", d.Name+"/"+acc)
		}
	}
	for _, g := range a.Grants {
		var parts []string
		for _, p := range []string{g.ID, g.Acronym, g.Agency, g.Country} {
			if p != "" {
				parts = append(parts, p)
			}
		}
		put("GR", strings.Join(parts, "/"))
	}
	each("PT", a.PublicationTypes)
	put("TT", a.VernacularTitle)
	if d := firstDay(a.ElectronicDate); d != 0 {
		put("DEP", fmt.Sprint(int(d)))
	}
	put("PL", j.Country)
	put("TA", j.Abbreviation)
	put("JT", j.Title)
	put("JID", j.NLMID)
	for _, c := range a.Chemicals {
		put("RN", c.Registry+" ("+c.Name+")")
	}
	each("SB", a.CitationSubsets)
	for _, c := range a.Corrections {
		if tag := correctionTags[c.Type]; tag != "" {
			text := c.Source
			if c.PMID != "" {
				text += " PMID: " + c.PMID
			}
			put(tag, text)
		}
	}
	for _, m := range a.Mesh {
		put("MH", headingText(m))
	}
	for _, p := range a.PersonalNames {
		medlinePerson(put, "FPS", "PS", p)
	}
	put("PMC", a.PMCID)
	if len(a.Keywords) > 0 {
		put("OTO", "NOTNLM")
	}
	each("OT", a.Keywords)
	put("COIS", a.Coi)
	for _, p := range a.Investigators {
		medlinePerson(put, "FIR", "IR", p)
	}
	put("EDAT", stamp(a.Dates.Pubmed))
	put("MHDA", stamp(a.Dates.Medline))
	put("CRDT", stamp(a.Dates.Entrez))
	for _, h := range historyOf(a.Dates) {
		put("PHST", stamp(h[1])+" ["+h[0]+"]")
	}
	for _, id := range a.ArticleIDs {
		if id.Type == "doi" || id.Type == "pii" {
			put("AID", id.Value+" ["+id.Type+"]")
		}
	}
	put("PST", a.PublicationStatus)
	put("SO", sourceLine(a))
	return b.String()
}

func medlinePerson(put func(tag, text string), full, short string, p pubmed.Author) {
	if p.CollectiveName != "" {
		put("CN", p.CollectiveName)
		return
	}
	name := p.LastName
	if p.ForeName != "" {
		name += ", " + p.ForeName
	}
	if p.Suffix != "" {
		name += " " + p.Suffix
	}
	put(full, name)
	put(short, p.Name())
}

// headingText is "Sequence Alignment/*methods": a star marks a major topic.
func headingText(m pubmed.Mesh) string {
	star := func(major bool) string {
		if major {
			return "*"
		}
		return ""
	}
	out := star(m.Major) + m.Descriptor
	for _, q := range m.Qualifiers {
		out += "/" + star(q.Major) + q.Name
	}
	return out
}

// sourceLine is the SO field: journal, date, volume, DOI.
func sourceLine(a *pubmed.Article) string {
	out := a.Journal.Abbreviation + ". " + source(a) + "."
	if a.DOI != "" {
		out += " doi: " + a.DOI + "."
	}
	if a.ElectronicDate.Year != 0 && a.PubModel == "Print-Electronic" {
		out += " Epub " + dateText(a.ElectronicDate) + "."
	}
	return out
}

// compact is 20020916 for "2002-09-16".
func compact(date string) string {
	if len(date) < 10 {
		return ""
	}
	return strings.ReplaceAll(date[:10], "-", "")
}

// stamp is "2002/09/17 10:00" for "2002-09-17T10:00", without the hour where
// there is none.
func stamp(date string) string {
	return strings.Replace(strings.ReplaceAll(date, "-", "/"), "T", " ", 1)
}

// wrap breaks text at blanks, so that no line with its prefix is wider than
// medlineWidth unless a single word is.
func wrap(prefix, text string) string {
	var b strings.Builder
	line := prefix
	empty := true
	for _, w := range strings.Fields(text) {
		switch {
		case empty:
			line += w
		case len(line)+1+len(w) > medlineWidth:
			b.WriteString(line + "\n")
			line = "      " + w
		default:
			line += " " + w
		}
		empty = false
	}
	return b.String() + line + "\n"
}
