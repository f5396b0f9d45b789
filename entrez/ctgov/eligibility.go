package ctgov

import (
	"strings"

	"biomcp/entrez/pattern"
)

// Criteria are the criteria of eligibility by what they do. Other holds the ones of which
// the text does not say it: before the first heading, under a heading of both, or
// under those of old cancer protocols, such as DISEASE CHARACTERISTICS.
// Lists are never nil.
type Criteria struct {
	Inclusion []string `json:"inclusion"`
	Exclusion []string `json:"exclusion"`
	Other     []string `json:"other"`
}

var (
	marker  = pattern.Lazy(`^(?:[*•·▪●○◦–—#+-]+|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)])\s+`)
	bullet  = pattern.Lazy(`^[*-] `)
	inline  = pattern.Lazy(`(?i)([.;)])\s+((?:key |main |major )?(?:non[- ])?(?:inclusion|exclusion) criteria\s*:)`)
	escaped = pattern.Lazy("\\\\([!-/:-@\\[-`{-~])")
	about   = pattern.Lazy(`\b(?:(non|not)?[- ]?(inclusions?|eligible|included)|(exclusions?|ineligible|ineligibility|excluded))\b`)
	claims  = pattern.Lazy(`\b(?:meets?|met|meeting|fulfil\w*|satisf\w*|per|no|with|without|under)\b`)
	oldPart = pattern.Lazy(`^(?:disease|patient) characteristics$|^prior concurrent therapy$`)
)

// The parts of a text, by the heading above.
const (
	noHeading = iota
	inclusion
	exclusion
	other
)

// SplitCriteria takes the text of a study's eligibility apart. A heading is at the
// left margin: one further in belongs to a criterion, as in NCT04280705. What is
// further in than the first line below a heading belongs to the criterion above.
func SplitCriteria(text string) Criteria {
	c := Criteria{[]string{}, []string{}, []string{}}
	parts := map[int]*[]string{inclusion: &c.Inclusion, exclusion: &c.Exclusion, other: &c.Other}
	lines := strings.Split(inline().ReplaceAllString(strings.ReplaceAll(text, "\t", "    "), "$1\n$2"), "\n")
	margin := -1
	for _, l := range lines {
		if n, blank := indent(l); !blank && (margin < 0 || n < margin) {
			margin = n
		}
	}
	at, first := other, -1 // first: how far in the criteria of this part are
	for _, l := range lines {
		n, blank := indent(l)
		if blank {
			continue
		}
		if n <= margin {
			if kind, rest := headingOf(l); kind != noHeading {
				at, first = kind, -1
				if l = rest; l == "" {
					continue
				}
				n = margin
			}
		}
		list, item := parts[at], Plain(l)
		if !strings.ContainsFunc(item, IsWord) {
			continue
		}
		if first < 0 {
			first = n
		}
		if len(*list) > 0 && n > first {
			(*list)[len(*list)-1] += " " + bullet().ReplaceAllString(item, "• ")
			continue
		}
		*list = append(*list, Plain(marker().ReplaceAllString(strings.TrimSpace(l), "")))
	}
	return c
}

func indent(line string) (n int, blank bool) {
	rest := strings.TrimLeft(line, " ")
	return len(line) - len(rest), strings.TrimSpace(rest) == ""
}

// headingOf is the part that a line opens, and what is on the line after its colon.
func headingOf(line string) (kind int, rest string) {
	line = marker().ReplaceAllString(strings.TrimSpace(line), "")
	head, rest, colon := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	head = strings.ToLower(strings.Trim(head, " *_#.-"))
	rest = strings.Trim(rest, " *_")
	words := len(strings.Fields(head))
	if oldPart().MatchString(head) {
		return other, rest
	}
	m := about().FindAllStringSubmatch(head, -1)
	criteria := strings.Contains(head, "criteri")
	switch {
	case len(m) == 0 && strings.TrimSuffix(head, " criteria") == "eligibility":
		return other, rest
	case len(m) == 0 || words > 12 || !colon && (words > 6 || claims().MatchString(head)):
		return noHeading, ""
	case !criteria && !strings.HasSuffix(head, " if") && words > 3:
		return noHeading, ""
	case !criteria && !colon && words > 1:
		return noHeading, ""
	}
	for _, hit := range m {
		is := inclusion
		if hit[1] != "" || hit[3] != "" {
			is = exclusion
		}
		if kind != noHeading && kind != is {
			return other, rest
		}
		kind = is
	}
	return kind, rest
}

// Unescaped is a text of the registry without the backslashes by which its markdown
// escapes signs.
func Unescaped(text string) string { return escaped().ReplaceAllString(text, "$1") }

// Plain is the same in one line.
func Plain(text string) string { return strings.Join(strings.Fields(Unescaped(text)), " ") }
