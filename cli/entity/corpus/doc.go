// Package corpus is the entities of the local corpus: its search, its documents
// and the watermarks of its queries, with the commands that sync it and its rows
// of health.
package corpus
