package record

import "strings"

// Retracted is the word that marks a retracted article.
const Retracted = "RETRACTED"

// Corrections (CommentsCorrections RefType) of a retracted article.
const (
	RetractionIn           = "RetractionIn"
	RetractedRepublishedIn = "RetractedandRepublishedIn"
)

// RetractedType is the publication type of a retracted article.
const RetractedType = "Retracted Publication"

// PreprintType is the publication type of a preprint (MeSH D000076942).
const PreprintType = "Preprint"

// RetractedNotice is the sentence about a retracted article.
const RetractedNotice = Retracted + ": this article has been retracted"

// IsRetraction reports whether a correction of this type, in any case, says that its article has been retracted.
func IsRetraction(refType string) bool {
	return strings.EqualFold(refType, RetractionIn) || strings.EqualFold(refType, RetractedRepublishedIn)
}

// Label is the title of an article, marked where it is retracted: once, since
// many publishers mark the title themselves ("Retracted: ", "[Retracted] ").
func Label(retracted bool, title string) string {
	const mark = Retracted + ": "
	n := len(mark) - 1
	switch {
	case !retracted:
		return title
	case len(title) >= n && strings.EqualFold(title[:n], mark[:n]):
		return mark + strings.TrimSpace(title[n:])
	case Labelled(title):
		return title
	}
	return mark + title
}

// Listed is the title of an article in a list: a [Label], and the mark of a preprint.
func Listed(retracted, preprint bool, title string) string {
	const mark = "PREPRINT: "
	switch {
	case preprint && retracted:
		return Retracted + " " + mark + strings.TrimPrefix(Label(true, title), Retracted+": ")
	case preprint:
		return mark + title
	}
	return Label(retracted, title)
}

// Labelled reports whether a text begins with the mark of a retraction: the word
// in capitals, or in any case before a colon or in brackets.
func Labelled(text string) bool {
	text = strings.TrimPrefix(text, "[")
	n := len(Retracted)
	if len(text) < n || !strings.EqualFold(text[:n], Retracted) {
		return false
	}
	return text[:n] == Retracted || len(text) > n && (text[n] == ':' || text[n] == ']')
}
