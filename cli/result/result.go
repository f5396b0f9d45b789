package result

import (
	"biomcp/cli/words"
	"biomcp/entrez/fault"
	"biomcp/entrez/resolve"
)

// A Payload is the data of an answer. [JSON] encodes it as an object. Doc returns the same
// data as a document for readers.
type Payload interface{ Doc() Doc }

// Text is an answer whose text is meant for another program. With --json the answer is Value.
type Text struct {
	Value any
	Text  string
}

// Doc returns the text as a Verbatim block.
func (t Text) Doc() Doc { return Doc{Verbatim{Text: t.Text}} }

// MarshalJSON encodes the value.
func (t Text) MarshalJSON() ([]byte, error) { return JSON(t.Value) }

// SchemaBound marks a payload whose JSON must match a published schema. Such JSON has no
// notices and no _meta, and empty strings stay "".
type SchemaBound interface{ SchemaBound() }

// Argv holds the words of a command line without the name of the program.
type Argv []string

// String returns the command line with the name of the program. Words are quoted so that a
// shell neither splits nor interprets them.
func (a Argv) String() string { return words.Quote(append([]string{"biomcp"}, a...)) }

// A State is the outcome of a section of an answer.
type State string

// The states of a section.
const (
	Data         State = "data"         // the section has content
	Empty        State = "empty"        // the source found nothing
	Inapplicable State = "inapplicable" // the section does not apply to this record
	Unavailable  State = "unavailable"  // the source did not answer
	Degraded     State = "degraded"     // only a part arrived
)

// SectionSource lists the sources of one section of an answer and its state.
type SectionSource struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	Outcome State    `json:"outcome"`
	Sources []string `json:"sources"`
}

// A Result is an answer.
type Result struct {
	Payload    Payload
	Notices    []string // "limit lowered to 50"; "PubTator did not answer"
	Trailing   int      // number of the last Notices that explain the answer, and so follow its text
	DocNotices []string // notices that Doc shows next to their subject; JSON lists them with Notices
	Sections   []SectionSource
	Next       []Argv
	Meta       Meta

	// SingleHit is the command that reads the only hit of a search or of discover, or that answers a
	// question which suggest understood; nil unless there is exactly one.
	SingleHit Argv

	// Offset is the byte offset in the text of the answer at which the output starts.
	Offset int
	// ContinueFrom returns the command that continues the answer at an offset. It is nil if the
	// answer cannot be continued.
	ContinueFrom func(at int) Argv

	// Rest is the command for the missing part of a partial answer, or nil if none gets only that.
	Rest Argv

	// Smaller returns a command that asks for about the given share, between 0 and 1, of
	// the data, for an answer that is too long and cannot be cut. It returns nil if
	// there is no command for less.
	Smaller func(share float64) Argv

	doc Doc
}

// Doc returns the document of the payload, which it creates at the first call.
func (r *Result) Doc() Doc {
	if r.doc == nil {
		r.doc = r.Payload.Doc()
	}
	return r.doc
}

// Share returns the given share of n, but at least 1 and less than n. If n is 1, it returns 0.
func Share(n int, share float64) int { return max(min(1, n-1), min(n-1, int(float64(n)*share))) }

// Notice adds a line that is shown before the answer, or after it if the line is Trailing. It ignores an empty text.
func (r *Result) Notice(text string) {
	if text != "" {
		r.Notices = append(r.Notices, text)
	}
}

// SplitNotices returns the notices before and after the text of the answer.
func (r *Result) SplitNotices() (leading, trailing []string) {
	n := len(r.Notices) - r.Trailing
	return r.Notices[:n], r.Notices[n:]
}

// Alerts returns notices as blocks.
func Alerts(notices []string) Doc {
	return Map(notices, func(notice string) Block { return Alert{Text: notice} })
}

// Meta holds data for the _meta object of an answer or a failure, which is for agents.
type Meta struct {
	Workflow *Workflow
	Alias    *AliasResolution
}

// A Workflow is a multi-step example whose first step this answer is.
type Workflow struct {
	Name  string
	Steps []WorkflowStep // the steps in order
}

// A WorkflowStep is one command of a workflow and a description of its answer.
type WorkflowStep struct {
	Command     Argv
	Description string
}

// AliasResolution explains a query that is not a name in the requested entity: a synonym of
// one record (canonical), a synonym of several (ambiguous), or a record of another entity.
type AliasResolution struct {
	Kind            string      `json:"kind"`
	Entity          string      `json:"requested_entity"`
	Query           string      `json:"query"`
	Canonical       string      `json:"canonical,omitempty"`
	CanonicalID     string      `json:"canonical_id,omitempty"`
	MatchTier       string      `json:"match_tier,omitempty"`
	CanonicalEntity string      `json:"canonical_entity,omitempty"` // if it differs from Entity
	Candidates      []Candidate `json:"candidates,omitempty"`
	Sources         []string    `json:"sources"`
}

// A Candidate is a record that an ambiguous query may refer to.
type Candidate = resolve.Candidate

// An Outcome is the answer or the failure of a command. Both may be set, if a command fails
// after it produced an answer (health --fail-on-error).
type Outcome struct {
	Result  *Result
	Failure *Failure
}

// A Code is the class of a failure. The schema error.json lists all codes.
type Code = fault.Code

// The codes, from package fault.
const (
	Validation = fault.Validation
	NotFound   = fault.NotFound
	RateLimit  = fault.RateLimit
	Upstream   = fault.Upstream
	Entrez     = fault.Entrez
	Store      = fault.Store
	Embeddings = fault.Embeddings
	Weaviate   = fault.Weaviate
	Invariant  = fault.Invariant
	Unknown    = fault.Unknown
)

// A Failure is an error for the user.
type Failure struct {
	Code    Code
	Message string         // what happened
	Details map[string]any // the "details" object in JSON; rendering adds Try, Alternatives and OwnerTry to a copy
	Try     Argv           // the command to run next
	// Alternatives lists alternatives to Try for an ambiguous line.
	Alternatives []Argv
	// OwnerTry is the command that the server's owner can run if the caller may not.
	OwnerTry Argv

	// Meta and Next form the _meta object in JSON, which is omitted if Meta is empty.
	Meta Meta
	Next []Argv

	// Status is the exit status; 0 means that of Code. It is 130 if the user stopped the
	// command (Ctrl-C).
	Status int
}

func (f *Failure) Error() string { return f.Message }

// Meaning returns the fields that other packages need.
func (f *Failure) Meaning() fault.Meaning {
	return fault.Meaning{Code: f.Code, Message: f.Message, Next: f.Try, Details: f.Details}
}

// Invalid returns a Validation failure that suggests the command try.
func Invalid(message string, try ...string) *Failure {
	return &Failure{Code: Validation, Message: message, Try: try}
}

// Missing returns a NotFound failure that suggests the command try.
func Missing(message string, try ...string) *Failure {
	return &Failure{Code: NotFound, Message: message, Try: try}
}
