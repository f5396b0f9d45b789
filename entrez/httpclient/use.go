package httpclient

import "context"

// Dependency declares what the program relies on at one address of a source. A source declares an address
// more than once if its parts have different evidence.
type Dependency struct {
	Path     string // relative to the source's address, a path.Match pattern: "gene-panels/*"
	Params   string // parameter names separated by spaces; "db=gene" restricts the Dependency to that value
	Tags     string // search tags as returned by Source.TagsOf, separated by commas: "PREF,GENE"
	Evidence string // evidence with its date: a capture, a document with its address, or "not seen"

	// Reply lists the parts of a reply that are read, separated by spaces. In JSON they are
	// paths, which pass through lists and accept * for any name ("result.*.{uid,title}"). In
	// XML they are names of elements and @attributes; "name/*" includes everything inside.
	// Into, if not nil, is a pointer to the type that an XML reply is decoded into; its
	// fields are then the parts.
	Reply   string
	Decoded any
	Columns string // columns of a table that are read, separated by "|"; ? marks optional ones
}

// IsCall reports whether a request's context belongs to a call of this package.
func IsCall(ctx context.Context) bool { return ctx.Value(callKey{}) != nil }
