package command

import (
	"slices"
	"strings"
)

// bulkFlags lists the flags that read or write many records at once.
var bulkFlags = strings.Fields("--ids-from --from --from-articles --all-keys --csv --tsv --jsonl --pmids --style --rows")

// IsBulk reports whether the example reads or writes many records at once.
func (x Example) IsBulk() bool {
	return slices.ContainsFunc(strings.Fields(x.Line), func(word string) bool { return slices.Contains(bulkFlags, word) })
}

// WithBulk returns the examples of a command, and another one unless one of them is bulk.
func WithBulk(examples []Example, line, explanation string) []Example {
	if slices.ContainsFunc(examples, Example.IsBulk) {
		return examples
	}
	return append(slices.Clone(examples), Example{Line: line, Explanation: explanation})
}
