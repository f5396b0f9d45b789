// Package entity turns something that can be searched and read into commands.
//
// An entity is one value, made by [Define] from a typed [Spec]. Its search, get and sync commands,
// their flags and help, its sections, its rows of health, the command reference, the description of
// the MCP tool and the messages that list what is available are all derived from that value.
//
// To add one, make a folder here named for it, with a function that returns its [Entity], and add
// one line to the list in package cli (root.go). Entities that share records share a folder:
// documents and checkpoints are in corpus, printed references and identifiers in article. This
// folder itself holds only the code that every entity uses. It does not import any entity or
// service.
package entity
