package record

// Dropped is a part of a query that was not searched for as it was written.
type Dropped struct {
	Phrase string // as the source names it, "" where it only says something
	What   string // what the source did, behind its name: "does not know, and dropped from the search"
	Gone   bool   // nothing of the phrase was searched for
	Idle   bool   // the phrase is of words that are never searched for: without it the query is the same
	Near   string // what may have been meant instead of the phrase, "" where nothing is near
}
