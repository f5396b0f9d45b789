// Package corpus defines the entities of the local corpus: its search, its documents
// and the watermarks of its queries. It also defines the sync commands and the health
// checks of the corpus.
package corpus
