package record

import "strings"

// Retracted is the word that marks a retracted article.
const Retracted = "RETRACTED"

// Correction types (CommentsCorrections RefType) of a retracted article.
const (
	RetractionIn           = "RetractionIn"
	RetractedRepublishedIn = "RetractedandRepublishedIn"
)

// RetractedType is the publication type of a retracted article.
const RetractedType = "Retracted Publication"

// PreprintType is the publication type of a preprint (MeSH D000076942).
const PreprintType = "Preprint"

// RetractedNotice returns the sentence about a retracted article.
func RetractedNotice(pmid string) string {
	return Label(true, "article "+pmid+" has been retracted")
}

// IsRetraction reports whether a correction of this type, in any letter case, states that its
// article was retracted.
func IsRetraction(refType string) bool {
	return strings.EqualFold(refType, RetractionIn) || strings.EqualFold(refType, RetractedRepublishedIn)
}

// Label returns the title of an article, with a mark if it is retracted. A title that the publisher
// marked already ("Retracted: ", "[Retracted] ") is not marked twice.
func Label(retracted bool, title string) string {
	const mark = Retracted + ": "
	n := len(mark) - 1
	switch {
	case !retracted:
		return title
	case len(title) >= n && strings.EqualFold(title[:n], mark[:n]):
		return mark + strings.TrimSpace(title[n:])
	case HasRetractionLabel(title):
		return title
	}
	return mark + title
}

// ListLabel returns the title of an article for a list: its [Label], with the mark of a preprint.
func ListLabel(retracted, preprint bool, title string) string {
	const mark = "PREPRINT: "
	switch {
	case preprint && retracted:
		return Retracted + " " + mark + strings.TrimPrefix(Label(true, title), Retracted+": ")
	case preprint:
		return mark + title
	}
	return Label(retracted, title)
}

// HasRetractionLabel reports whether text begins with the mark of a retraction: the word in capitals, or in
// any case before a colon or in brackets.
func HasRetractionLabel(text string) bool {
	text = strings.TrimPrefix(text, "[")
	n := len(Retracted)
	if len(text) < n || !strings.EqualFold(text[:n], Retracted) {
		return false
	}
	return text[:n] == Retracted || len(text) > n && (text[n] == ':' || text[n] == ']')
}
