package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/store/study"
	"biomcp/store/study/oql"
)

// groupFlags adds --group and, for commands that may count a sample in several groups, --overlap keep.
func groupFlags(f *command.Flags) {
	f.Strings("group", "`NAME='EXPRESSION'`, repeatable: a group of samples in cBioPortal's query language, such as "+
		"A='TP53: MUT & AGE>=60'; NAME alone is a group of study group save")
	f.Enum("overlap", "drop", "samples in several groups: drop, or keep in each unless a test compares them", "drop", "keep")
	f.AddSynonyms("group", "groups", "oql")
	f.Excludes("group", "it defines the groups", "gene", "by", "cut", "quantiles")
	f.Rare("overlap")
}

// A groupText is one value of --group.
type groupText struct {
	typed, name, text string
	expr              oql.Expr
	isSaved           bool
	lists             map[string][]string                // samples of a saved group, as in study.SavedGroup
	line              func(corrected string) result.Argv // the command line with another expression
}

// parse reads the expression.
func (g *groupText) parse(in *command.Input) (err error) {
	if g.expr, err = parseExpr(in, g.text); err != nil {
		err = g.rewordError(in, err)
	}
	return err
}

// A groupSummary describes a group in an answer.
type groupSummary struct {
	Name       string `json:"group_name"`
	Expression string `json:"expression"`
	Samples    int    `json:"samples"`
	Patients   int    `json:"patients"`
	Unknown    int    `json:"unknown_samples"` // not known whether they meet the expression
}

// sampleGroups assigns the samples of a study to the groups of --group.
type sampleGroups struct {
	list    []groupSummary
	of      []int    // by sample: index in list; -1 in no group, -2 in several, -3-i unknown for reasons[i]
	members [][]bool // by group and sample; with --overlap keep, groups may share samples
	unknown [][]int  // by group: samples not known to meet it
	reasons []string
	samples *study.Samples
}

const (
	noGroup       = "in no group"
	severalGroups = "in several groups"
)

// names returns the names of the groups.
func (g *sampleGroups) names() []string {
	return result.Map(g.list, func(s groupSummary) string { return s.Name })
}

// excluded counts the samples in no group, by reason.
func (g *sampleGroups) excluded() exclusions {
	return g.count(g.of, func(i int) bool {
		return slices.ContainsFunc(g.members, func(m []bool) bool { return m[i] })
	})
}

// count counts the samples or patients that have no group and are not counted otherwise, by reason. of is
// their group or code.
func (g *sampleGroups) count(of []int, counted func(i int) bool) exclusions {
	counts := make([]int, len(g.reasons)+2)
	for i, code := range of {
		if code < 0 && !counted(i) {
			counts[-1-code]++
		}
	}
	list := exclusions{}
	for i, reason := range append([]string{noGroup, severalGroups}, g.reasons...) {
		if counts[i] > 0 {
			list = append(list, study.ExclusionCount{Reason: reason, N: counts[i]})
		}
	}
	return list
}

// columns returns a column for each group, or one with the name of the group if no sample is in several.
func (g *sampleGroups) columns() []column {
	shared := slices.ContainsFunc(g.of, func(of int) bool { return of == -2 })
	if shared {
		known := result.Map(g.of, func(of int) bool { return of >= -2 })
		columns := make([]column, len(g.list))
		for k, one := range g.list {
			columns[k] = flagOf(one.Name, g.members[k], known)
		}
		return columns
	}
	return []column{{"group", func(i int) any {
		if g.of[i] < 0 {
			return nil
		}
		return g.list[g.of[i]].Name
	}}}
}

// patients groups patients: they follow their samples.
func (g *sampleGroups) patients() study.Grouping {
	return study.Grouping{
		Names: g.names(), Group: g.samples.GroupPatients(g.of), Reason: noGroup, Conflict: severalGroups,
		Others: g.reasons, BeforeFollowUp: true,
	}
}

// isNoName matches a text before = that is an expression and not the name of a group.
var isNoName = pattern.Lazy(`[:<>!&|()"'\[\];]`)

// splitGroup splits NAME='EXPRESSION'. A text without a name is an expression, or the name of a saved
// group.
func splitGroup(value string) groupText {
	name, text, found := strings.Cut(value, "=")
	if name = strings.TrimSpace(name); !found || name == "" || isNoName().MatchString(name) {
		return groupText{typed: value, text: strings.TrimSpace(value)}
	}
	return groupText{typed: value, name: name, text: strings.TrimSpace(text)}
}

// parseGroups reads the values of --group.
func parseGroups(in *command.Input, s *study.Study) ([]groupText, error) {
	saved, err := s.SavedGroups()
	if err != nil {
		return nil, err
	}
	var list []groupText
	for _, value := range in.Strings("group") {
		g := splitGroup(value)
		if at := slices.IndexFunc(saved, func(k study.SavedGroup) bool { return strings.EqualFold(k.Name, value) }); at >= 0 {
			g.name, g.text, g.lists, g.isSaved = saved[at].Name, shownExpression(in, saved[at]), saved[at].Lists, true
		}
		if g.name != "" && isAttributeValue(s, g) {
			g.name, g.text = "", g.name+"="+g.text
		}
		g.line = func(corrected string) result.Argv { return g.lineWith(in, corrected) }
		if err := g.parse(in); err != nil {
			return nil, err
		}
		if g.name == "" {
			g.name = g.expr.String()
		}
		if slices.ContainsFunc(list, func(other groupText) bool { return strings.EqualFold(other.name, g.name) }) {
			return nil, result.Invalid(fmt.Sprintf("--group: two groups have the name %s", command.Clip(g.name)),
				append(in.Path(), "--help")...)
		}
		list = append(list, g)
	}
	if len(list) > mostGroups {
		return nil, result.Invalid(fmt.Sprintf("%d groups; at most %d are compared", len(list), mostGroups),
			append(in.Path(), "--help")...)
	}
	return list, nil
}

// isAttributeValue reports whether NAME=WORD is not a named group of the gene WORD but compares an
// attribute with a value, such as SEX=Female.
func isAttributeValue(s *study.Study, g groupText) bool {
	m := firstWord().FindStringSubmatch(g.text)
	if _, err := s.Attribute(g.name); err != nil || m == nil || m[2] != "" {
		return false
	}
	known, _ := s.KnowsGene(m[1])
	return !known
}

// firstWord matches the first word of an expression, and the sign that makes it the name of a gene
// or an attribute.
var firstWord = pattern.Lazy(`^([^\s:=<>!()&|\[]+)\s*([:=<>!(]?)`)

// rewordError returns an error of package oql with the place in the flag and the corrected line.
func (g groupText) rewordError(in *command.Input, err error) error {
	var wrong *oql.Error
	if !errors.As(err, &wrong) {
		return err
	}
	message := fmt.Sprintf("%s: %s", g.flag(), wrong)
	if wrong.Corrected == "" {
		return result.Invalid(message, append(in.Path(), "--help")...)
	}
	return result.Invalid(message, g.line(wrong.Corrected)...)
}

// flag names the flag and the group in messages.
func (g groupText) flag() string { return strings.TrimSpace("--group " + command.Clip(g.name)) }

// lineWith returns the command line with another expression of the group.
func (g groupText) lineWith(in *command.Input, text string) result.Argv {
	var pairs []string
	for _, value := range in.Strings("group") {
		if value == g.typed {
			if value = text; splitGroup(g.typed).name != "" || g.typed == g.name {
				value = g.name + "=" + text
			}
		}
		pairs = append(pairs, "--group", value)
	}
	return in.LineWith(pairs...)
}

// hasGroups reports whether the line has --group.
func hasGroups(in *command.Input) bool { return in.IsSet("group") && len(in.Strings("group")) > 0 }

// groupsOf evaluates the groups of --group. With compared, a single group is compared with the other
// known samples, and --overlap keep is an error.
func groupsOf(in *command.Input, s *study.Study, r *result.Result, compared bool) (*sampleGroups, error) {
	keep := in.String("overlap") == "keep"
	if keep && compared {
		return nil, result.Invalid("--overlap keep counts a sample in several groups, which makes the test invalid",
			in.LineWith("--overlap", "")...)
	}
	texts, err := parseGroups(in, s)
	if err != nil {
		return nil, err
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	q := newQuerying(in, s)
	g := &sampleGroups{samples: samples, of: slices.Repeat([]int{-1}, len(samples.IDs))}
	for _, text := range texts {
		if err := q.checkNames(text); err != nil {
			return nil, err
		}
		states, err := q.evalGroup(text)
		if err != nil {
			return nil, err
		}
		g.add(text, states)
		if other := (groupText{name: "not " + text.name, expr: oql.Not{X: text.expr}}); compared && len(texts) == 1 {
			for i, state := range states.States {
				if state != oql.Unknown {
					states.States[i] = oql.NotMet + oql.Met - state
				}
			}
			g.add(other, states)
		}
	}
	g.noteUnknown(len(texts), r)
	g.finish(keep, r)
	q.notes(r)
	return g, nil
}

// add adds a group with the samples that meet it.
func (g *sampleGroups) add(text groupText, states *oql.Result) {
	at, members := len(g.list), make([]bool, len(states.States))
	var unknown []int
	summary := groupSummary{Name: text.name, Expression: text.expr.String()}
	for i, state := range states.States {
		members[i] = state == oql.Met
		switch of := g.of[i]; {
		case members[i] && of >= 0:
			g.of[i] = -2
		case members[i] && of != -2:
			g.of[i] = at
		case state == oql.Unknown && of == -1:
			g.of[i] = -3 - g.reason(states.Texts[states.Reasons[i]])
		}
		if state == oql.Unknown {
			unknown = append(unknown, i)
		}
	}
	summary.Unknown = len(unknown)
	g.list, g.members, g.unknown = append(g.list, summary), append(g.members, members), append(g.unknown, unknown)
}

// noteUnknown adds a notice for each of the typed groups with unknown samples. Those that meet another group
// belong to it.
func (g *sampleGroups) noteUnknown(typed int, r *result.Result) {
	for k, unknown := range g.unknown {
		elsewhere := 0
		for _, i := range unknown {
			elsewhere += b2i(g.of[i] >= -2)
		}
		if len(unknown) == 0 || k >= typed {
			continue
		}
		text := english.Plural(len(unknown), "sample", "") + " not known to meet " + g.list[k].Name + " or not"
		if elsewhere > 0 {
			text += fmt.Sprintf("; %d of them meet another group and count in it", elsewhere)
		}
		r.Notice(text)
	}
}

// reason returns the index of a reason.
func (g *sampleGroups) reason(text string) int {
	if i := slices.Index(g.reasons, text); i >= 0 {
		return i
	}
	g.reasons = append(g.reasons, text)
	return len(g.reasons) - 1
}

// finish drops the samples in several groups unless keep is set, and counts the groups.
func (g *sampleGroups) finish(keep bool, r *result.Result) {
	dropped := 0
	for i, of := range g.of {
		dropped += b2i(of == -2)
		for k := range g.members {
			g.members[k][i] = g.members[k][i] && (keep || of != -2)
		}
	}
	for k, members := range g.members {
		patients := map[int]bool{}
		for i, in := range members {
			if in {
				g.list[k].Samples++
				patients[g.samples.PatientOf[i]] = true
			}
		}
		g.list[k].Patients = len(patients)
		if len(patients) == 0 {
			r.Notice("no sample is in the group " + g.list[k].Name)
		}
	}
	switch {
	case dropped > 0 && keep:
		r.Notice(english.Plural(dropped, "sample is", "samples are") + " in several groups and counted in each")
	case dropped > 0:
		r.Notice(english.Plural(dropped, "sample is", "samples are") + " in several groups and left out of all, as in cBioPortal")
	}
}

// checkGroups implements Command.Check for commands with --group.
func checkGroups(in *command.Input) error {
	s, err := open(in)
	if err != nil {
		return nil // the command reports the error
	}
	texts, err := parseGroups(in, s)
	for _, text := range texts {
		if err == nil {
			err = newQuerying(in, s).checkNames(text)
		}
	}
	return err
}

// addGroups adds the groups of --group to an answer.
func addGroups(doc result.Doc, list []groupSummary) result.Doc {
	if len(list) == 0 {
		return doc
	}
	return append(doc, result.Heading{Level: 2, Text: "Groups"}, result.Table{
		Columns: result.Columns("Group", "Expression", ">Samples", ">Patients", ">Unknown"),
		Rows: result.Map(list, func(g groupSummary) []string {
			return []string{g.Name, g.Expression, count(g.Samples), count(g.Patients), count(g.Unknown)}
		}),
	})
}
