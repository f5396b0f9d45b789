package entity

import (
	"context"
	"encoding/json"

	"biomcp/cli/command"
)

// Entity is something that can be searched, read, synced and checked. Each part
// is nil if an entity does not have it.
type Entity struct {
	Name    string
	Search  *command.Command
	Get     *command.Command
	MaxIDs  func(command.Policy) int   // how many Get reads at once, by who asks
	Accepts func(word string) bool     // whether Get takes a word for an id
	Split   func(text string) []string // takes a list of ids apart
	// Like is a record without values, of some sections where they are named, or a row of the
	// one section that is a table: it has the columns of all.
	Like func(sections []string) (like json.RawMessage, table bool, err error)
	Sync []*command.Command // members of the group sync
	// Health is the entity's rows of health. Each row has its own status; the
	// function never fails as a whole.
	Health func(ctx context.Context, in *command.Input) []Check
}

// The types that a record or a hit is declared with have the pointer to it as their parameter,
// because the compiler makes one code for all pointers and another for every struct.
type (
	Spec[R any]       = SpecOf[*R]
	Section[R any]    = SectionOf[*R]
	Linked[R, H any]  = LinkedOf[*R, H]
	Found[R any]      = FoundOf[*R]
	Rows[R any]       = RowsOf[*R]
	SearchSpec[H any] = SearchOf[*H]
	Page[H any]       = PageOf[*H]
	Hits[H any]       = HitsOf[*H]
)

// Check is one row of health.
type Check struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // source, key, cache, data
	Status string `json:"status"` // ok, down, absent; behind: lacks what another has
	Detail string `json:"detail"`
	Err    error  `json:"-"` // makes the row down, with its message as the detail
}

// Groups are the commands search, get and sync over entities; a group that would
// be empty is left out.
func Groups(entities []Entity) []*command.Command {
	search := &command.Command{Use: "search", Also: []string{"find", "query", "list", "export"}, For: command.Find, Short: "Find ids and short descriptions", Noun: "entity"}
	get := &command.Command{Use: "get", Also: []string{"lookup", "show", "read", "fetch", "open", "view", "describe", "info", "details", "efetch"}, For: command.Read, Short: "Look something up by its id, with optional sections", Noun: "entity"}
	sync := &command.Command{Use: "sync", Also: []string{"synchronize", "import", "mirror"}, For: command.Keep, Short: "Bring PubMed records and data sets onto this machine and keep them current", Noun: "target"}
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
