package record

import "strings"

// Retracted is the word that marks a retracted article.
const Retracted = "RETRACTED"

// RetractedType is the publication type of a retracted article.
const RetractedType = "Retracted Publication"

// RetractedNotice is the sentence about a retracted article.
const RetractedNotice = Retracted + ": this article has been retracted"

// IsRetraction reports whether a correction of this type (CommentsCorrections
// RefType, in any case) says that its article has been retracted.
func IsRetraction(refType string) bool {
	return strings.EqualFold(refType, "RetractionIn") || strings.EqualFold(refType, "RetractedandRepublishedIn")
}

// Label is the title of an article, marked where it is retracted: once, since
// many publishers mark the title themselves ("RETRACTED: ", "[Retracted] ").
func Label(retracted bool, title string) string {
	if !retracted || Labelled(title) {
		return title
	}
	return Retracted + ": " + title
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
