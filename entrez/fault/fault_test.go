package fault_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/fault"
)

type wrongTerm struct{ message string }

func (e *wrongTerm) Error() string { return "the term is empty" }

func (e *wrongTerm) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Validation, Message: e.message, Next: []string{"list"}}
}

func ExampleOf() {
	m := fault.Of(fmt.Errorf("search: %w", &wrongTerm{}))
	fmt.Println(m.Code, m.Message, m.Next)
	// Output: VALIDATION the term is empty [list]
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		code    fault.Code
		blame   fault.Party
		message string // its beginning
	}{
		{"an error with a meaning", &wrongTerm{}, fault.Validation, fault.Caller, "the term is empty"},
		{"with a message", &wrongTerm{"type a word"}, fault.Validation, fault.Caller, "type a word"},
		{"the outer one of two", errors.Join(&wrongTerm{"first"}, &wrongTerm{"second"}), fault.Validation, fault.Caller, "first"},
		{"wrapped in a late one", fmt.Errorf("%w: %w", context.DeadlineExceeded, &wrongTerm{}), fault.Validation, fault.Caller, "the term is empty"},
		{"late", fmt.Errorf("x: %w", context.DeadlineExceeded), fault.Upstream, fault.Service, "the call timed out"},
		{"cancelled", context.Canceled, fault.Upstream, fault.Caller, "the call was cancelled"},
		{"any other", errors.New("/home/secret"), fault.Unknown, fault.Program, "something went wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fault.Of(c.err)
			if m.Code != c.code {
				t.Errorf("the code is %s, want %s", m.Code, c.code)
			}
			if m.Blame() != c.blame {
				t.Errorf("the blame is %d, want %d", m.Blame(), c.blame)
			}
			if !strings.HasPrefix(m.Message, c.message) {
				t.Errorf("the message is %q, want %q", m.Message, c.message)
			}
		})
	}
}

func TestBlame(t *testing.T) {
	for code, want := range map[fault.Code]fault.Party{
		fault.Validation: fault.Caller, fault.NotFound: fault.Caller,
		fault.Store: fault.Machine, fault.Invariant: fault.Machine,
		fault.RateLimit: fault.Service, fault.Upstream: fault.Service, fault.Entrez: fault.Service,
		fault.Embeddings: fault.Service, fault.Weaviate: fault.Service,
		fault.Unknown: fault.Program,
	} {
		if got := (fault.Meaning{Code: code}).Blame(); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	if got := (fault.Meaning{Code: fault.Validation, Party: fault.Machine}).Blame(); got != fault.Machine {
		t.Errorf("a party that is set: %d, want %d", got, fault.Machine)
	}
}
