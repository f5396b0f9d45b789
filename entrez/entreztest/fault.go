package entreztest

import (
	"bytes"
	"slices"

	"biomcp/entrez/sourcetest"
)

// A Kind is one way in which NCBI or the network in front of it misbehaves.
type Kind = sourcetest.Kind

// A Fault is planned with Server.Fail.
type Fault = sourcetest.Fault

// Request is one request the server got.
type Request = sourcetest.Request

// Kinds of sourcetest, and NCBI's own.
const (
	Limit429    = sourcetest.Limit429
	BadKey      = sourcetest.BadKey
	URITooLarge = sourcetest.URITooLarge
	HTML500     = sourcetest.HTML500
	HTML502     = sourcetest.HTML502
	Down503     = sourcetest.Down503
	HTML200     = sourcetest.HTML200
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

	Limit200     Kind = "limit-200"     // the limit body under 200
	EmptyXML     Kind = "empty-xml"     // XML prolog with no root
	CppException Kind = "cpp-exception" // C++ exception text
	Error200     Kind = "error-200"     // 200 with ERROR in the endpoint's own wrapper; Text
	RawNewline   Kind = "raw-newline"   // 200 with JSON whose ERROR has a raw line break
	DeadWebEnv   Kind = "dead-webenv"   // as for a history that is gone
	LyingCount   Kind = "lying-count"   // Count is Extra (7 if not given) more than there are
	BadRecord    Kind = "bad-record"    // EFetch: IDs (else the first one) hold bytes that are no UTF-8
	ShuffledTies Kind = "shuffled-ties" // equal dates in another order in every answer
)

var own = []Kind{Limit200, EmptyXML, CppException, Error200, RawNewline, DeadWebEnv, LyingCount, BadRecord, ShuffledTies}

// Kinds are all of them.
var Kinds = append(slices.Clone(sourcetest.Kinds), own...)

// onSearch changes what ESearch found.
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

// onRecord changes the bytes of the n-th record of an EFetch.
func onRecord(f *Fault, n int, r *record) []byte {
	if f == nil || f.Kind != BadRecord || len(f.IDs) == 0 && n > 0 || len(f.IDs) > 0 && !slices.Contains(f.IDs, r.id()) {
		return r.raw
	}
	return bytes.Replace(r.raw, []byte("</ArticleTitle>"), []byte("\xff\xfe</ArticleTitle>"), 1)
}

// KillHistory makes every WebEnv given out so far a dead one.
func (s *Server) KillHistory() { s.history.clear() }
