package entreztest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var tagForm = regexp.MustCompile(`\[[^\]]+\]`)

// search answers ESearch of a database beyond PubMed: tagged terms by the values of
// that field, others by all values and all words of the summary. As NCBI does, it
// searches all fields for a tag that the database does not have, and drops a term that no
// record answers, which makes the search broader.
func (e *entries) search(query node, f *found) []string {
	f.search = &search{}
	keep, left := boolean(query, func(leaf node) func(*Entry) bool { return e.leaf(leaf, f.search) })
	if keep == nil {
		left = echo(query)
	}
	f.translation = tagForm.ReplaceAllStringFunc(left, func(tag string) string {
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

// boolean turns a query into a test of a record, with what leaf makes of its terms, and
// writes what is left of the query; nil is a term, or a query, that is dropped.
func boolean[R any](n node, leaf func(node) func(R) bool) (keep func(R) bool, left string) {
	switch n := n.(type) {
	case groupNode:
		keep, left = boolean(n.inner, leaf)
		return keep, "(" + left + ")"
	case chainNode:
		var said strings.Builder // a query may have thousands of parts
		for i, operand := range n.operands {
			right, text := boolean(operand, leaf)
			if right == nil {
				continue
			}
			if keep == nil {
				keep = right
				said.WriteString(text)
				continue
			}
			op, before := n.ops[i-1], keep
			said.WriteString(" " + op + " " + text)
			keep = func(r R) bool {
				switch op {
				case "OR":
					return before(r) || right(r)
				case "NOT":
					return before(r) && !right(r)
				}
				return before(r) && right(r)
			}
		}
		return keep, said.String()
	}
	return leaf(n), echo(n)
}

func (e *entries) leaf(n node, q *search) func(*Entry) bool {
	try := func(asked string, quoted bool, keep func(*Entry) bool) func(*Entry) bool {
		switch {
		case slices.ContainsFunc(e.Records, keep):
			return keep
		case quoted:
			q.quotedNotFound = append(q.quotedNotFound, asked)
		default:
			q.notFound = append(q.notFound, asked)
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

// field returns the name that EInfo gives a field, "" for all fields and for an unknown one.
func (e *entries) field(tag string) string {
	for _, f := range e.Fields {
		if f[0] != "ALL" && (strings.EqualFold(tag, f[0]) || strings.EqualFold(tag, f[1])) {
			return f[0]
		}
	}
	if !slices.Contains([]string{"", "ALL", "ALL FIELDS"}, strings.ToUpper(tag)) {
		e.strange(tag)
	}
	return ""
}

// holds reports whether words are in a field of the record, "" any, one after the
// other; a * at their end matches any rest of the word.
func (r *Entry) holds(field, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	begins := strings.HasSuffix(text, "*")
	text = strings.TrimSuffix(text, "*")
	within := func(v string) bool {
		v = " " + strings.ToLower(v) + " "
		return strings.Contains(v, " "+text+" ") || begins && strings.Contains(v, " "+text)
	}
	if field == "UID" {
		return r.UID == text
	}
	if field != "" {
		return slices.ContainsFunc(r.Terms[field], within)
	}
	for _, values := range r.Terms {
		if slices.ContainsFunc(values, within) {
			return true
		}
	}
	all, _ := json.Marshal(r.Summary) // of a map that came from JSON
	return within(strings.Join(strings.FieldsFunc(string(all), func(c rune) bool { return strings.ContainsRune(`"{}[],:;()/ `, c) }), " "))
}
