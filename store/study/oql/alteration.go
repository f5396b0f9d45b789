package oql

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/store/study/symbols"
)

// isKeyword reports whether a word without modifiers is a keyword.
func isKeyword(word string) bool {
	upper := strings.ToUpper(word)
	return slices.Contains(kindOrder, Kind(upper)) || slices.Contains(states, upper) || slices.Contains(Classes, upper) ||
		slices.Contains([]string{"DRIVER", "GERMLINE", "SOMATIC"}, upper)
}

// alterations reads the alterations of a gene up to the end of the line.
func (p *parser) alterations(gene string) (list []Alteration, err error) {
	start := p.at
	for {
		at := p.at
		p.skip(",")
		comma := strings.Contains(p.text[at:p.at], ",")
		next := *p
		if p.at == len(p.text) || strings.IndexByte("\n;&|)]", p.text[p.at]) >= 0 ||
			p.inExpr && next.accept("AND", "OR") != "" {
			break
		}
		from := p.at
		atom := p.atom()
		if atom == "" {
			return nil, p.unexpected()
		}
		colon := *p
		isGene := colon.acceptColon()
		if isOperator(atom) && !isGene {
			return nil, p.operatorError(atom, from)
		}
		if isGene || comma && !isAlteration(atom) {
			p.at = from // the next line begins
			break
		}
		a, err := p.alteration(gene, atom, from)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	if list == nil {
		return nil, p.errorAt(start, strings.TrimSpace(p.replaced(start-1, start, "")),
			"no alteration follows the colon, such as MUT or AMP; a gene alone is %s", Default())
	}
	return list, nil
}

// atom reads one alteration without spaces, with its modifiers and ranges.
func (p *parser) atom() string {
	from := p.at
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case isWordByte(rest[0]):
			p.at++
		case strings.HasPrefix(rest, "::"):
			p.at += 2
		case rest[0] == '(' && (p.at == from || p.text[p.at-1] == '_') && strings.IndexByte(rest, ')') > 0:
			p.at += strings.IndexByte(rest, ')') + 1
		default:
			return p.text[from:p.at]
		}
	}
	return p.text[from:p.at]
}

// isAlteration reports whether an atom after a comma is an alteration and not a gene.
func isAlteration(atom string) bool {
	_, core, _ := splitModifiers(atom)
	return core == "" || isKeyword(core) || strings.Contains(core, "::") || changeForm().MatchString(core) &&
		symbols.Names(strings.ToUpper(core)) == nil || meantKeyword(core) != ""
}

const aminoAcid = "(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Ter|Thr|Trp|Tyr|Val)"

// changeForm matches a protein change or a position, such as V600E, V600, X125_splice, R213Tfs*4 or Val600Glu.
var changeForm = pattern.Lazy(`(?i)^(?:p\.)?(?:[A-Z*][0-9]+(?:[A-Z*]|_.+|[A-Z*]?(?:fs|ext|del|ins|dup|splice).*)?|` +
	aminoAcid + `[0-9]+(?:[*]|_.+|` + aminoAcid + `?(?:fs|ext|del|ins|dup).*|` + aminoAcid + `))$`)

// wrongWords lists the keywords, each with the words that people type instead.
const wrongWords = `MUT: MUTATED MUTATION MUTATIONS MUTANT
AMP: AMPLIFIED AMPLIFICATION
HOMDEL: DEL DELETED DELETION DEEPDEL
HETLOSS: LOSS
GAIN: GAINED
FUSION: FUSIONS FUSED SV
TRUNC: TRUNCATING TRUNCATED
FRAMESHIFT: FRAME_SHIFT
INFRAME: IN_FRAME INDEL
DRIVER: DRIVERS
EXP > 2: EXPRESSION MRNA
PROT > 2: PROTEIN`

// meantKeyword returns the keyword that is meant by a word, or "".
func meantKeyword(word string) string {
	for line := range strings.SplitSeq(wrongWords, "\n") {
		if keyword, words, _ := strings.Cut(line, ":"); slices.Contains(strings.Fields(words), strings.ToUpper(word)) {
			return keyword
		}
	}
	return ""
}

// splitModifiers takes the modifiers from the beginning and the end of an atom. bad is a modifier that
// cannot be read or is given twice.
func splitModifiers(atom string) (m Modifiers, core, bad string) {
	take := func(part string) bool {
		for _, one := range modifiers {
			if !strings.EqualFold(part, one.name) {
				continue
			}
			if *one.of(&m) {
				bad = part
			}
			*one.of(&m) = true
			return true
		}
		if !strings.HasPrefix(part, "(") {
			return false
		}
		r, ok := parseRange(part)
		if !ok || m.Range != nil {
			bad = part
		}
		m.Range = &r
		return true
	}
	parts := strings.Split(atom, "_")
	for len(parts) > 0 && take(parts[0]) {
		parts = parts[1:]
	}
	for len(parts) > 0 && take(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return m, strings.Join(parts, "_"), bad
}

var rangePattern = pattern.Lazy(`^\((\d*)-(\d*)(\*?)\)$`)

func parseRange(text string) (r Range, ok bool) {
	parts := rangePattern().FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
	if parts == nil || parts[1]+parts[2] == "" {
		return r, false
	}
	number := func(s string) int {
		n, err := strconv.ParseInt(s, 10, 32)
		if s != "" && (err != nil || n == 0) {
			ok = false
		}
		return int(n)
	}
	ok = true
	r = Range{number(parts[1]), number(parts[2]), parts[3] != ""}
	return r, ok && (r.To == 0 || r.From <= r.To)
}

// alteration reads the alteration that begins with an atom, with its comparison.
func (p *parser) alteration(gene, atom string, from int) (Alteration, error) {
	m, core, bad := splitModifiers(atom)
	upper := strings.ToUpper(core)
	if bad != "" {
		return Alteration{}, p.errorAt(from+strings.Index(atom, bad), "",
			"%s cannot be read; modifiers are DRIVER, GERMLINE, SOMATIC, each once, and one range: (a-b), (a-b*), (a-), (-b)",
			bad)
	}
	switch kind := Kind(upper); kind {
	case Expression, Protein, CopyNumber, Mutation:
		op := ""
		if m == (Modifiers{}) {
			op = p.accept(">=", "<=", "!=", "==", ">", "<", "=", "≥", "≤", "≠")
		}
		switch {
		case kind == Mutation && op != "":
			return p.mutationTerm(from, op)
		case kind == CopyNumber && op != "":
			return p.copyNumber(from, op)
		case kind == Expression || kind == Protein:
			return p.threshold(kind, from, op)
		}
	}
	a := Alteration{Kind: Mutation, Modifiers: m}
	if wanted := meantKeyword(core); wanted != "" {
		corrected := p.replaced(from, p.at, strings.Replace(atom, core, wanted, 1))
		return a, p.errorAt(from, corrected, "%s is no keyword; did you mean %s?", core, wanted)
	}
	switch {
	case core == "" && m == (Modifiers{Driver: true}):
		a = Alteration{Kind: AnyKind, Modifiers: m}
	case core == "", Kind(upper) == Mutation:
	case slices.Contains(states, upper):
		a.Kind, a.Op, a.Copies = CopyNumber, "=", slices.Index(states, upper)-2
	case Kind(upper) == CopyNumber:
		if a.Kind = CopyNumber; !m.Driver {
			return a, p.errorAt(from, p.replaced(p.at, p.at, " >= GAIN"), "CNA needs a comparison, such as CNA >= GAIN")
		}
	case Kind(upper) == Fusion:
		a.Kind = Fusion
	case strings.Contains(core, "::"):
		a.Kind = Fusion
		before, after, _ := strings.Cut(upper, "::")
		switch {
		case Kind(before) == Fusion && isPartner(after):
			a.Downstream = partner(after)
		case Kind(after) == Fusion && isPartner(before):
			a.Upstream = partner(before)
		default:
			return a, p.errorAt(from, "", "%s is no fusion of %s: write FUSION::GENE or GENE::FUSION", core, gene)
		}
	default:
		return p.change(a, "=", core, from)
	}
	return a, p.checkModifiers(a, from)
}

// isPartner reports whether text names a partner of a fusion, any ("") or none ("-").
func isPartner(text string) bool {
	return text == "" || text == "-" || text == "*" || partnerPattern().MatchString(text)
}

var partnerPattern = pattern.Lazy(`^[A-Z0-9]([-.@/A-Z0-9]*[A-Z0-9])?$`)

func partner(text string) string {
	if text == "" {
		return "*"
	}
	return text
}

// checkModifiers returns an error for a modifier that the kind of alteration cannot have.
func (p *parser) checkModifiers(a Alteration, from int) error {
	switch {
	case a.Germline && a.Somatic:
		return p.errorAt(from, "", "GERMLINE and SOMATIC exclude each other")
	case a.Kind == CopyNumber && (a.Germline || a.Somatic):
		return p.errorAt(from, "", "GERMLINE and SOMATIC apply to mutations and fusions, not to copy number")
	case a.Kind != Mutation && a.Range != nil:
		return p.errorAt(from, "", "a range of protein positions applies to mutations only")
	}
	return nil
}

// mutationTerm reads the class, protein change or position after MUT = or MUT !=.
func (p *parser) mutationTerm(from int, op string) (Alteration, error) {
	if op == "==" {
		op = "="
	}
	if op == "≠" {
		op = "!="
	}
	if op != "=" && op != "!=" {
		return Alteration{}, p.errorAt(from, "", "MUT takes = or !=, not %s", op)
	}
	p.skip("")
	at := p.at
	atom := p.atom()
	m, core, bad := splitModifiers(atom)
	upper := strings.ToUpper(core)
	a := Alteration{Kind: Mutation, Modifiers: m}
	switch {
	case atom == "":
		return a, p.errorAt(at, "", "MUT %s needs a class, a protein change or a position: MISSENSE, V600E, V600", op)
	case bad != "":
		return a, p.errorAt(at, "", "%s cannot be read", bad)
	case (core == "" || Kind(upper) == Mutation) && op == "=":
		return a, p.checkModifiers(a, from) // MUT = DRIVER
	case core == "" || isKeyword(core) && !slices.Contains(Classes, upper) || strings.Contains(core, "::"):
		return a, p.errorAt(at, p.replaced(from, p.at, atom), "%s is no mutation: write %s alone", atom, atom)
	}
	return p.change(a, op, core, from)
}

var (
	positionPattern = pattern.Lazy(`^[GPAVLIMCFYWHKRQNEDST]([0-9]+)$`)
	wordPattern     = pattern.Lazy(`^[-_./a-zA-Z0-9*]+$`)
)

// change completes an alteration with a class, a protein change or a position.
func (p *parser) change(a Alteration, op, word string, from int) (Alteration, error) {
	a.Op = op
	typed := word
	if upper := strings.ToUpper(word); slices.Contains(Classes, upper) {
		a.Class = upper
		return a, p.checkModifiers(a, from)
	}
	for len(word) > 2 && strings.EqualFold(word[:2], "p.") {
		word = word[2:]
	}
	_, core, _ := splitModifiers(word)
	if core != word || !wordPattern().MatchString(word) || !changeForm().MatchString(word) {
		return a, p.changeError(typed, from+strings.LastIndex(p.text[from:p.at], typed))
	}
	a.Change = word
	if m := positionPattern().FindStringSubmatch(strings.ToUpper(word)); m != nil {
		n, err := strconv.ParseInt(m[1], 10, 32)
		if err != nil || n == 0 {
			return a, p.errorAt(from, "", "%s is no position", word)
		}
		a.Change, a.Position = strings.ToUpper(word), int(n)
	}
	return a, p.checkModifiers(a, from)
}

// changeError returns the error for a word at an offset that is not a protein change. If the word is a gene,
// the error offers to begin another line or condition.
func (p *parser) changeError(word string, at int) error {
	if isOperator(word) {
		return p.operatorError(word, at)
	}
	if _, isGene := symbols.Find(word); isGene {
		corrected := strings.TrimRight(p.text[:at], " \t,") + "; " + p.text[at:]
		if !p.canRead(corrected) {
			corrected = ""
		}
		if p.inExpr {
			return p.errorAt(at, corrected,
				"%s is a gene, not a protein change; write ; %s for either gene or & %s for both", word, word, word)
		}
		return p.errorAt(at, corrected, "%s is a gene, not a protein change; write ; %s", word, word)
	}
	return p.errorAt(at, "", "%q is not a protein change, such as V600E or V600, nor another alteration, such as MUT",
		shown(word))
}

// operatorError returns the error for AND, OR or NOT instead of an alteration. The parser is after the word.
func (p *parser) operatorError(word string, from int) error {
	if !p.inExpr {
		return p.errorAt(from, "", "%s combines conditions of --group, and is not an alteration", word)
	}
	rest := strings.TrimLeft(p.text[p.at:], " \t")
	corrected := strings.TrimRight(p.text[:from], " \t,") + " & !" + rest
	if !p.canRead(corrected) {
		return p.errorAt(from, "", "%s is not an alteration; it combines conditions, such as TP53: MUT & !KRAS", word)
	}
	return p.errorAt(from, corrected, "%s is not an alteration; write & !%s", word, shown(rest))
}

// copyNumber reads the state after CNA and a comparison.
func (p *parser) copyNumber(from int, op string) (Alteration, error) {
	for _, spelling := range [][2]string{{"==", "="}, {"≥", ">="}, {"≤", "<="}} {
		if op == spelling[0] {
			op = spelling[1]
		}
	}
	p.skip("")
	at := p.at
	word := strings.ToUpper(p.word())
	i := slices.Index(states, word)
	if n, err := strconv.Atoi(word); err == nil && n >= -2 && n <= 2 {
		i = n + 2
	}
	if i < 0 || op == "!=" || op == "≠" {
		return Alteration{}, p.errorAt(at, "", "CNA takes a comparison with a state: CNA >= GAIN; the states are %s",
			strings.Join(states, ", "))
	}
	return Alteration{Kind: CopyNumber, Op: op, Copies: i - 2}, nil
}

// threshold reads the number after EXP or PROT and a comparison.
func (p *parser) threshold(kind Kind, from int, op string) (Alteration, error) {
	for _, spelling := range [][2]string{{"≥", ">="}, {"≤", "<="}} {
		if op == spelling[0] {
			op = spelling[1]
		}
	}
	if !slices.Contains([]string{">", ">=", "<", "<="}, op) {
		return Alteration{}, p.errorAt(from, "", "%s takes a comparison with a z-score, such as %s > 2 or %s <= -2",
			kind, kind, kind)
	}
	p.skip("")
	at := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.0123456789", p.text[p.at]) >= 0 {
		p.at++
	}
	x, err := strconv.ParseFloat(p.text[at:p.at], 64)
	if err != nil || math.IsInf(x, 0) {
		return Alteration{}, p.errorAt(at, "", "%s %s needs a number, such as %s > 2", kind, op, kind)
	}
	return Alteration{Kind: kind, Op: op, Value: x + 0}, nil
}

// fusionLine reads a line that is a fusion, such as TMPRSS2::ERG, TMPRSS2::, ::ERG or TMPRSS2::-.
func (p *parser) fusionLine() (l Line, is bool, err error) {
	from := p.at
	before := strings.ToUpper(p.word())
	if !strings.HasPrefix(p.text[p.at:], "::") {
		p.at = from
		return l, false, nil
	}
	p.at += 2
	after := strings.ToUpper(p.word())
	a := Alteration{Kind: Fusion}
	if l.Gene = before; before == "" || before == "-" {
		l.Gene, a.Upstream = after, partner(before)
	} else {
		a.Downstream = partner(after)
	}
	if !partnerPattern().MatchString(l.Gene) || l.Gene == "DATATYPES" || !isPartner(a.Downstream) {
		return l, true, p.errorAt(from, "", "a fusion names a gene, such as TMPRSS2::ERG, TMPRSS2:: or ::ERG")
	}
	if p.acceptColon() {
		p.skip("")
		at := p.at
		m, core, bad := splitModifiers(p.atom())
		if a.Modifiers = m; core+bad != "" || m == (Modifiers{}) {
			return l, true, p.errorAt(at, "", "only DRIVER, GERMLINE or SOMATIC follow a fusion")
		}
	}
	l.Alterations = []Alteration{a}
	return l, true, p.checkModifiers(a, from)
}
