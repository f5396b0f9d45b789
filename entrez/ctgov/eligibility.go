package ctgov

import (
	"strings"

	"biomcp/entrez/pattern"
)

// Criteria holds the eligibility criteria of a study. Other holds those that the text assigns to
// neither list: criteria before the first heading, under a heading for both, or under a heading of
// old cancer protocols such as DISEASE CHARACTERISTICS. Lists are never nil.
type Criteria struct {
	Inclusion []string `json:"inclusion"`
	Exclusion []string `json:"exclusion"`
	Other     []string `json:"other"`
}

var (
	listMarker    = pattern.Lazy(`^(?:[*•·▪●○◦–—#+-]+|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)])\s+`)
	bullet        = pattern.Lazy(`^[*-] `)
	inlineHeading = pattern.Lazy(`(?i)([.;)])\s+((?:key |main |major )?(?:non[- ])?` +
		`(?:inclusion|exclusion) criteria\s*:)`)
	escapedChar = pattern.Lazy("\\\\([!-/:-@\\[-`{-~])")
	kindWord    = pattern.Lazy(`\b(?:(non|not)?[- ]?(inclusions?|eligible|included)|` +
		`(exclusions?|ineligible|ineligibility|excluded))\b`)
	sentenceWord = pattern.Lazy(`\b(?:meets?|met|meeting|fulfil\w*|satisf\w*|per|no|with|without|under)\b`)
	oldHeading   = pattern.Lazy(`^(?:disease|patient) characteristics$|^prior concurrent therapy$`)
)

// The parts of a text, by the heading above them.
const (
	noHeading = iota
	inclusion
	exclusion
	other
)

// SplitCriteria parses the text of a study's eligibility. Only a line at the left margin can be a
// heading; an indented one belongs to a criterion, as in NCT04280705. A line that is indented more
// than the first line below its heading continues the criterion above it.
func SplitCriteria(text string) Criteria {
	c := Criteria{[]string{}, []string{}, []string{}}
	parts := map[int]*[]string{inclusion: &c.Inclusion, exclusion: &c.Exclusion, other: &c.Other}
	lines := strings.Split(inlineHeading().ReplaceAllString(strings.ReplaceAll(text, "\t", "    "), "$1\n$2"), "\n")
	margin := -1
	for _, l := range lines {
		if n, blank := indent(l); !blank && (margin < 0 || n < margin) {
			margin = n
		}
	}
	part, itemIndent := other, -1 // itemIndent is the indentation of this part's criteria, -1 if unknown
	for _, l := range lines {
		n, blank := indent(l)
		if blank {
			continue
		}
		if n <= margin {
			if kind, rest := headingOf(l); kind != noHeading {
				part, itemIndent = kind, -1
				if l = rest; l == "" {
					continue
				}
				n = margin
			}
		}
		list, item := parts[part], Plain(l)
		if !strings.ContainsFunc(item, IsWord) {
			continue
		}
		if itemIndent < 0 {
			itemIndent = n
		}
		if len(*list) > 0 && n > itemIndent {
			(*list)[len(*list)-1] += " " + bullet().ReplaceAllString(item, "• ")
			continue
		}
		*list = append(*list, Plain(listMarker().ReplaceAllString(strings.TrimSpace(l), "")))
	}
	return c
}

func indent(line string) (n int, blank bool) {
	rest := strings.TrimLeft(line, " ")
	return len(line) - len(rest), strings.TrimSpace(rest) == ""
}

// headingOf returns the part that a line opens, and the text after its colon. The kind is noHeading
// if the line is not a heading.
func headingOf(line string) (kind int, rest string) {
	line = listMarker().ReplaceAllString(strings.TrimSpace(line), "")
	head, rest, colon := strings.Cut(strings.ReplaceAll(line, "：", ":"), ":")
	head = strings.ToLower(strings.Trim(head, " *_#.-"))
	rest = strings.Trim(rest, " *_")
	words := len(strings.Fields(head))
	if oldHeading().MatchString(head) {
		return other, rest
	}
	m := kindWord().FindAllStringSubmatch(head, -1)
	criteria := strings.Contains(head, "criteri")
	switch {
	case len(m) == 0 && strings.TrimSuffix(head, " criteria") == "eligibility":
		return other, rest
	case len(m) == 0 || words > 12:
		return noHeading, ""
	case !colon && (words > 6 || sentenceWord().MatchString(head)):
		return noHeading, ""
	case !criteria && !strings.HasSuffix(head, " if") && words > 3:
		return noHeading, ""
	case !criteria && !colon && words > 1:
		return noHeading, ""
	}
	for _, match := range m {
		wordKind := inclusion
		if match[1] != "" || match[3] != "" {
			wordKind = exclusion
		}
		if kind != noHeading && kind != wordKind {
			return other, rest
		}
		kind = wordKind
	}
	return kind, rest
}

// Unescape removes the backslashes with which the registry's markdown escapes characters.
func Unescape(text string) string { return escapedChar().ReplaceAllString(text, "$1") }

// Plain removes the registry's backslashes and line breaks from text.
func Plain(text string) string { return strings.Join(strings.Fields(Unescape(text)), " ") }
