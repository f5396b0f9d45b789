package entity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// FoundOf holds the records and the missing ids that Fetch found. Fetch adds records with
// [FoundOf.Add].
type FoundOf[R any] struct {
	Records      []R
	byID         map[string][]R             // records by id
	Missing      []string                   // ids without a record
	Failures     map[string]error           // by id in Missing, the error that prevented the lookup: it is not absent
	explanations map[string]*result.Failure // by id in Missing, an explanation with a suggested command
	Notices      []string
	// Problem is the reason why Missing may list ids that exist. It marks the answer as degraded.
	// If there are no records, get fails with it.
	Problem error
	Sources []string       // replaces the sources of the records, unless nil
	Extra   any            // a struct with more members of the JSON answer, or nil
	Text    string         // replaces the text of the answer, for the format of another program
	Payload result.Payload // replaces the whole answer, text and JSON; nil keeps it
}

// Add adds a record for an id. An id may have several records. A record with several ids is in
// Records once.
func (f *FoundOf[R]) Add(id string, r R) {
	if !slices.ContainsFunc(f.Records, func(o R) bool { return any(o) == any(r) }) {
		f.Records = append(f.Records, r)
	}
	if f.byID == nil {
		f.byID = map[string][]R{}
	}
	f.byID[id] = append(f.byID[id], r)
}

// NotFound adds an id without a record. other, if not nil, explains what the name is and suggests a
// command. An answer with records shows it as a notice; without any record, get fails with it.
func (f *FoundOf[R]) NotFound(id string, other *result.Failure) {
	f.Missing = append(f.Missing, id)
	if other == nil {
		return
	}
	if f.explanations == nil {
		f.explanations = map[string]*result.Failure{}
	}
	f.explanations[id] = other
}

// Failed adds an id whose lookup failed.
func (f *FoundOf[R]) Failed(id string, reason error) {
	if f.Failures == nil {
		f.Failures = map[string]error{}
	}
	f.Missing, f.Failures[id], f.Problem = append(f.Missing, id), reason, reason
}

// Recover adds a record for an id of Missing that turned out to have one.
func (f *FoundOf[R]) Recover(id string, r R) {
	f.Missing = slices.DeleteFunc(f.Missing, func(m string) bool { return m == id })
	delete(f.Failures, id)
	if len(f.Failures) == 0 {
		f.Problem = nil
	}
	f.Add(id, r)
}

// Absent returns the ids of Missing that have no record.
func (f *FoundOf[R]) Absent() (ids []string) {
	return slices.DeleteFunc(slices.Clone(f.Missing), func(id string) bool { return f.Failures[id] != nil })
}

// Unavailable returns the ids of Missing whose lookup failed; they may have a record.
func (f *FoundOf[R]) Unavailable() (ids []string) {
	return slices.DeleteFunc(slices.Clone(f.Missing), func(id string) bool { return f.Failures[id] == nil })
}

// LostNotices returns a notice for each reason why lookups failed.
func (f *FoundOf[R]) LostNotices() []string {
	return GroupByReason("could not be looked for: %s: %s", f.Missing, f.Failures)
}

// GroupByReason returns one notice for each reason in causes, listing its ids in the order of ids. All
// exceeded deadlines count as the same reason. format has two verbs: the ids and the reason.
func GroupByReason(format string, ids []string, causes map[string]error) (notices []string) {
	var reasons []error
	of := map[string][]string{}
	for _, id := range ids {
		err := causes[id]
		if err == nil {
			continue
		}
		at := slices.IndexFunc(reasons, func(e error) bool {
			bothLate := errors.Is(e, context.DeadlineExceeded) && errors.Is(err, context.DeadlineExceeded)
			return e.Error() == err.Error() || bothLate
		})
		if at < 0 {
			at, reasons = len(reasons), append(reasons, err)
		}
		key := reasons[at].Error()
		of[key] = append(of[key], id)
	}
	for _, err := range reasons {
		notices = append(notices, fmt.Sprintf(format, command.Abbreviate(of[err.Error()]), err))
	}
	return notices
}

// explanation combines the explanations of all missing names into one failure. It returns nil if there
// are none.
func (f *FoundOf[R]) explanation() *result.Failure {
	var all *result.Failure
	for _, id := range f.Missing {
		switch other := f.explanations[id]; {
		case other == nil:
		case all == nil:
			all = new(*other)
		default:
			all.Message += "; " + other.Message
			all.Next = slices.Concat(all.Next, other.Next)
			i, j := flagIndex(all.Try), flagIndex(other.Try)
			if of := other.Try; j > 2 && i > 2 && slices.Equal(of[:2], all.Try[:2]) && slices.Equal(of[j:], all.Try[i:]) {
				all.Try = slices.Concat(all.Try[:i], of[2:])
			}
		}
	}
	return all
}

// flagIndex returns the index of the first flag in a suggested command, or its length if there is
// none.
func flagIndex(try result.Argv) int {
	if i := slices.IndexFunc(try, func(w string) bool { return strings.HasPrefix(w, "-") }); i >= 0 {
		return i
	}
	return len(try)
}

// followAliases returns the arguments with each alias of a single record replaced by the name of that
// record, and a notice for each replacement.
func (f *FoundOf[R]) followAliases(in *command.Input) (followed, notices []string) {
	followed = slices.Clone(in.Args)
	for i, w := range in.Args {
		other := f.explanations[w]
		if other == nil || other.Meta.Alias == nil {
			continue
		}
		if alias := other.Meta.Alias; alias.Kind == "canonical" && alias.CanonicalEntity == "" {
			followed[i] = alias.Canonical
			notices = append(notices, other.Message+"; this is "+other.Try.String())
		}
	}
	return followed, notices
}

// ByID is the answer of a get command, by id.
type ByID interface {
	IDs() []string
	// RecordsOf returns the records of an id in JSON, as in the whole answer. It is empty if the id was
	// not found.
	RecordsOf(id string) ([]json.RawMessage, error)
	// DocOf returns the text of an id's records. RowsOf returns the rows for another program.
	DocOf(id string) result.Doc
	RowsOf(id string) ([]json.RawMessage, error)
	// Reason returns the error that prevented the lookup of a missing id, or an explanation of the
	// name; nil if there is neither.
	Reason(id string) error
}

func (a *answer[R]) IDs() []string { return a.requested }

func (a *answer[R]) DocOf(id string) result.Doc { return a.docs(a.found.byID[id]) }

func (a *answer[R]) RowsOf(id string) ([]json.RawMessage, error) { return a.rows(a.found.byID[id]) }

func (a *answer[R]) Reason(id string) error {
	if other := a.found.explanations[id]; other != nil {
		return other
	}
	return a.found.Failures[id]
}

func (a *answer[R]) RecordsOf(id string) ([]json.RawMessage, error) {
	return a.records(a.found.byID[id])
}
