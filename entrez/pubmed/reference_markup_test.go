package pubmed

import (
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// element is a leaf of the reference decoder: an element as a tree, and its text.
type element struct {
	Attr map[string]string
	Text string
}

type node struct {
	name string // "" for text
	text string
	attr map[string]string
	kids []*node
}

func (e *element) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	n, err := tree(d, start)
	if err != nil {
		return err
	}
	e.Attr, e.Text = n.attr, collapse(n.plain())
	return nil
}

func tree(d *xml.Decoder, start xml.StartElement) (*node, error) {
	n := &node{name: start.Name.Local, attr: map[string]string{}}
	for _, a := range start.Attr {
		n.attr[a.Name.Local] = a.Value
	}
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			n.kids = append(n.kids, &node{text: string(t)})
		case xml.StartElement:
			kid, err := tree(d, t)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, kid)
		case xml.EndElement:
			return n, nil
		}
	}
}

var xmlSpace = regexp.MustCompile(`[ \t\r\n]+`)

func collapse(s string) string { return strings.Trim(xmlSpace.ReplaceAllString(s, " "), " ") }

// plain returns the text of a node's children, with white space unchanged.
func (n *node) plain() string {
	var out strings.Builder
	for _, k := range n.kids {
		switch k.name {
		case "":
			out.WriteString(k.text)
		case "sup":
			out.WriteString(aroundSpace(k.plain(), refRaise))
		case "sub":
			out.WriteString(aroundSpace(k.plain(), refLower))
		case "math":
			out.WriteString(k.formula())
		case "DispFormula":
			out.WriteString(" " + k.plain() + " ")
		default:
			out.WriteString(k.plain())
		}
	}
	return out.String()
}

// aroundSpace applies f to the text between leading and trailing white space.
func aroundSpace(s string, f func(string) string) string {
	parts := regexp.MustCompile(`(?s)^([ \t\r\n]*)(.*?)([ \t\r\n]*)$`).FindStringSubmatch(s)
	if parts[2] == "" {
		return s
	}
	return parts[1] + f(collapse(parts[2])) + parts[3]
}

func (n *node) formula() string {
	parts := n.formulas()
	part := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	tail := func(i int) string {
		if i < len(parts) {
			return strings.Join(parts[i:], "")
		}
		return ""
	}
	switch n.name {
	case "mi", "mn", "mo", "mtext", "ms":
		return strings.NewReplacer("\u2061", "", "\u2062", "", "\u2063", "", "\u2064", "").Replace(collapse(n.plain()))
	case "mspace":
		return " "
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark":
		return ""
	case "mfrac":
		return bracket(part(0)) + "/" + bracket(part(1)) + tail(2)
	case "msup":
		return bracket(part(0)) + refRaise(part(1)) + tail(2)
	case "msub", "munder":
		return bracket(part(0)) + refLower(part(1)) + tail(2)
	case "msubsup", "munderover":
		return bracket(part(0)) + refLower(part(1)) + refRaise(part(2)) + tail(3)
	case "mroot":
		return refRaise(part(1)) + "√" + bracket(part(0)) + tail(2)
	case "msqrt":
		return "√" + bracket(tail(0))
	case "mover":
		if mark := refAccents[part(1)]; mark != 0 && len([]rune(part(0))) == 1 {
			return part(0) + string(mark) + tail(2)
		}
		return bracket(part(0)) + refRaise(part(1)) + tail(2)
	case "mtable":
		return strings.Join(parts, "; ")
	case "mtr", "mlabeledtr":
		return strings.Join(parts, ", ")
	case "mfenced":
		open, end, seps := "(", ")", ","
		if v, ok := n.attr["open"]; ok {
			open = collapse(v)
		}
		if v, ok := n.attr["close"]; ok {
			end = collapse(v)
		}
		if v, ok := n.attr["separators"]; ok {
			seps = strings.ReplaceAll(collapse(v), " ", "")
		}
		out, marks := open, []rune(seps)
		for i, p := range parts {
			if i > 0 && len(marks) > 0 {
				out += string(marks[min(i-1, len(marks)-1)])
			}
			out += p
		}
		return out + end
	case "mmultiscripts":
		var pre, post, base string
		i, seen, before := 0, false, false
		for _, k := range n.kids {
			switch {
			case k.name == "":
			case k.name == "mprescripts":
				i, before, seen = 0, true, true
			case !seen:
				base, seen = bracket(k.formula()), true
			default:
				s := k.formula()
				if s != "" && i%2 == 0 {
					s = refLower(s)
				} else if s != "" {
					s = refRaise(s)
				}
				if i++; before {
					pre += s
				} else {
					post += s
				}
			}
		}
		return pre + base + post
	}
	return tail(0)
}

func (n *node) formulas() []string {
	var out []string
	for _, k := range n.kids {
		if k.name != "" {
			out = append(out, k.formula())
		} else if s := collapse(k.text); s != "" {
			out = append(out, s)
		}
	}
	return out
}

var refAccents = map[string]rune{
	"¯": 0x304, "‾": 0x304, "_": 0x304, "―": 0x304, "-": 0x304, "^": 0x302, "ˆ": 0x302, "~": 0x303, "˜": 0x303,
	"∼": 0x303, "˙": 0x307, ".": 0x307, "¨": 0x308, "→": 0x20D7, "\u20D7": 0x20D7,
}

var (
	simpleOperand = regexp.MustCompile(`(?s)^(?:.\pM*|[\pL\pN\pM.%]*)$`)
	bracketPairs  = map[rune]rune{')': '(', ']': '[', '}': '{'}
)

func bracket(s string) string {
	if simpleOperand.MatchString(s) {
		return s
	}
	depth, whole := 0, strings.ContainsAny(s[:1], "([{")
	runes := []rune(s)
	for i, r := range runes {
		if strings.ContainsRune("([{", r) {
			depth++
		} else if bracketPairs[r] != 0 {
			depth--
		}
		if depth == 0 && i < len(runes)-1 {
			whole = false
		}
	}
	if whole && depth == 0 {
		return s
	}
	return "(" + s + ")"
}

// The letters that have a raised or lowered form, by code point.
var refUp, refDown = refTables()

func refTables() (up, down map[rune]rune) {
	up = map[rune]rune{
		'0': 0x2070, '1': 0xB9, '2': 0xB2, '3': 0xB3, 'i': 0x2071, 'n': 0x207F, '+': 0x207A, '=': 0x207C, '(': 0x207D, ')': 0x207E,
		'a': 0x1D43, 'b': 0x1D47, 'c': 0x1D9C, 'd': 0x1D48, 'e': 0x1D49, 'f': 0x1DA0, 'g': 0x1D4D, 'h': 0x2B0, 'j': 0x2B2,
		'k': 0x1D4F, 'l': 0x2E1, 'm': 0x1D50, 'o': 0x1D52, 'p': 0x1D56, 'r': 0x2B3, 's': 0x2E2, 't': 0x1D57, 'u': 0x1D58,
		'v': 0x1D5B, 'w': 0x2B7, 'x': 0x2E3, 'y': 0x2B8, 'z': 0x1DBB,
		'A': 0x1D2C, 'B': 0x1D2E, 'D': 0x1D30, 'E': 0x1D31, 'G': 0x1D33, 'H': 0x1D34, 'I': 0x1D35, 'J': 0x1D36, 'K': 0x1D37,
		'L': 0x1D38, 'M': 0x1D39, 'N': 0x1D3A, 'O': 0x1D3C, 'P': 0x1D3E, 'R': 0x1D3F, 'T': 0x1D40, 'U': 0x1D41, 'V': 0x2C7D,
		'W': 0x1D42, 'β': 0x1D5D, 'γ': 0x1D5E, 'δ': 0x1D5F, 'θ': 0x1DBF, 'φ': 0x1D60, 'χ': 0x1D61,
	}
	down = map[rune]rune{
		'+': 0x208A, '=': 0x208C, '(': 0x208D, ')': 0x208E,
		'a': 0x2090, 'e': 0x2091, 'o': 0x2092, 'x': 0x2093, 'h': 0x2095, 'k': 0x2096, 'l': 0x2097, 'm': 0x2098, 'n': 0x2099,
		'p': 0x209A, 's': 0x209B, 't': 0x209C, 'i': 0x1D62, 'r': 0x1D63, 'u': 0x1D64, 'v': 0x1D65, 'j': 0x2C7C,
		'β': 0x1D66, 'γ': 0x1D67, 'ρ': 0x1D68, 'φ': 0x1D69, 'χ': 0x1D6A,
	}
	for r := rune(4); r <= 9; r++ {
		up['0'+r] = 0x2070 + r
	}
	for r := rune(0); r <= 9; r++ {
		down['0'+r] = 0x2080 + r
	}
	for _, dash := range []rune{'-', 0x2010, 0x2011, 0x2013, 0x2212} {
		up[dash], down[dash] = 0x207B, 0x208B
	}
	for _, high := range "®™℠°*∗†‡§′″'" {
		up[high] = high
	}
	return up, down
}

func refRaise(s string) string { return refScript(s, refUp, "^(") }
func refLower(s string) string { return refScript(s, refDown, "_(") }

func refScript(s string, table map[rune]rune, open string) string {
	out := ""
	for _, r := range s {
		if r == ' ' || r == '/' {
			out += string(r)
		} else if table[r] != 0 {
			out += string(table[r])
		} else {
			return open + s + ")"
		}
	}
	if regexp.MustCompile(`^/|/$|[0-9]/|/[0-9]`).MatchString(s) {
		return open + s + ")"
	}
	return out
}

// decodedAgain decodes a second encoding with package html, which knows more names than XML.
func decodedAgain(s string) string {
	return regexp.MustCompile(`&(amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);`).ReplaceAllStringFunc(s, html.UnescapeString)
}

func (x *xDate) pubDate() PubDate {
	year := regexp.MustCompile(`[0-9]{4}`)
	p := PubDate{Season: x.Season.Text, MedlineDate: x.MedlineDate.Text}
	p.Year, _ = strconv.Atoi(year.FindString(x.Year.Text))
	if p.Year == 0 {
		p.Year, _ = strconv.Atoi(year.FindString(x.MedlineDate.Text))
	}
	p.Month, p.Day = x.monthDay(p.Year)
	return p
}

func (x *xDate) monthDay(year int) (month, day int) {
	if regexp.MustCompile(`^\d{1,2}$`).MatchString(x.Month.Text) {
		month, _ = strconv.Atoi(x.Month.Text)
	} else if len(x.Month.Text) >= 3 {
		if t, err := time.Parse("Jan", x.Month.Text[:3]); err == nil {
			month = int(t.Month())
		}
	}
	if regexp.MustCompile(`^\d{1,4}$`).MatchString(x.Day.Text) {
		day, _ = strconv.Atoi(x.Day.Text)
	}
	if year == 0 || month < 1 || month > 12 {
		return 0, 0
	}
	if _, err := time.Parse("2006-1-2", fmt.Sprintf("%04d-%d-%d", year, month, day)); err != nil {
		day = 0
	}
	return month, day
}

func (x *xDate) stamp() string {
	p := PubDate{}
	p.Year, _ = strconv.Atoi(regexp.MustCompile(`[0-9]{4}`).FindString(x.Year.Text))
	p.Month, p.Day = x.monthDay(p.Year)
	switch {
	case p.Year == 0:
		return ""
	case p.Month == 0:
		return fmt.Sprintf("%04d", p.Year)
	case p.Day == 0:
		return fmt.Sprintf("%04d-%02d", p.Year, p.Month)
	}
	day := fmt.Sprintf("%04d-%02d-%02d", p.Year, p.Month, p.Day)
	digits := regexp.MustCompile(`^\d{1,4}$`)
	minute := "0"
	if digits.MatchString(x.Minute.Text) {
		minute = x.Minute.Text
	}
	if !digits.MatchString(x.Hour.Text) {
		return day
	}
	h, _ := strconv.Atoi(x.Hour.Text)
	m, _ := strconv.Atoi(minute)
	if h > 23 || m > 59 {
		return day
	}
	return day + fmt.Sprintf("T%02d:%02d", h, m)
}

func dateField(d *Dates, status string) *string {
	return map[string]*string{
		"received": &d.Received, "accepted": &d.Accepted, "revised": &d.Revised, "epublish": &d.Epublish,
		"ppublish": &d.Ppublish, "aheadofprint": &d.AheadOfPrint, "retracted": &d.Retracted,
		"ecollection": &d.Ecollection, "pmc": &d.PMC, "pmcr": &d.PMCR, "pubmed": &d.Pubmed, "pubmedr": &d.PubmedR,
		"premedline": &d.Premedline, "medline": &d.Medline, "medliner": &d.MedlineR, "entrez": &d.Entrez,
		"pmc-release": &d.PMCRelease,
	}[status]
}

func doi(s string) string {
	m := regexp.MustCompile(`(?i)^(?:doi:[\s\pZ]*)?(?:https://[\s\pZ]*)?(?:http://[\s\pZ]*)?(?:dx\.[\s\pZ]*)?(?:doi\.org/[\s\pZ]*)?(10\..*)$`).FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return m[1]
}

func pmcid(s string) string {
	m := regexp.MustCompile(`(?i)^(?:pmc-id:[\s\pZ]*)?(?:pmc[\s\pZ]*)?(\d+)(?:[;.].*)?$`).FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return "PMC" + m[1]
}

func orcid(s string) string {
	m := regexp.MustCompile(`^(?:.*/)?((?:[-‐‑–− ]*\d){15}[-‐‑–− ]*[\dXx])[-‐‑–− ]*$`).FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	id := regexp.MustCompile(`[^\dX]`).ReplaceAllString(strings.ToUpper(m[1]), "")
	sum := 0 // of digit times power of two, modulo 11
	for i, r := range id {
		value := int(r - '0')
		if r == 'X' {
			value = 10
		}
		sum += value << (15 - i)
	}
	if sum%11 != 1 {
		return ""
	}
	return regexp.MustCompile(`(.{4})(.{4})(.{4})(.{4})`).ReplaceAllString(id, "$1-$2-$3-$4")
}
