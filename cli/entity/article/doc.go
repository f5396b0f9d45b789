// Package article is the entity of PubMed articles, with those that lead to one:
// a printed reference (citation) and its identifiers (ids).
package article
