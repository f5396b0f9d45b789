package entity

import (
	"context"
	"encoding/json"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/query"
)

// An Entity can be searched, read, synced and checked. A part is nil if the entity does not support
// it.
type Entity struct {
	Name    string
	Search  *command.Command
	Get     *command.Command
	MaxIDs  func(command.Policy) int   // maximum ids per Get, by policy; math.MaxInt means any number
	Accepts func(word string) bool     // reports whether Get reads word as an id
	Split   func(text string) []string // splits the ids of a command line
	// ReadList returns the ids of a plain list, or of a file in a form that the entity knows.
	ReadList func(text string) (ids, notices []string, err error)
	// Template returns a record without values, which has the columns of all records. If sections are
	// named, the record has these only. If they are one section that is a table, template is a row
	// of that table and table is true.
	Template func(sections []string) (template json.RawMessage, table bool, err error)
	Columns  []string           // columns of a table of whole records; nil means all
	Sync     []*command.Command // commands of the group sync
	// Health returns the entity's rows of health. Each row has its own status; the function never
	// fails as a whole.
	Health func(ctx context.Context, in *command.Input) []Check
}

// These aliases let an entity declare its record and hit types as structs. The underlying types
// take the pointer as their parameter, because the compiler generates one body of code for all
// pointers but another for every struct.
type (
	Spec[R any]              = SpecOf[*R]
	Section[R any]           = SectionOf[*R]
	RelatedSection[R, H any] = RelatedSectionOf[*R, H]
	Found[R any]             = FoundOf[*R]
	Rows[R any]              = RowsOf[*R]
	SearchSpec[H any]        = SearchOf[*H]
	Page[H any]              = PageOf[*H]
	Hits[H any]              = HitsOf[*H]
)

// An entity is described in terms of these types of packages query and advice.
type (
	Query         = query.Query
	Filter        = query.Filter
	AppliedFilter = query.AppliedFilter
	Dates         = query.Dates
	Span          = query.Span
	OtherNames    = query.OtherNames
	Alternatives  = advice.Alternatives
	Alias         = advice.Alias
)

// A Check is one row of health.
type Check struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // source, key, cache, data
	Status string `json:"status"` // ok, down, absent; behind: older than its source or its counterpart
	Detail string `json:"detail"`
	Err    error  `json:"-"` // makes the row down, with its message as the detail

	Table *TableState `json:"table,omitempty"` // nil unless the row is about a local table that is stored
}

// A TableState describes the stored version of a local table.
type TableState struct {
	Rows    int    `json:"rows"`
	AgeDays int    `json:"age_days"` // since its source last confirmed it
	AsOf    string `json:"as_of"`
	Licence string `json:"licence"`
}

// Groups returns the commands search, get and sync over entities. It omits a group without
// commands.
func Groups(entities []Entity) []*command.Command {
	search := &command.Command{Use: "search", Synonyms: []string{"find", "query", "list", "export"}, Purpose: command.Find,
		Short: "Find ids and short descriptions", Noun: "entity"}
	get := &command.Command{Use: "get",
		Synonyms: []string{"lookup", "show", "read", "fetch", "open", "view", "describe", "info", "details", "efetch"},
		Purpose:  command.Read, Short: "Look something up by its id, with optional sections", Noun: "entity"}
	sync := &command.Command{Use: "sync", Synonyms: []string{"synchronize", "import", "mirror"}, Purpose: command.Keep,
		Short: "Bring PubMed records and data sets onto this machine and keep them current", Noun: "target"}
	for _, e := range entities {
		if e.Search != nil {
			search.Commands = append(search.Commands, e.Search)
		}
		if e.Get != nil {
			get.Commands = append(get.Commands, e.Get)
		}
		sync.Commands = append(sync.Commands, e.Sync...)
	}
	var groups []*command.Command
	for _, g := range []*command.Command{search, get, sync} {
		if len(g.Commands) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}
