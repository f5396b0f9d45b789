package polite

import "context"

// Use is what the program relies on at an address of a source. A source declares an
// address more than once where its parts were seen in different places.
type Use struct {
	Path   string // under the source's address, as path.Match has it: "gene-panels/*"
	Params string // names of parameters, with blanks between them; with "db=gene" it holds for that value alone
	Tags   string // of searches, as TagsOf of the source has them, with commas between them: "PREF,GENE"
	Seen   string // where and when: a capture, a document with its address, or "nobody"

	// Reply is what is read of a reply, with blanks between: members of JSON by their
	// paths, which go through lists and on which * is any name ("result.*.{uid,title}"), or
	// names of elements and @attributes of XML ("name/*" with all in it). Into is a pointer to
	// the type that a reply in XML is decoded into: then its members are read.
	Reply   string
	Into    any
	Columns string // what is read of a table, with "|" between, those that may be missing with a ?
}

// IsCall reports whether a request's context belongs to a call of this package.
func IsCall(ctx context.Context) bool { return ctx.Value(callKey{}) != nil }
