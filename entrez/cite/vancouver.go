package cite

import (
	"cmp"
	"fmt"
	"strings"
)

// vancouver formats a citation of NLM's Citing Medicine:
//
//	Names. Title. Abbrev. Date;Vol(Issue):Pages. doi: x. Epub Date. PMID: n; PMCID: PMCn.
func vancouver(w *work) string {
	title := endSentence(w.fullTitle())
	var parts []string
	switch w.kind {
	case book:
		names := nlmNames(w.people, w.incomplete)
		if len(w.people) == 0 {
			names = w.nlmEditors()
		}
		parts = []string{endSentence(names), endSentence(joinNonEmpty(" ", w.title, w.medium())), w.nlmImprint()}
	case chapter:
		date := w.nlmBookDate()
		in := joinNonEmpty(" ", endSentence(w.nlmEditors()), endSentence(joinNonEmpty(" ", w.bookTitle, w.medium())))
		parts = []string{endSentence(nlmNames(w.people, w.incomplete)), title, endSentence(date), "In: " + in, w.nlmImprint()}
		parts = append(parts, wrap("p. ", formatPages(w.pages, "-"), "."))
	default:
		journal := w.journalAbbreviation()
		if w.kind == preprint {
			journal += " [Preprint]"
		}
		cited, other := w.nlmDates("Epub ahead of print.")
		parts = []string{endSentence(nlmNames(w.people, w.incomplete)), title, endSentence(journal), w.nlmIssue(cited, w.number)}
		parts = append(parts, endSentence(w.languageNames()), w.nlmDOI(), other)
	}
	if w.Book != nil {
		parts = append(parts, endSentence(w.languageNames()), w.nlmDOI())
	}
	parts = append(parts, w.notices(false)...)
	ids := joinNonEmpty("; ", wrap("PMID: ", w.PMID, ""), wrap("PMCID: ", w.PMCID, ""))
	parts = append(parts, endSentence(ids), wrap("Available from: ", w.Book.URL(), ""))
	return oneLine(joinNonEmpty(" ", parts...))
}

// nlmNames returns at most six names, and "et al." if there are more. Semicolons separate a group
// from other names.
func nlmNames(list []person, incomplete bool) string {
	var out strings.Builder
	for i, p := range list {
		if i == 6 {
			break
		}
		if i > 0 && (p.group != "" || list[i-1].group != "") {
			out.WriteString("; ")
		} else if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(p.nlm())
	}
	if len(list) > 6 || incomplete {
		out.WriteString(", et al.")
	}
	return out.String()
}

func (w *work) nlmEditors() string {
	role := ", editor"
	if len(w.editors) > 1 {
		role = ", editors"
	}
	return wrap("", nlmNames(w.editors, false), role)
}

// nlmDates returns the date by which NLM cites an article, and a note on its other date, such as "Epub 2005
// Dec 23.". PubModel says whether the electronic version or the issue is the version of record
// (https://www.nlm.nih.gov/bsd/licensee/elements_article_source.html). If the article is ahead of print,
// the note is aheadNote.
func (w *work) nlmDates(aheadNote string) (cited, other string) {
	issue, electronic := nlmDate(w.PublicationDate), nlmDate(w.ElectronicDate)
	switch {
	case electronic == "" || issue == "":
		cited = joinNonEmpty("", issue, electronic)
	case w.PubModel == "Electronic":
		return electronic, ""
	case w.PubModel == "Electronic-Print":
		return electronic, "Print " + issue + "."
	case w.PubModel == "Electronic-eCollection":
		return electronic, "eCollection " + issue + "."
	case w.aheadOfPrint():
		cited = electronic
	default:
		cited = issue
		if electronic != issue {
			other = "Epub " + electronic + "."
		}
	}
	if w.aheadOfPrint() {
		other = aheadNote
	}
	return cited, other
}

// nlmIssue returns date, volume, issue and pages, as "2006 Mar 1;22(5):616-7.", with the pages in the form that
// NLM recorded. If there are no pages, number replaces them.
func (w *work) nlmIssue(date, number string) string {
	volume := oneLine(w.Journal.Volume) + wrap("(", oneLine(w.Journal.Issue), ")")
	pages := cmp.Or(oneLine(w.Journal.Pages), formatPages(w.pages, "-"), number)
	return endSentence(joinNonEmpty(":", joinNonEmpty(";", date, volume), pages))
}

func (w *work) nlmDOI() string { return wrap("doi: ", oneLine(w.DOI), ".") }

func (w *work) medium() string { return wrap("[", oneLine(w.Book.Medium), "]") }

// nlmImprint returns edition, volume, publisher and years: "2nd ed. Seattle (WA): University of
// Washington; 1993-2024."
func (w *work) nlmImprint() string {
	b := w.Book
	year := w.PublicationDate.Year
	from, to := b.BeginningDate.Year, b.EndingDate.Year
	years := ""
	switch {
	case from > 0 && to > 0 && from != to:
		years = fmt.Sprintf("%d-%d", from, to)
	case from > 0 && to == 0:
		years = fmt.Sprintf("%d-", from)
	case year > 0:
		years = fmt.Sprint(year)
	}
	publisher := joinNonEmpty(": ", oneLine(b.PublisherLocation), oneLine(b.Publisher))
	return joinNonEmpty(" ", edition(b.Edition), wrap("Vol. ", oneLine(b.Volume), "."), endSentence(joinNonEmpty("; ", publisher, years)))
}

// nlmBookDate returns the date of a chapter: "2001 Mar 26 [updated 2024 Aug 8]".
func (w *work) nlmBookDate() string {
	written := nlmDate(w.Book.ContributionDate)
	var year, month, day int
	if n, _ := fmt.Sscanf(w.Dates.LastRevised, "%d-%d-%d", &year, &month, &day); n == 3 && written != "" {
		if updated := (point{year, month, day}).words(months, "%[1]d %[2]s %[3]d", ""); updated != written {
			written += " [updated " + updated + "]"
		}
	}
	return written
}
