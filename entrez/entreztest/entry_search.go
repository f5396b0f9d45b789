package entreztest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var tagForm = regexp.MustCompile(`\[[^\]]+\]`)

// search answers ESearch of a database other than PubMed. A tagged term matches the values of that
// field. Other terms match all values and all words of the summary. As NCBI does, it searches all
// fields for a tag that the database does not have, and drops a term without matches, which makes
// the search broader.
func (e *entries) search(query node, f *found) []string {
	f.search = &search{}
	keep, effective := boolean(query, func(leaf node) func(*Entry) bool { return e.leaf(leaf, f.search) })
	if keep == nil {
		effective = echo(query)
	}
	f.translation = tagForm.ReplaceAllStringFunc(effective, func(tag string) string {
		if e.field(strings.Trim(tag, "[]")) == "" {
			return "[All Fields]"
		}
		return tag
	})
	out := []string{}
	for _, r := range e.Records {
		if keep != nil && keep(r) {
			out = append(out, r.UID)
		}
	}
	return out
}

// boolean converts a query to a predicate of records. leaf converts its terms; it returns nil for a term to drop.
// boolean returns nil if all terms are dropped, and the query without the dropped terms.
func boolean[R any](n node, leaf func(node) func(R) bool) (keep func(R) bool, effective string) {
	switch n := n.(type) {
	case groupNode:
		keep, effective = boolean(n.inner, leaf)
		return keep, "(" + effective + ")"
	case chainNode:
		var out strings.Builder // a query may have thousands of parts
		for i, operand := range n.operands {
			right, text := boolean(operand, leaf)
			if right == nil {
				continue
			}
			if keep == nil {
				keep = right
				out.WriteString(text)
				continue
			}
			op, left := n.ops[i-1], keep
			out.WriteString(" " + op + " " + text)
			keep = func(r R) bool {
				switch op {
				case "OR":
					return left(r) || right(r)
				case "NOT":
					return left(r) && !right(r)
				}
				return left(r) && right(r)
			}
		}
		return keep, out.String()
	}
	return leaf(n), echo(n)
}

// leaf converts a term to a predicate, or records in q that no entry matches it and returns nil.
func (e *entries) leaf(n node, q *search) func(*Entry) bool {
	try := func(term string, quoted bool, keep func(*Entry) bool) func(*Entry) bool {
		switch {
		case slices.ContainsFunc(e.Records, keep):
			return keep
		case quoted:
			q.quotedNotFound = append(q.quotedNotFound, term)
		default:
			q.notFound = append(q.notFound, term)
		}
		return nil
	}
	switch n := n.(type) {
	case wordsNode:
		return try(strings.Join(n.words, " "), false, func(r *Entry) bool {
			return !slices.ContainsFunc(n.words, func(w string) bool { return !r.holds("", w) })
		})
	case termNode:
		name := e.field(n.tag)
		return try(echo(n), n.quoted, func(r *Entry) bool { return r.holds(name, n.text) })
	case rangeNode:
		lo, errLo := strconv.Atoi(n.lo)
		hi, errHi := strconv.Atoi(n.hi)
		name := e.field(n.tag)
		return try(echo(n), false, func(r *Entry) bool {
			return errLo == nil && errHi == nil && slices.ContainsFunc(r.Terms[name], func(v string) bool {
				first, last, _ := strings.Cut(v, "-")
				from, err := strconv.Atoi(first)
				to, _ := strconv.Atoi(last)
				return err == nil && from <= hi && max(from, to) >= lo
			})
		})
	}
	return nil
}

// field returns EInfo's name of a field, or "" for all fields and for an unknown field.
func (e *entries) field(tag string) string {
	for _, f := range e.Fields {
		if f[0] != "ALL" && (strings.EqualFold(tag, f[0]) || strings.EqualFold(tag, f[1])) {
			return f[0]
		}
	}
	if !slices.Contains([]string{"", "ALL", "ALL FIELDS"}, strings.ToUpper(tag)) {
		e.onUnknownTag(tag)
	}
	return ""
}

// holds reports whether the words of text follow each other in a field of the record, or in any
// field if field is "". A * at the end of text matches any continuation of the last word.
func (r *Entry) holds(field, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	truncated := strings.HasSuffix(text, "*")
	text = strings.TrimSuffix(text, "*")
	matches := func(v string) bool {
		v = " " + strings.ToLower(v) + " "
		return strings.Contains(v, " "+text+" ") || truncated && strings.Contains(v, " "+text)
	}
	if field == "UID" {
		return r.UID == text
	}
	if field != "" {
		return slices.ContainsFunc(r.Terms[field], matches)
	}
	for _, values := range r.Terms {
		if slices.ContainsFunc(values, matches) {
			return true
		}
	}
	all, _ := json.Marshal(r.Summary) // cannot fail: the map came from JSON
	isSeparator := func(c rune) bool { return strings.ContainsRune(`"{}[],:;()/ `, c) }
	return matches(strings.Join(strings.FieldsFunc(string(all), isSeparator), " "))
}
