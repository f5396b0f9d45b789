// Package library defines the entity of the user's research library, and the commands
// that add files to it.
package library
