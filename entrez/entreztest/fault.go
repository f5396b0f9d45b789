package entreztest

import (
	"bytes"
	"slices"

	"biomcp/entrez/sourcetest"
)

// A Kind is a way in which NCBI, or the network in front of it, can fail.
type Kind = sourcetest.Kind

// A Fault is a planned failure; see Server.Fail.
type Fault = sourcetest.Fault

// Request is a request that the server received.
type Request = sourcetest.Request

// The kinds of sourcetest, and those that only NCBI has.
const (
	Limit429    = sourcetest.Limit429
	BadKey      = sourcetest.BadKey
	URITooLarge = sourcetest.URITooLarge
	HTML500     = sourcetest.HTML500
	HTML502     = sourcetest.HTML502
	Down503     = sourcetest.Down503
	HTML200     = sourcetest.HTML200
	HTML403     = sourcetest.HTML403
	HTML404     = sourcetest.HTML404
	Empty       = sourcetest.Empty
	OtherForm   = sourcetest.OtherForm
	Truncated   = sourcetest.Truncated
	Cut         = sourcetest.Cut
	CutXML      = sourcetest.CutXML
	Hangup      = sourcetest.Hangup
	Endless     = sourcetest.Endless
	Stall       = sourcetest.Stall
	StallBody   = sourcetest.StallBody
	Redirect    = sourcetest.Redirect
	WrongType   = sourcetest.WrongType
	GzipBomb    = sourcetest.GzipBomb
	MissingUID  = sourcetest.MissingUID
	ExtraUID    = sourcetest.ExtraUID

	Limit200     Kind = "limit-200"     // the body of the rate limit with status 200
	EmptyXML     Kind = "empty-xml"     // XML prolog without a root element
	CppException Kind = "cpp-exception" // text of a C++ exception
	Error200     Kind = "error-200"     // status 200 with an ERROR in the endpoint's own wrapper; Text
	RawNewline   Kind = "raw-newline"   // status 200 with JSON whose ERROR contains an unescaped line break
	DeadWebEnv   Kind = "dead-webenv"   // as for an expired history
	LyingCount   Kind = "lying-count"   // Count is too high by Extra (default 7)
	BadRecord    Kind = "bad-record"    // EFetch: the records of IDs (default: the first one) contain invalid UTF-8
	ShuffledTies Kind = "shuffled-ties" // records of equal date are in another order in every reply
)

var ncbiKinds = []Kind{
	Limit200, EmptyXML, CppException, Error200, RawNewline, DeadWebEnv, LyingCount, BadRecord, ShuffledTies,
}

// Kinds lists all kinds.
var Kinds = append(slices.Clone(sourcetest.Kinds), ncbiKinds...)

// onSearch applies a fault to the result of ESearch.
func onSearch(f *Fault, r *found) {
	if f == nil {
		return
	}
	if f.Kind == LyingCount {
		if f.Extra == 0 {
			f.Extra = 7
		}
		r.count += f.Extra
	}
	r.ids = f.OnIDs(r.ids)
}

// onRecord applies a fault to the bytes of the n-th record of an EFetch.
func onRecord(f *Fault, n int, r *record) []byte {
	if f == nil || f.Kind != BadRecord {
		return r.raw
	}
	isDefault := len(f.IDs) == 0 && n == 0
	if !isDefault && !slices.Contains(f.IDs, r.id()) {
		return r.raw
	}
	return bytes.Replace(r.raw, []byte("</ArticleTitle>"), []byte("\xff\xfe</ArticleTitle>"), 1)
}

// KillHistory invalidates every WebEnv given out so far.
func (s *Server) KillHistory() { s.history.clear() }
