package oql

import (
	"strconv"
	"strings"
)

// An Expr is an expression: *Line, *Attribute, *SampleList, Not, And or Or. Its text, read again,
// gives an equal expression.
type Expr interface {
	String() string
	// precedence is higher for expressions that bind more tightly.
	precedence() int
}

// Not is the negation of an expression.
type Not struct{ X Expr }

// And is met if all of its expressions are.
type And []Expr

// Or is met if one of its expressions is.
type Or []Expr

// A Line is a gene with alterations, of which one suffices.
type Line struct {
	Gene        string       // in upper case
	Alterations []Alteration // nil: the default of cBioPortal
}

// An Attribute compares a clinical value.
type Attribute struct {
	ID    string // in upper case
	Op    string // = != > >= < <=
	Value string
}

// A SampleList is met by the samples that a file names.
type SampleList struct{ File string }

// Walk calls visit for x and every expression in it.
func Walk(x Expr, visit func(Expr)) {
	visit(x)
	var parts []Expr
	switch x := x.(type) {
	case Not:
		parts = []Expr{x.X}
	case And:
		parts = x
	case Or:
		parts = x
	}
	for _, part := range parts {
		Walk(part, visit)
	}
}

// A Query is a list of tracks.
type Query []Track

// A Track is one line, or several that are drawn as one.
type Track struct {
	Label  string // label typed for a merged track; "" for the default
	Merged bool
	Lines  []Line
}

// Name returns the label of a track.
func (t Track) Name() string {
	if t.Label != "" {
		return t.Label
	}
	names := make([]string, len(t.Lines))
	for i, l := range t.Lines {
		names[i] = l.Gene
	}
	return strings.Join(names, "/")
}

// Expr returns the expression that a track stands for.
func (t Track) Expr() Expr {
	if len(t.Lines) == 1 {
		return &t.Lines[0]
	}
	any := make(Or, len(t.Lines))
	for i := range t.Lines {
		any[i] = &t.Lines[i]
	}
	return any
}

// A Kind is a kind of alteration, named as in the language.
type Kind string

// The kinds of alterations.
const (
	Mutation   Kind = "MUT"
	Fusion     Kind = "FUSION"
	CopyNumber Kind = "CNA"
	Expression Kind = "EXP"
	Protein    Kind = "PROT"
	AnyKind    Kind = "DRIVER" // a driver of the kinds of the default
)

// An Alteration is one alteration of a line.
type Alteration struct {
	Kind Kind
	// Op compares the value: = or != for a mutation, = > >= < <= for the others. It is "" for any
	// mutation or fusion, and for any copy number with a modifier.
	Op       string
	Class    string  // class of mutations: MISSENSE, ..., TRUNC, PROMOTER
	Change   string  // protein change: V600E; also the text of a position: V600
	Position int     // 0 if Change is a protein change
	Copies   int     // from -2 to 2
	Value    float64 // z-score
	// Upstream and Downstream are partners of a fusion: a gene, "*" for any gene, "-" for none, or
	// "" if unspecified. At most one is set.
	Upstream, Downstream string
	Modifiers
}

// Modifiers restrict an alteration.
type Modifiers struct {
	Driver, Germline, Somatic bool
	Range                     *Range
}

// A Range is a range of protein positions. A missing end is 0.
type Range struct {
	From, To int
	Inside   bool // a mutation must lie inside; otherwise it must overlap
}

// defaults holds the alterations of a line without any.
var defaults = []Alteration{
	{Kind: Mutation}, {Kind: Fusion}, {Kind: CopyNumber, Op: "=", Copies: 2}, {Kind: CopyNumber, Op: "=", Copies: -2},
}

// Default lists the alterations of a gene without any, in words of the language.
func Default() string { return joinAlterations(defaults) }

const orLevel, andLevel, notLevel, topLevel = 1, 2, 3, 4

func (Or) precedence() int          { return orLevel }
func (And) precedence() int         { return andLevel }
func (Not) precedence() int         { return notLevel }
func (*Line) precedence() int       { return topLevel }
func (*Attribute) precedence() int  { return topLevel }
func (*SampleList) precedence() int { return topLevel }

// within writes x in parentheses unless it binds more tightly than level.
func within(x Expr, level int) string {
	if x.precedence() > level {
		return x.String()
	}
	return "(" + x.String() + ")"
}

func join(list []Expr, level int, operator string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = within(x, level)
	}
	return strings.Join(parts, operator)
}

func (x Or) String() string          { return join(x, orLevel, " | ") }
func (x And) String() string         { return join(x, andLevel, " & ") }
func (x Not) String() string         { return "!" + within(x.X, notLevel-1) }
func (x *Attribute) String() string  { return x.ID + x.Op + quote(x.Value) }
func (x *SampleList) String() string { return "samples(" + quote(x.File) + ")" }

func (x *Line) String() string {
	if x.Alterations == nil {
		return x.Gene
	}
	return x.Gene + ": " + joinAlterations(x.Alterations)
}

func joinAlterations(list []Alteration) string {
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.String()
	}
	return strings.Join(parts, " ")
}

// String returns the lines of a query, separated by semicolons.
func (q Query) String() string {
	parts := make([]string, len(q))
	for i, t := range q {
		lines := make([]string, len(t.Lines))
		for k := range t.Lines {
			lines[k] = t.Lines[k].String()
		}
		parts[i] = strings.Join(lines, "; ")
		if t.Merged {
			label := ""
			if t.Label != "" {
				label = `"` + t.Label + `" `
			}
			parts[i] = "[" + label + parts[i] + "]"
		}
	}
	return strings.Join(parts, "; ")
}

// quote quotes a value unless it consists of letters, digits and a few signs, and is no operator.
func quote(value string) string {
	if value != "" && !isOperator(value) && strings.IndexFunc(value, func(r rune) bool { return !isPlain(r) }) < 0 {
		return value
	}
	return inQuotes(value)
}

func inQuotes(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-/", r)
}

func (a Alteration) String() string {
	modifiers := a.Modifiers.words()
	word := string(a.Kind)
	switch {
	case a.Kind == AnyKind:
		return word
	case a.Kind == Expression, a.Kind == Protein:
		return word + a.Op + strconv.FormatFloat(a.Value, 'f', -1, 64)
	case a.Kind == CopyNumber && a.Op == "=":
		word = states[a.Copies+2]
	case a.Kind == CopyNumber && a.Op != "":
		return word + a.Op + states[a.Copies+2]
	case a.Kind == Fusion && a.Upstream != "":
		word = strings.TrimPrefix(a.Upstream, "*") + "::" + word
	case a.Kind == Fusion && a.Downstream != "":
		word += "::" + strings.TrimPrefix(a.Downstream, "*")
	case a.Op != "":
		word += a.Op + a.Class + a.Change
	}
	return strings.Join(append([]string{word}, modifiers...), "_")
}

// words returns the modifiers as words.
func (m Modifiers) words() (list []string) {
	for _, one := range modifiers {
		if *one.of(&m) {
			list = append(list, one.name)
		}
	}
	if m.Range == nil {
		return list
	}
	end := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	star := ""
	if m.Range.Inside {
		star = "*"
	}
	return append(list, "("+end(m.Range.From)+"-"+end(m.Range.To)+star+")")
}

var modifiers = []struct {
	name string
	of   func(*Modifiers) *bool
}{
	{"DRIVER", func(m *Modifiers) *bool { return &m.Driver }},
	{"GERMLINE", func(m *Modifiers) *bool { return &m.Germline }},
	{"SOMATIC", func(m *Modifiers) *bool { return &m.Somatic }},
}

// states names the states of copy number from -2 to 2.
var states = []string{"HOMDEL", "HETLOSS", "DIPLOID", "GAIN", "AMP"}

// CopyState returns the name of a state of copy number from -2 to 2.
func CopyState(copies int) string { return states[copies+2] }

// Classes lists the classes of mutations that a query can name.
var Classes = []string{
	"MISSENSE", "NONSENSE", "NONSTART", "NONSTOP", "FRAMESHIFT", "INFRAME", "SPLICE", "TRUNC", "PROMOTER",
}
