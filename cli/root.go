package cli

import (
	"biomcp/cli/command"
	"biomcp/cli/entity"
)

// NewTree builds the commands anew. It is pure, and a call's own.
func NewTree() *command.Tree { return command.NewTree(Root(entity.All())) }

// Root is every command, over the given entities.
func Root(entities []entity.Entity) *command.Command {
	return &command.Command{
		Use:   "biomcp",
		Short: "Search and read the biomedical literature, for people, scripts and agents",
		Help: command.Help{
			About: "One grammar for everything: search an entity to find ids, get an id to read it, name sections to read more. " +
				"The same commands run in a terminal, in a script with --json, and over MCP through one read-only tool.",
			Output: "Markdown when piped, a layout for reading on a terminal, exactly one JSON document with --json. " +
				"Exit status 0 for an answer (also an empty or a partial one), 1 for a failure, 2 for words that cannot be accepted.",
		},
		Noun: "command",
		Commands: append(entity.Groups(entities),
			syncGroup(), cacheGroup(), demo(), list(), health(), version(), serve(), completion(),
		),
	}
}
