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

// FoundOf is what Fetch returns: the records, which [FoundOf.Add] adds, the ids that do
// not exist, notices.
type FoundOf[R any] struct {
	Records []R
	of      map[string][]R // the records of each id
	Missing []string
	Lost    map[string]error           // of Missing: why one could not be looked for
	others  map[string]*result.Failure // of Missing: what a name is instead
	Notices []string
	// Problem is why some ids may be missing that exist: part of the answer is
	// degraded by it, and an answer without any record is this error.
	Problem error
	Extra   any            // further keys of the JSON answer; a struct or nil
	Text    string         // replaces the text of the answer, for another program's format
	Payload result.Payload // replaces the answer, text and JSON, where its shape differs
}

// Add adds a record of an id. An id may have several, and a record several ids: then
// it is among the records once.
func (f *FoundOf[R]) Add(id string, r R) {
	if !slices.ContainsFunc(f.Records, func(o R) bool { return any(o) == any(r) }) {
		f.Records = append(f.Records, r)
	}
	if f.of == nil {
		f.of = map[string][]R{}
	}
	f.of[id] = append(f.of[id], r)
}

// Miss adds an id that does not exist. other, where it is not nil, says what the name is
// instead, and what to ask for: an answer of others has it as a notice, one without any
// record is it.
func (f *FoundOf[R]) Miss(id string, other *result.Failure) {
	f.Missing = append(f.Missing, id)
	if other == nil {
		return
	}
	if f.others == nil {
		f.others = map[string]*result.Failure{}
	}
	f.others[id] = other
}

// Lose adds an id that could not be looked for.
func (f *FoundOf[R]) Lose(id string, why error) {
	if f.Lost == nil {
		f.Lost = map[string]error{}
	}
	f.Missing, f.Lost[id], f.Problem = append(f.Missing, id), why, why
}

// Because are notices on the ids that have a reason, one for all with the same; those for
// which time ran out have the same. format has the ids and the reason.
func Because(format string, ids []string, why map[string]error) (notices []string) {
	var reasons []error
	of := map[string][]string{}
	for _, id := range ids {
		err := why[id]
		if err == nil {
			continue
		}
		at := slices.IndexFunc(reasons, func(e error) bool {
			return e.Error() == err.Error() || errors.Is(e, context.DeadlineExceeded) && errors.Is(err, context.DeadlineExceeded)
		})
		if at < 0 {
			at, reasons = len(reasons), append(reasons, err)
		}
		key := reasons[at].Error()
		of[key] = append(of[key], id)
	}
	for _, err := range reasons {
		notices = append(notices, fmt.Sprintf(format, Some(of[err.Error()]), err))
	}
	return notices
}

// other returns what the missing names are where they name something else, or nil.
func (f *FoundOf[R]) other() *result.Failure {
	var all *result.Failure
	for _, id := range f.Missing {
		switch other := f.others[id]; {
		case other == nil:
		case all == nil:
			all = new(*other)
		default:
			all.Message += "; " + other.Message
			all.Next = slices.Concat(all.Next, other.Next)
			i, j := flagsAt(all.Try), flagsAt(other.Try)
			if of := other.Try; j > 2 && i > 2 && slices.Equal(of[:2], all.Try[:2]) && slices.Equal(of[j:], all.Try[i:]) {
				all.Try = slices.Concat(all.Try[:i], of[2:])
			}
		}
	}
	return all
}

// flagsAt is the place of the first flag of a proposed line, its end where it has none.
func flagsAt(try result.Argv) int {
	if i := slices.IndexFunc(try, func(w string) bool { return strings.HasPrefix(w, "-") }); i >= 0 {
		return i
	}
	return len(try)
}

// followed are the words of a line in which the one record that a name stands for takes the
// place of the name, and what was replaced.
func (f *FoundOf[R]) followed(in *command.Input) (followed, notices []string) {
	followed = slices.Clone(in.Args)
	for i, w := range in.Args {
		if other := f.others[w]; other != nil && other.Meta.Alias != nil && other.Meta.Alias.Kind == "canonical" && other.Meta.Alias.Of == "" {
			followed[i] = other.Meta.Alias.Canonical
			notices = append(notices, other.Message+"; this is "+other.Try.String())
		}
	}
	return followed, notices
}

// ByID is the answer of a get command, id by id.
type ByID interface {
	IDs() []string
	// Of are the records of an id in JSON, as in the whole answer; none if the id
	// was not found.
	Of(id string) ([]json.RawMessage, error)
	// DocOf is the text of an id's records, and RowsOf what another program gets of them.
	DocOf(id string) result.Doc
	RowsOf(id string) ([]json.RawMessage, error)
	// Why is why an id that was not found could not be looked for, or what it is instead;
	// nil if neither is known.
	Why(id string) error
}

func (a *answer[R]) IDs() []string { return a.requested }

func (a *answer[R]) DocOf(id string) result.Doc { return a.docs(a.found.of[id]) }

func (a *answer[R]) RowsOf(id string) ([]json.RawMessage, error) { return a.rows(a.found.of[id]) }

func (a *answer[R]) Why(id string) error {
	if other := a.found.others[id]; other != nil {
		return other
	}
	return a.found.Lost[id]
}

func (a *answer[R]) Of(id string) ([]json.RawMessage, error) { return a.records(a.found.of[id]) }
