package result

import (
	"biomcp/cli/words"
)

// Payload is the data of an answer. [JSON] writes it as an object, or encoding/json
// does if it is [SchemaBound]; Doc is the same for reading, without formatting.
type Payload interface{ Doc() Doc }

// Text is an answer whose text is for another program. In JSON it is the value.
type Text struct {
	Value any
	Text  string
}

// Doc is the text.
func (t Text) Doc() Doc { return Doc{Verbatim{Text: t.Text}} }

// MarshalJSON is the value's.
func (t Text) MarshalJSON() ([]byte, error) { return JSON(t.Value) }

// SchemaBound marks a payload whose JSON is exactly a published schema: no
// notices and no _meta are added to it.
type SchemaBound interface{ SchemaBound() }

// Argv is a command line as words, without the program's name.
type Argv []string

// String is the line to type, quoted so that no word can become two or start
// a shell construct.
func (a Argv) String() string { return words.Quote(append([]string{"biomcp"}, a...)) }

// State is the outcome of a section of an answer.
type State string

// The states of a section.
const (
	Data         State = "data"         // the section has content
	Empty        State = "empty"        // the source has nothing
	Inapplicable State = "inapplicable" // the question makes no sense for this record
	Unavailable  State = "unavailable"  // the source did not answer
	Degraded     State = "degraded"     // only a part arrived
)

// SectionSource says where one section of an answer came from, and its state.
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
	Beside   []string // further ones, which Doc has beside what they are about
	Sections []SectionSource
	Next     []Argv
	Meta     Meta

	// Only is the command that reads the one hit of a search, nil if it has several.
	Only Argv

	// At is the place in the text of the answer from which it is shown: 0, or one that
	// Rest was asked for. Rest is the command for the text from a place on, nil if
	// there is none.
	At   int
	Rest func(at int) Argv

	// Less is the command for about a share, between 0 and 1, of what was asked,
	// for an answer that is never cut: strictly less, or nil if there is no
	// such command.
	Less func(share float64) Argv

	doc Doc
}

// Doc returns the payload's document, made at the first call.
func (r *Result) Doc() Doc {
	if r.doc == nil {
		r.doc = r.Payload.Doc()
	}
	return r.doc
}

// Share is a share of n things: at least one of them and never all; 0 if there
// is only one.
func Share(n int, share float64) int { return max(min(1, n-1), min(n-1, int(float64(n)*share))) }

// Notice adds a line that is shown before the answer; "" is none.
func (r *Result) Notice(text string) {
	if text != "" {
		r.Notices = append(r.Notices, text)
	}
}

// Meta is what an answer or a failure says in its _meta for agents. A payload
// that is bound to a schema has none.
type Meta struct {
	Workflow *Workflow
	Alias    *AliasResolution
}

// Workflow is a worked example that an answer is the beginning of: its name and
// its commands in order.
type Workflow struct {
	Name   string
	Ladder []Rung
}

// Rung is one command of a workflow and what it gives.
type Rung struct {
	Command Argv
	Gives   string
}

// AliasResolution says what a word is that is not a name of the entity asked
// for: another name of one record (canonical), of several (ambiguous), or a
// record of another entity.
type AliasResolution struct {
	Kind        string      `json:"kind"`
	Entity      string      `json:"requested_entity"`
	Query       string      `json:"query"`
	Canonical   string      `json:"canonical,omitempty"`
	CanonicalID string      `json:"canonical_id,omitempty"`
	MatchTier   string      `json:"match_tier,omitempty"`
	Of          string      `json:"canonical_entity,omitempty"` // where it is not the one asked for
	Candidates  []Candidate `json:"candidates,omitempty"`
	Sources     []string    `json:"sources"`
}

// Candidate is a record that an ambiguous word may mean.
type Candidate struct {
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
	ID     string `json:"id"`
}

// Outcome is how a command ended. Both parts can be there: an answer that is
// shown although the command failed (health --fail-on-error).
type Outcome struct {
	Result  *Result
	Failure *Failure
}

// Code classes failures; schemas/error.json lists them.
type Code string

// The codes, and when a failure has each.
const (
	Validation Code = "VALIDATION"        // words, flags, ids or input that cannot be accepted
	NotFound   Code = "NOT_FOUND"         // every id asked for is absent
	RateLimit  Code = "RATE_LIMIT"        // NCBI's limit was hit and retries did not help; set NCBI_API_KEY for more
	Upstream   Code = "UPSTREAM"          // a service is unreachable, failing, too slow or cut off
	Entrez     Code = "ENTREZ"            // NCBI answered with an error, or --strict refused its answer
	Store      Code = "STORE"             // the disk or a file on it
	Embeddings Code = "EMBEDDINGS"        // the embedding service
	Weaviate   Code = "WEAVIATE"          // the Weaviate engine
	Invariant  Code = "INVARIANT_FAILURE" // data and program disagree: another model, dimension or a newer schema
	Unknown    Code = "UNKNOWN"           // a bug
)

// Failure is an error shown to a user: what happened, in Message, and what to
// type next, in Try. Details is an object of the envelope; "try" is added to
// it when it is written.
type Failure struct {
	Code    Code
	Message string
	Details map[string]any
	Try     Argv
	// Or is what else may have been meant, where a line could mean several things.
	Or []Argv
	// Owner is what the owner of the server can type, where who asked may not.
	Owner Argv

	// Meta and Next go into the envelope's _meta, which only a failure with a
	// Meta has.
	Meta Meta
	Next []Argv

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
