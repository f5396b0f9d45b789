package result

import (
	"biomcp/cli/words"
)

// Payload is the data of an answer. Its JSON form is json.Marshal of the value,
// which must be an object; Doc is the same for reading, without formatting.
type Payload interface {
	Kind() string // "article", "article.list": names its schema
	Doc() Doc
}

// SchemaBound marks a payload whose JSON is exactly a published schema: no
// notices and no _meta are added to it.
type SchemaBound interface{ SchemaBound() }

// Argv is a command line as words, without the program's name.
type Argv []string

// String is the line to type, quoted so that no word can become two or start
// a shell construct.
func (a Argv) String() string { return words.Quote(append([]string{"biomcp"}, a...)) }

// State says how a section of an answer came out.
type State string

// The states of a section.
const (
	Data         State = "data"         // there is something
	Empty        State = "empty"        // asked, and there is nothing
	Inapplicable State = "inapplicable" // the question makes no sense for this record
	Unavailable  State = "unavailable"  // the source did not answer
	Degraded     State = "degraded"     // part of it came
)

// SectionSource says of one part of an answer where it came from and how that
// went.
type SectionSource struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	Outcome State    `json:"outcome"`
	Sources []string `json:"sources"`
}

// Result is an answer.
type Result struct {
	Payload  Payload
	Notices  []string // "limit lowered to 50"; "PubTator did not answer"
	Sections []SectionSource
	Next     []Argv

	// Rest is the command for what is left when an answer was cut after the
	// given number of items (rows of the main table, or [Step] blocks). Rest(0)
	// is for an answer that cannot be shown even in part: it must ask for
	// strictly less than was asked. Nil, as a function or as what it gives,
	// where there is no such command.
	Rest func(items int) Argv
}

// Notice adds a line that stands before the answer.
func (r *Result) Notice(text string) { r.Notices = append(r.Notices, text) }

// Outcome is how a command ended. Both parts can be there: an answer that is
// shown although the command failed (health --fail-on-error).
type Outcome struct {
	Result  *Result
	Failure *Failure
}

// Code classes failures; schemas/error.json lists them.
type Code string

// The codes. What each means, its exit status and hint stand in one table in
// package cli.
const (
	Validation Code = "VALIDATION"
	NotFound   Code = "NOT_FOUND"
	RateLimit  Code = "RATE_LIMIT"
	Upstream   Code = "UPSTREAM"
	Entrez     Code = "ENTREZ"
	Store      Code = "STORE"
	Embeddings Code = "EMBEDDINGS"
	Weaviate   Code = "WEAVIATE"
	Invariant  Code = "INVARIANT_FAILURE"
	Unknown    Code = "UNKNOWN"
)

// Failure is an error as a user meets it: what happened, in Message, and what
// to type next, in Try. Details is an object of the envelope; "try" is added to
// it when it is written.
type Failure struct {
	Code    Code
	Message string
	Details map[string]any
	Try     Argv

	// Status is the exit status where it is not the code's own: 130 for what
	// the user stopped (Ctrl-C).
	Status int
}

func (f *Failure) Error() string { return f.Message }

// Invalid is a VALIDATION failure with the command to type instead.
func Invalid(message string, try ...string) *Failure {
	return &Failure{Code: Validation, Message: message, Try: try}
}

// Missing is a NOT_FOUND failure with the command to type instead.
func Missing(message string, try ...string) *Failure {
	return &Failure{Code: NotFound, Message: message, Try: try}
}
