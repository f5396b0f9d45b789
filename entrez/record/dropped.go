package record

// DroppedTerm is a part of a query that was not searched for as it was written.
type DroppedTerm struct {
	Phrase        string // as the source quotes it; "" for a general message
	Action        string // what the source did, to follow its name: "does not know, and dropped from the search"
	NotSearched   bool   // no part of the phrase was searched for
	OnlyStopWords bool   // the phrase consists of stop words; the query means the same without it
	Suggestion    string // a similar known phrase, or "" if there is none
}
