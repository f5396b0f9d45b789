package study

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/archive"
	"biomcp/store/study/symbols"
)

func group() *command.Command {
	return &command.Command{
		Use: "group", Noun: "command", Short: "Keep groups of samples with a study", Synonyms: []string{"virtual-study"},
		Help: command.Help{
			Purpose: "A group is a name for an expression in cBioPortal's query language, such as " +
				"TP53: MUT = R273H & AGE>=60. --group NAME uses it in survival, compare, filter, oncoprint and co-occurrence.",
		},
		Commands: []*command.Command{saveGroup(), listGroups(), removeGroup()},
	}
}

// savedGroups is the answer of the commands.
type savedGroups struct {
	Study  string             `json:"study_id"`
	Groups []study.SavedGroup `json:"groups"`
}

func (a savedGroups) exportRows() any { return a.Groups }

func saveGroup() *command.Command {
	return &command.Command{
		Use:   "save <name> <expression> --study <id>",
		Short: "Save a group", Effect: command.Stores, Synonyms: []string{"add"},
		Args:  command.Args{Min: 2, Max: -1, Name: "a name and an expression"},
		Flags: studyFlag,
		Help: command.Help{Surprises: "It replaces a group with the same name. The samples of samples(FILE) are kept with the group. " +
			"study remove removes the groups too."},
		Examples: []command.Example{{
			Line:        "biomcp study group save Hotspot 'TP53: R175H R248Q R273H' -s synthetic_demo",
			Explanation: "study survival --group Hotspot then means the samples with one of these changes",
		}},
		Check: requireFlags("study"), Run: runSaveGroup,
	}
}

func runSaveGroup(_ context.Context, in *command.Input) (*result.Result, error) {
	name, text := strings.TrimSpace(in.Args[0]), strings.Join(in.Args[1:], " ")
	if split := splitGroup(name + "="); split.name != name {
		return nil, result.Invalid(fmt.Sprintf("%q is not a name for a group: it has a sign of an expression", command.Clip(name)),
			in.Line(append([]string{"GROUP"}, in.Args[1:]...))...)
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	if kind := kindOfName(s, name); kind != "" {
		return nil, result.Invalid(fmt.Sprintf("%s is %s of %s, which --group %s means: give the group another name",
			command.Clip(name), kind, s.ID, command.Clip(name)), in.Line(append([]string{name + "_group"}, in.Args[1:]...))...)
	}
	g, q, err := parseGroup(in, s, name, text)
	if err != nil {
		return nil, err
	}
	lists, err := q.keepLists(g.expr)
	if err != nil {
		return nil, err
	}
	r, err := changeGroups(in, s, func() error {
		return s.SaveGroup(study.SavedGroup{Name: name, Expression: g.expr.String(), Lists: lists})
	})
	if err == nil {
		q.noteUnlisted(r)
	}
	return r, err
}

// kindOfName describes a name that stands for data of the study in an expression, "" if it does not.
func kindOfName(s *study.Study, name string) string {
	gene := symbols.Spell(name)
	if known, _ := s.KnowsGene(gene); known || s.HasMutations(gene) {
		return "a gene"
	}
	if _, err := s.Attribute(name); err == nil {
		return "a clinical attribute"
	}
	return ""
}

// parseGroup reads and checks the expression of a group to save.
func parseGroup(in *command.Input, s *study.Study, name, text string) (g groupText, q *querying, err error) {
	q = newQuerying(in, s)
	g = groupText{typed: text, name: name, text: text}
	g.line = func(corrected string) result.Argv { return in.Line([]string{name, corrected}) }
	if err = g.parse(in); err == nil {
		err = q.checkNames(g)
	}
	return g, q, err
}

// changeGroups changes the saved groups of a study, which no other process changes meanwhile.
func changeGroups(in *command.Input, s *study.Study, change func() error) (*result.Result, error) {
	library, err := Library(in.App)
	if err != nil {
		return nil, err
	}
	w, err := archive.Begin(library.Dir, s.ID)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if err := change(); err != nil {
		return nil, err
	}
	return groupsAnswer(in, s)
}

func groupsAnswer(in *command.Input, s *study.Study) (*result.Result, error) {
	list, err := s.SavedGroups()
	if err != nil {
		return nil, err
	}
	for i, g := range list {
		list[i].Expression, list[i].Lists = shownExpression(in, g), nil
	}
	r := &result.Result{Payload: savedGroups{s.ID, list}}
	if len(list) > 0 {
		r.Next = []result.Argv{{"study", "filter", "--study", s.ID, "--group", list[0].Name}}
	}
	return r, nil
}

func listGroups() *command.Command {
	return withTable(&command.Command{
		Use: "list --study <id>", Short: "List saved groups", Effect: command.Reads, Flags: studyFlag,
		Examples: []command.Example{{Line: "biomcp study group list -s synthetic_demo", Explanation: "names and expressions"}},
		Check:    requireFlags("study"), ArgFlags: studyPlaces(),
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			s, err := open(in)
			if err != nil {
				return nil, err
			}
			return groupsAnswer(in, s)
		},
	})
}

func removeGroup() *command.Command {
	return &command.Command{
		Use: "remove <name> --study <id>", Short: "Remove a saved group", Effect: command.Stores,
		Synonyms: []string{"delete", "rm"}, Args: command.Args{Min: 1, Max: 1, Name: "the name of a group"}, Flags: studyFlag,
		Examples: []command.Example{{
			Line: "biomcp study group remove Hotspot -s synthetic_demo", Explanation: "the study itself stays",
		}},
		Check: requireFlags("study"), Run: runRemoveGroup,
	}
}

func runRemoveGroup(_ context.Context, in *command.Input) (*result.Result, error) {
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	list, err := s.SavedGroups()
	if err != nil {
		return nil, err
	}
	name := in.Args[0]
	names := result.Map(list, func(g study.SavedGroup) string { return g.Name })
	if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
		failure := result.Missing(fmt.Sprintf("%s has no group %q%s", s.ID, command.Clip(name), availableNames(names)),
			"study", "group", "list", "--study", s.ID)
		if near := command.Nearest(name, names); near != "" {
			failure.Try = in.Line([]string{near})
		}
		return nil, failure
	}
	return changeGroups(in, s, func() error {
		_, err := s.RemoveGroup(name)
		return err
	})
}

func (a savedGroups) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Study Groups: " + a.Study}}
	if len(a.Groups) == 0 {
		return append(doc, result.Para{Text: "No saved groups."})
	}
	rows := result.Map(a.Groups, func(g study.SavedGroup) []string { return []string{g.Name, g.Expression} })
	return append(doc, result.Table{Columns: result.Columns("Group", "Expression"), Main: true, Rows: rows})
}
