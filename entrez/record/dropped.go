package record

// Dropped is a part of a query that was not searched for as it was written.
type Dropped struct {
	Phrase string // as the source quotes it; "" for a general message
	What   string // what the source did, to follow its name: "does not know, and dropped from the search"
	Gone   bool   // no part of the phrase was searched for
	Idle   bool   // the phrase consists of stop words; the query means the same without it
	Near   string // a similar known phrase, or "" if there is none
}
