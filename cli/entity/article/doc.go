// Package article defines the entity of PubMed articles, and the two that find one: a
// printed reference (citation) and an identifier (ids).
package article
