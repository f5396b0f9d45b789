package sourcetest

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/polite"
)

// OnlyRead leaves of a good reply what the uses declare to read, so that a client which
// reads something else has nothing, and its tests fail. A reply of which none is declared
// stays whole, as does one that is no JSON or XML.
func OnlyRead(uses []polite.Use, rep Reply) Reply {
	var reads []string
	for _, u := range uses {
		reads = append(reads, u.Reads()...)
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

// onlyMembers is a value with the members at some paths.
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

var (
	tag       = regexp.MustCompile(`(?s)<!\[CDATA\[.*?\]\]>|<!--.*?-->|<[!?][^>]*>|<(/?)([\w.:-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(/?)>`)
	attribute = regexp.MustCompile(`\s([\w.:-]+)\s*=\s*(?:"[^"]*"|'[^']*')`)
)

// onlyElements is a document with the elements and attributes of some names, without what is
// in other elements; "name/*" is an element with all in it. Prefixes of names are no part of
// them, and declarations of name spaces stay.
func onlyElements(doc []byte, names []string) []byte {
	var out bytes.Buffer
	last, depth, until := 0, 0, "" // until: the element that is left out, or kept whole
	keep := true
	for _, m := range tag.FindAllSubmatchIndex(doc, -1) {
		if m[4] < 0 {
			continue
		}
		name := string(doc[m[4]:m[5]])
		name = name[strings.LastIndexByte(name, ':')+1:]
		isEnd, isEmpty := m[2] < m[3], m[8] < m[9]
		if until != "" {
			switch {
			case name != until || isEmpty:
				continue
			case !isEnd:
				depth++
				continue
			}
			if depth--; depth > 0 {
				continue
			}
			until = ""
			if !keep {
				last, keep = m[1], true
			}
			continue
		}
		whole := slices.Contains(names, name+"/*")
		switch {
		case isEnd:
			continue
		case whole && !isEmpty:
			until, depth = name, 1
		case whole || slices.Contains(names, name):
			out.Write(doc[last:m[6]])
			out.Write(attribute.ReplaceAllFunc(doc[m[6]:m[7]], func(a []byte) []byte {
				n := string(attribute.FindSubmatch(a)[1])
				if strings.HasPrefix(n, "xmlns") || slices.Contains(names, "@"+n[strings.LastIndexByte(n, ':')+1:]) {
					return a
				}
				return nil
			}))
			last = m[7]
		default:
			out.Write(doc[last:m[0]])
			if last = m[1]; !isEmpty {
				until, depth, keep = name, 1, false
			}
		}
	}
	return append(out.Bytes(), doc[last:]...)
}
