package sourcetest

import (
	"bytes"
	"iter"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/contract"
	"biomcp/entrez/httpclient"
)

// KeepDeclared removes the parts of a good reply that uses does not declare, so that a client that
// reads an undeclared part fails its tests. It returns the reply unchanged if no part is declared
// or if it is neither JSON nor XML.
func KeepDeclared(uses []httpclient.Dependency, rep Reply) Reply {
	var reads []string
	for _, u := range uses {
		reads = append(reads, contract.ReplyParts(&u)...)
	}
	switch body := bytes.TrimSpace(rep.Body); {
	case rep.Status != http.StatusOK || len(reads) == 0 || len(body) == 0:
	case gjson.ValidBytes(body):
		rep.Body = []byte(onlyMembers(gjson.ParseBytes(body), reads))
	case body[0] == '<' && rep.Type == XMLType:
		rep.Body = onlyElements(body, reads)
	}
	return rep
}

// onlyMembers returns a JSON value with only the members at paths.
func onlyMembers(v gjson.Result, paths []string) string {
	var parts []string
	switch {
	case slices.Contains(paths, ""):
	case v.IsArray():
		for _, item := range v.Array() {
			parts = append(parts, onlyMembers(item, paths))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case v.IsObject():
		v.ForEach(func(name, member gjson.Result) bool {
			var rest []string
			for _, p := range paths {
				if first, more, _ := strings.Cut(p, "."); first == "*" || first == name.Str {
					rest = append(rest, more)
				}
			}
			if rest != nil {
				parts = append(parts, name.Raw+":"+onlyMembers(member, rest))
			}
			return true
		})
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.Raw
}

var attribute = regexp.MustCompile(`\s([\w.:-]+)\s*=\s*(?:"[^"]*"|'[^']*')`)

// tag is a tag of a document: its position and its attributes.
type tag struct {
	from, to   int
	attributes [2]int
	name       string // without a prefix
	end, empty bool
}

// tags iterates over the tags of a document, without comments, declarations and CDATA. It is not a
// regular expression, because that would take most of the time of many tests.
func tags(doc []byte) iter.Seq[tag] {
	isName := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.:-", c) >= 0
	}
	return func(yield func(tag) bool) {
		for at := 0; at < len(doc); {
			skip := bytes.IndexByte(doc[at:], '<')
			if skip < 0 {
				return
			}
			t := tag{from: at + skip}
			at = t.from + 1
			end := ""
			for _, other := range [][2]string{{"<![CDATA[", "]]>"}, {"<!--", "-->"}, {"<!", ">"}, {"<?", ">"}} {
				if end == "" && bytes.HasPrefix(doc[t.from:], []byte(other[0])) {
					end = other[1]
				}
			}
			if end != "" {
				n := bytes.Index(doc[at:], []byte(end))
				if n < 0 {
					return
				}
				at += n + len(end)
				continue
			}
			if t.end = at < len(doc) && doc[at] == '/'; t.end {
				at++
			}
			name := at
			for at < len(doc) && isName(doc[at]) {
				at++
			}
			if name == at {
				continue
			}
			t.name = string(doc[name+1+bytes.LastIndexByte(doc[name:at], ':') : at])
			t.attributes[0] = at
			for quote := byte(0); at < len(doc) && (quote != 0 || doc[at] != '>'); at++ {
				switch c := doc[at]; {
				case c == quote:
					quote = 0
				case quote == 0 && (c == '"' || c == '\''):
					quote = c
				}
			}
			if at == len(doc) {
				return
			}
			t.attributes[1] = at
			if t.empty = doc[at-1] == '/'; t.empty {
				t.attributes[1]--
			}
			at++
			if t.to = at; !yield(t) {
				return
			}
		}
	}
}

// onlyElements returns a document with only the elements and attributes of the given names, and
// drops the content of other elements. "name/*" keeps an element with everything inside. Prefixes
// of names are ignored, and namespace declarations stay.
func onlyElements(doc []byte, names []string) []byte {
	var out bytes.Buffer
	last, depth, until := 0, 0, "" // until: the name of the element being dropped or kept as a whole
	keep := true
	for t := range tags(doc) {
		name := t.name
		if until != "" {
			switch {
			case name != until || t.empty:
				continue
			case !t.end:
				depth++
				continue
			}
			if depth--; depth > 0 {
				continue
			}
			until = ""
			if !keep {
				last, keep = t.to, true
			}
			continue
		}
		whole := slices.Contains(names, name+"/*")
		switch {
		case t.end:
			continue
		case whole && !t.empty:
			until, depth = name, 1
		case whole || slices.Contains(names, name):
			out.Write(doc[last:t.attributes[0]])
			out.Write(attribute.ReplaceAllFunc(doc[t.attributes[0]:t.attributes[1]], func(a []byte) []byte {
				n := string(attribute.FindSubmatch(a)[1])
				if strings.HasPrefix(n, "xmlns") || slices.Contains(names, "@"+n[strings.LastIndexByte(n, ':')+1:]) {
					return a
				}
				return nil
			}))
			last = t.attributes[1]
		default:
			out.Write(doc[last:t.from])
			if last = t.to; !t.empty {
				until, depth, keep = name, 1, false
			}
		}
	}
	return append(out.Bytes(), doc[last:]...)
}
