package cite

import (
	"cmp"
	"fmt"
	"strings"
)

// vancouver writes a citation of NLM's Citing Medicine:
// Names. Title. Abbrev. Date;Vol(Issue):Pages. doi: x. Epub Date. PMID: n; PMCID: PMCn.
func vancouver(w *work) string {
	title := stop(w.fullTitle())
	var parts []string
	switch w.kind {
	case book:
		names := nlmNames(w.people, w.incomplete)
		if len(w.people) == 0 {
			names = w.nlmEditors()
		}
		parts = []string{stop(names), stop(joined(" ", w.title, w.medium())), w.nlmImprint()}
	case chapter:
		dated := w.nlmBookDate()
		in := joined(" ", stop(w.nlmEditors()), stop(joined(" ", w.bookTitle, w.medium())))
		parts = []string{stop(nlmNames(w.people, w.incomplete)), title, stop(dated), "In: " + in, w.nlmImprint()}
		parts = append(parts, around("p. ", written(w.pages, "-"), "."))
	default:
		journal := w.journalAbbreviation()
		if w.kind == preprint {
			journal += " [Preprint]"
		}
		when, later := w.nlmDates("Epub ahead of print.")
		parts = []string{stop(nlmNames(w.people, w.incomplete)), title, stop(journal), w.nlmIssue(when, w.number)}
		parts = append(parts, stop(w.languageNames()), w.nlmDOI(), later)
	}
	if w.Book != nil {
		parts = append(parts, stop(w.languageNames()), w.nlmDOI())
	}
	parts = append(parts, w.notices(false)...)
	ids := joined("; ", around("PMID: ", w.PMID, ""), around("PMCID: ", w.PMCID, ""))
	parts = append(parts, stop(ids), around("Available from: ", w.Book.URL(), ""))
	return line(joined(" ", parts...))
}

// nlmNames are six names and "et al."; a group is set off by semicolons.
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
	return around("", nlmNames(w.editors, false), role)
}

// nlmDates are the date by which NLM cites an article and what it says of the
// other one: PubModel says which of the two is the version of record
// (https://www.nlm.nih.gov/bsd/licensee/elements_article_source.html).
func (w *work) nlmDates(ahead string) (when, later string) {
	issue, electronic := nlmDate(w.PublicationDate), nlmDate(w.ElectronicDate)
	switch {
	case electronic == "" || issue == "":
		when = joined("", issue, electronic)
	case w.PubModel == "Electronic":
		return electronic, ""
	case w.PubModel == "Electronic-Print":
		return electronic, "Print " + issue + "."
	case w.PubModel == "Electronic-eCollection":
		return electronic, "eCollection " + issue + "."
	case w.aheadOfPrint():
		when = electronic
	default:
		when = issue
		if electronic != issue {
			later = "Epub " + electronic + "."
		}
	}
	if w.aheadOfPrint() {
		later = ahead
	}
	return when, later
}

// nlmIssue is "2006 Mar 1;22(5):616-7.", pages as NLM recorded them, or number
// where there are none.
func (w *work) nlmIssue(when, number string) string {
	volume := line(w.Journal.Volume) + around("(", line(w.Journal.Issue), ")")
	pages := cmp.Or(line(w.Journal.Pages), written(w.pages, "-"), number)
	return stop(joined(":", joined(";", when, volume), pages))
}

func (w *work) nlmDOI() string { return around("doi: ", line(w.DOI), ".") }

func (w *work) medium() string { return around("[", line(w.Book.Medium), "]") }

// nlmImprint is "2nd ed. Seattle (WA): University of Washington; 1993-2024."
func (w *work) nlmImprint() string {
	b := w.Book
	year := w.PublicationDate.Year
	from, to := b.BeginningDate.Year, b.EndingDate.Year
	when := ""
	switch {
	case from > 0 && to > 0 && from != to:
		when = fmt.Sprintf("%d-%d", from, to)
	case from > 0 && to == 0:
		when = fmt.Sprintf("%d-", from)
	case year > 0:
		when = fmt.Sprint(year)
	}
	publisher := joined(": ", line(b.PublisherLocation), line(b.Publisher))
	return joined(" ", edition(b.Edition), around("Vol. ", line(b.Volume), "."), stop(joined("; ", publisher, when)))
}

// nlmBookDate is "2001 Mar 26 [updated 2024 Aug 8]", of a chapter.
func (w *work) nlmBookDate() string {
	when := nlmDate(w.Book.ContributionDate)
	var year, month, day int
	if n, _ := fmt.Sscanf(w.Dates.LastRevised, "%d-%d-%d", &year, &month, &day); n == 3 && when != "" {
		if updated := (point{year, month, day}).words(months, "%[1]d %[2]s %[3]d", ""); updated != when {
			when += " [updated " + updated + "]"
		}
	}
	return when
}
