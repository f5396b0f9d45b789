package oql

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A table is a study in memory. A missing kind of data is nil.
type table struct {
	n          int
	mutations  map[string]*Mutations
	fusions    map[string]*Fusions
	numbers    map[Kind]map[string][]float64
	attributes map[string][]string
	lists      map[string][]bool
}

func (s *table) Len() int { return s.n }

var errNone = errors.New("the study has none")

func (s *table) Mutations(gene string) (*Mutations, error) {
	if s.mutations == nil {
		return nil, &Absent{Err: errNone}
	}
	return s.mutations[gene], nil
}

func (s *table) Fusions(gene string) (*Fusions, error) {
	if s.fusions == nil {
		return nil, &Absent{Err: errNone}
	}
	return s.fusions[gene], nil
}

func (s *table) Values(kind Kind, gene string) ([]float64, error) {
	if s.numbers[kind] == nil {
		return nil, &Absent{Err: errNone}
	}
	if v, has := s.numbers[kind][gene]; has {
		return v, nil
	}
	return nil, &Absent{Gene: gene, Err: fmt.Errorf("no row of %s", gene)}
}

func (s *table) Attribute(id string) ([]string, error)     { return s.attributes[id], nil }
func (s *table) SampleList(file string) ([]bool, error)    { return s.lists[file], nil }
func (s *table) Interval(value string) (low, high float64) { return intervalOf(value) }

// intervalOf reads numbers and bounds such as >89.
func intervalOf(value string) (low, high float64) {
	if rest, found := strings.CutPrefix(value, ">"); found {
		x, _ := strconv.ParseFloat(rest, 64)
		return math.Nextafter(x, math.Inf(1)), math.Inf(1)
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return math.NaN(), math.NaN()
	}
	return x, x
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

var drawnGenes = []string{"TP53", "KRAS", "ALK"}

// draw makes a table with missing data of every kind.
func draw(r *rand.Rand) *table {
	s := &table{
		n: 1 + r.IntN(12), numbers: map[Kind]map[string][]float64{}, attributes: map[string][]string{}, lists: map[string][]bool{},
	}
	some := func(share float64) []bool {
		in := make([]bool, s.n)
		for i := range in {
			in[i] = r.Float64() < share
		}
		return in
	}
	s.mutations, s.fusions = map[string]*Mutations{}, map[string]*Fusions{}
	for _, g := range drawnGenes {
		m := &Mutations{Profiled: some(.8), HasDriver: true, HasStatus: true}
		f := &Fusions{Profiled: some(.8), Unlisted: r.IntN(4) == 0, HasDriver: true, HasStatus: true}
		for range r.IntN(8) {
			if i := r.IntN(s.n); m.Profiled[i] {
				from := r.IntN(30)
				m.List = append(m.List, MutationEvent{
					Sample: i, Class: pick(r, append(slices.Clone(Classes), "OTHER")...), Change: pick(r, "V10E", "V10K", "R5_K9del", ""),
					From: from, To: from + r.IntN(3)*min(from, 1), Driver: r.IntN(2) == 0, Germline: r.IntN(3) == 0,
				})
			}
			if i := r.IntN(s.n); f.Profiled[i] {
				e := FusionEvent{Sample: i, Driver: r.IntN(2) == 0, Germline: r.IntN(2) == 0}
				e.Upstream, e.Downstream = pick(r, g, "EML4", "", "KRAS"), pick(r, g, "ALK", "")
				if e.Upstream != g && e.Downstream != g {
					e.Upstream = g
				}
				e.Gene1, e.Gene2 = e.Upstream == g, e.Downstream == g
				f.List = append(f.List, e)
			}
		}
		s.mutations[g], s.fusions[g] = m, f
		for _, kind := range []Kind{CopyNumber, Expression, Protein} {
			if s.numbers[kind] == nil {
				s.numbers[kind] = map[string][]float64{}
			}
			v := make([]float64, s.n)
			for i := range v {
				if v[i] = math.Round(r.NormFloat64()*20) / 10; kind == CopyNumber {
					v[i] = float64(r.IntN(5) - 2)
				}
				if r.IntN(5) == 0 {
					v[i] = math.NaN()
				}
			}
			if r.IntN(6) > 0 {
				s.numbers[kind][g] = v
			}
		}
	}
	if r.IntN(8) == 0 {
		s.fusions = nil
	}
	for i := range s.n {
		s.attributes["AGE"] = append(s.attributes["AGE"], pick(r, "60", "61.5", "", ">89", "45"))
		s.attributes["SEX"] = append(s.attributes["SEX"], pick(r, "Female", "male", ""))
		s.attributes["AGE"][0] = "60" // at least one number
		s.lists["ids"] = append(s.lists["ids"], i%3 == 0)
	}
	return s
}

// drawLine makes the text of a line.
func drawLine(r *rand.Rand) string {
	line := pick(r, drawnGenes...)
	if r.IntN(5) == 0 {
		return line
	}
	line += ":"
	for range 1 + r.IntN(3) {
		line += " " + pick(r, "MUT", "AMP", "HOMDEL", "GAIN", "HETLOSS", "DIPLOID", "CNA >= GAIN", "CNA < DIPLOID", "CNA <= HETLOSS",
			"CNA > GAIN", "MUT = V10E", "V10", "MUT != V10E", "MUT != V10", "MUT != TRUNC", "TRUNC", "MISSENSE", "INFRAME", "SPLICE", "PROMOTER",
			"R5_K9del", "(5-12)", "(5-12*)", "(12-)", "(-7*)", "MUT_DRIVER", "GERMLINE", "SOMATIC_TRUNC", "DRIVER_GERMLINE_(3-)",
			"EXP > 1", "EXP <= -0.5", "PROT >= 0", "PROT < -1.2", "FUSION", "FUSION_DRIVER", "FUSION_SOMATIC", "FUSION::ALK", "FUSION::", "FUSION::-",
			"EML4::FUSION", "::FUSION", "-::FUSION_GERMLINE")
	}
	return line
}

func drawExpr(r *rand.Rand, depth int) string {
	if depth > 0 && r.IntN(3) > 0 {
		a, b := drawExpr(r, depth-1), drawExpr(r, depth-1)
		return pick(r, "("+a+") & ("+b+")", "("+a+") | ("+b+")", "!("+a+")", a+" | "+b, a+" & "+b)
	}
	return pick(r, drawLine(r), drawLine(r), drawLine(r), "AGE >= 60", "AGE<61.5", "AGE = 60", "AGE != 45", "AGE > 95", "SEX=female",
		"SEX != Male", "samples(ids)")
}

// The plain evaluator looks at one sample at a time. A value is "yes", "no" or "?".

func plain(s *table, i int, x Expr) (string, error) {
	switch x := x.(type) {
	case Not:
		v, err := plain(s, i, x.X)
		return map[string]string{"yes": "no", "no": "yes", "?": "?"}[v], err
	case And:
		return plainAll(s, i, x, "no", "yes")
	case Or:
		return plainAll(s, i, x, "yes", "no")
	case *SampleList:
		return yes(s.lists[x.File][i]), nil
	case *Attribute:
		return plainAttribute(s.attributes[x.ID][i], x), nil
	}
	return plainLine(s, i, x.(*Line))
}

// plainAll returns decisive if one part is, and otherwise "?" if one part is, and otherwise rest.
func plainAll(s *table, i int, list []Expr, decisive, rest string) (string, error) {
	all := map[string]bool{}
	for _, x := range list {
		v, err := plain(s, i, x)
		if err != nil {
			return "", err
		}
		all[v] = true
	}
	switch {
	case all[decisive]:
		return decisive, nil
	case all["?"]:
		return "?", nil
	}
	return rest, nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func plainAttribute(text string, x *Attribute) string {
	if text == "" {
		return "?"
	}
	if x.ID == "SEX" {
		return yes(strings.EqualFold(text, x.Value) == (x.Op == "="))
	}
	limit, _ := strconv.ParseFloat(x.Value, 64)
	holds := func(v float64) bool {
		return map[string]bool{"=": v == limit, "!=": v != limit, ">": v > limit, ">=": v >= limit, "<": v < limit, "<=": v <= limit}[x.Op]
	}
	if text == ">89" { // 89.5 or 1000, or 95, or anything between
		seen := map[bool]bool{}
		for _, v := range []float64{89.5, 94, 95, 96, 1000} {
			seen[holds(v)] = true
		}
		if len(seen) == 2 {
			return "?"
		}
		return yes(seen[true])
	}
	v, _ := strconv.ParseFloat(text, 64)
	return yes(holds(v))
}

func plainLine(s *table, i int, l *Line) (string, error) {
	list, bare := l.Alterations, l.Alterations == nil
	if bare {
		list = []Alteration{{Kind: Mutation}, {Kind: CopyNumber, Op: "=", Copies: 2}, {Kind: CopyNumber, Op: "=", Copies: -2}, {Kind: Fusion}}
	}
	answers, some := map[string]bool{}, false
	for _, a := range list {
		v, there := plainAlteration(s, i, l.Gene, a)
		switch {
		case there == "none" && !bare:
			return "", errNone
		case there == "none" || there == "no row" && bare:
			continue
		case there == "no row":
			v = "?"
		case there == "unlisted" && v == "?" && bare:
			v = "no"
		}
		answers[v], some = true, true
	}
	switch {
	case answers["yes"]:
		return "yes", nil
	case answers["?"]:
		return "?", nil
	case !some:
		return "", errNone
	}
	return "no", nil
}

// plainAlteration also reports whether the study has the data.
func plainAlteration(s *table, i int, gene string, a Alteration) (value, there string) {
	allowed := func(driver, germline bool) bool {
		return !(a.Driver && !driver || a.Germline && !germline || a.Somatic && germline)
	}
	switch a.Kind {
	case Mutation:
		m := s.mutations[gene]
		if !m.Profiled[i] {
			return "?", ""
		}
		for _, e := range m.List {
			if e.Sample == i && allowed(e.Driver, e.Germline) && plainMutation(a, e) {
				return "yes", ""
			}
		}
		return "no", ""
	case Fusion:
		if s.fusions == nil {
			return "?", "none"
		}
		f := s.fusions[gene]
		for _, e := range f.List {
			partner := map[string]bool{"": true}
			if e.Upstream == gene && a.Downstream != "" {
				partner = map[string]bool{"down" + e.Downstream: true, "down*": e.Downstream != "", "down-": e.Downstream == ""}
			}
			if e.Downstream == gene && a.Upstream != "" {
				partner = map[string]bool{"up" + e.Upstream: true, "up*": e.Upstream != "", "up-": e.Upstream == ""}
			}
			wanted := ""
			switch {
			case a.Downstream != "":
				wanted = "down" + a.Downstream
			case a.Upstream != "":
				wanted = "up" + a.Upstream
			}
			if e.Sample == i && partner[wanted] && allowed(e.Driver, e.Germline) {
				return "yes", ""
			}
		}
		if f.Unlisted {
			return "?", "unlisted"
		}
		return map[bool]string{true: "no", false: "?"}[f.Profiled[i]], ""
	}
	v, has := s.numbers[a.Kind][gene]
	if !has {
		return "?", "no row"
	}
	limit := a.Value
	if a.Kind == CopyNumber {
		limit = float64(a.Copies)
	}
	x := v[i]
	switch {
	case math.IsNaN(x):
		return "?", ""
	case a.Op == ">" && x > limit, a.Op == ">=" && x >= limit, a.Op == "<" && x < limit, a.Op == "<=" && x <= limit, a.Op == "=" && x == limit:
		return "yes", ""
	}
	return "no", ""
}

func plainMutation(a Alteration, e MutationEvent) bool {
	if a.Range != nil {
		from, to := a.Range.From, a.Range.To
		if to == 0 {
			to = 1 << 30
		}
		overlap, inside := 0, true
		for at := e.From; at <= e.To; at++ {
			if at >= from && at <= to {
				overlap++
			} else {
				inside = false
			}
		}
		if e.From == 0 || overlap == 0 || a.Range.Inside && !inside {
			return false
		}
	}
	var same bool
	switch {
	case a.Op == "":
		return true
	case a.Class == "TRUNC":
		same = strings.Contains("NONSENSE NONSTART NONSTOP FRAMESHIFT SPLICE", e.Class)
	case a.Class != "":
		same = e.Class == a.Class
	case a.Position > 0 && e.From == 0, a.Position == 0 && e.Change == "":
		return false
	case a.Position > 0:
		same = a.Position >= e.From && a.Position <= e.To
	default:
		same = strings.EqualFold(e.Change, a.Change)
	}
	return same != (a.Op == "!=")
}

// Drawn expressions over drawn tables agree with the plain evaluator, sample by sample.
func TestEvalAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 1))
	counts := map[State]int{}
	for n := 0; n < 10_000; n++ {
		s, text := draw(r), drawExpr(r, 3)
		x, err := ParseExpr(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, err := NewEvaluator(s).Eval(x)
		for i := range s.n {
			want, wantErr := plain(s, i, x)
			if (err != nil) != (wantErr != nil) {
				t.Fatalf("%s: want the error %v, got %v", text, wantErr, err)
			}
			if err != nil {
				break
			}
			state := map[string]State{"yes": Met, "no": NotMet, "?": Unknown}[want]
			if got.States[i] != state {
				t.Fatalf("%s: sample %d: want %s, got %d", text, i, want, got.States[i])
			}
			if has := got.Reasons[i] >= 0; has != (state == Unknown) {
				t.Fatalf("%s: sample %d: want a reason exactly if unknown, got %d of %q", text, i, got.Reasons[i], got.Texts)
			}
			counts[state]++
		}
	}
	for _, state := range []State{Met, NotMet, Unknown} {
		if counts[state] < 10_000 {
			t.Errorf("want at least 10,000 samples in each state, got %v", counts)
		}
	}
}

// Each unknown sample has the reason that applies to it.
func TestReasons(t *testing.T) {
	nan := math.NaN()
	s := &table{
		n: 2, mutations: map[string]*Mutations{"TP53": {Profiled: []bool{true, false}}},
		numbers:    map[Kind]map[string][]float64{CopyNumber: {"TP53": {nan, nan}}, Expression: {}},
		attributes: map[string][]string{"AGE": {">89", ""}, "SEX": {"Female", "x"}},
	}
	for _, c := range []struct{ text, want0, want1 string }{
		{"TP53: MUT", "", "not profiled for mutations of TP53"},
		{"TP53: AMP", "no copy number of TP53", "no copy number of TP53"},
		{"TP53: EXP > 2", "no row of TP53", "no row of TP53"},
		{"AGE > 95", "a bound of AGE that the comparison divides", "no value of AGE"},
		{"TP53: MUT & AGE > 10", "", "not profiled for mutations of TP53"},
	} {
		x, err := ParseExpr(c.text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewEvaluator(s).Eval(x)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{c.want0, c.want1} {
			got := ""
			if r.Reasons[i] >= 0 {
				got = r.Texts[r.Reasons[i]]
			}
			if got != want {
				t.Errorf("%s: sample %d: want the reason %q, got %q", c.text, i, want, got)
			}
		}
	}
	for _, text := range []string{"SEX > 5", "TP53: FUSION", "TP53: PROT > 1", "TP53: AMP_DRIVER", "TP53: GERMLINE"} {
		x, err := ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := NewEvaluator(s).Eval(x); err == nil {
			t.Errorf("%s: want an error for data that the study lacks, got %v", text, r.States)
		}
	}
	e := NewEvaluator(s)
	if _, err := e.Eval(&Line{Gene: "TP53"}); err != nil || len(e.Notes) != 1 {
		t.Errorf("want a gene without alterations to count what the study has, with one note, got %q, %v", e.Notes, err)
	}
}
