// Package related provides sections that several entities share: trials, drugs, variants and
// pharmacogenetics. The entity provides the query.
package related
