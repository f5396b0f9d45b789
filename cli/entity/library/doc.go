// Package library is the entity of a person's research library, and the commands
// that fill it.
package library
