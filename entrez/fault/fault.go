// Package fault says what an error means to the person who meets it: its code, whose fault it is,
// and the command to run next. The errors of each package implement [Error] beside their
// definition, so that a program reads all of them with [Of].
package fault

import (
	"context"
	"errors"
)

// A Code classifies errors. The codes are stable: scripts and agents decide by them.
type Code string

// The codes and their conditions.
const (
	Validation Code = "VALIDATION"        // invalid words, flags, IDs or input
	NotFound   Code = "NOT_FOUND"         // none of the requested IDs exists
	RateLimit  Code = "RATE_LIMIT"        // NCBI's rate limit was exceeded and retries failed; NCBI_API_KEY raises it
	Upstream   Code = "UPSTREAM"          // a service is unreachable, failing, too slow or cut off
	Entrez     Code = "ENTREZ"            // NCBI returned an error, or --strict rejected its reply
	Store      Code = "STORE"             // the disk or a file on it
	Embeddings Code = "EMBEDDINGS"        // the embedding service
	Weaviate   Code = "WEAVIATE"          // the Weaviate engine
	Invariant  Code = "INVARIANT_FAILURE" // stored data does not fit the program: another model, dimension or schema
	Unknown    Code = "UNKNOWN"           // a bug
)

// A Party is the one who can mend what failed.
type Party int

// The parties. ByCode is the caller for Validation and NotFound, the service for RateLimit,
// Upstream, Entrez, Embeddings and Weaviate, the machine for Store and Invariant, and the program
// for Unknown.
const (
	ByCode  Party = iota
	Caller        // the line or its input is wrong
	Service       // a remote service failed
	Machine       // a file, the disk or the configuration of this machine
	Program       // biomcp has a bug
)

// Meaning is what an error means.
type Meaning struct {
	Code    Code
	Party   Party
	Message string         // what happened; "" means the text of the error
	Next    []string       // words of the command to run next, without "biomcp"; nil if the code decides
	Details map[string]any // further facts for JSON
	Partial bool           // a part of the work is done, and Details has its report
}

// Blame returns the party whose fault it is.
func (m Meaning) Blame() Party {
	if m.Party != ByCode {
		return m.Party
	}
	switch m.Code {
	case Validation, NotFound:
		return Caller
	case Store, Invariant:
		return Machine
	case Unknown:
		return Program
	}
	return Service
}

// An Error is an error that knows what it means.
type Error interface {
	error
	Meaning() Meaning
}

// Of returns the meaning of the first Error in the tree of err, with its message. The meaning of
// the errors of an ended context is Upstream. Any other error is Unknown, and its text is not
// shown, because it may hold a path or a secret.
func Of(err error) Meaning {
	if e, ok := errors.AsType[Error](err); ok {
		m := e.Meaning()
		if m.Message == "" {
			m.Message = e.Error()
		}
		return m
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Meaning{Code: Upstream, Message: "the call timed out; ask for less at once"}
	case errors.Is(err, context.Canceled):
		return Meaning{Code: Upstream, Party: Caller, Message: "the call was cancelled"}
	}
	return Bug()
}

// Bug returns the meaning of a fault of the program.
func Bug() Meaning {
	return Meaning{
		Code:    Unknown,
		Message: "something went wrong inside biomcp; run it again with -vv to see what, and please report it",
		Next:    []string{"health"},
	}
}
