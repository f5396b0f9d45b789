// Package entity is how something that can be searched and read becomes commands.
//
// An entity is one value, made by [Define] from a typed [Spec]: from it come its
// search, get and sync commands, their flags and help, its sections, its rows of
// health, the command reference, the description of the MCP tool and the messages
// about what there is.
//
// To add one, make a folder here named for it, with a function that returns its
// [Entity], and add one line to the list in package cli (root.go). Entities that
// share records share a folder: documents and checkpoints are in corpus, printed
// references and identifiers in article. This folder itself holds only what every
// entity uses, and knows none of them nor any service.
package entity
