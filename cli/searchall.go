package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// searchAllTimeout is the deadline for the searches of `search all`, which run in parallel.
const searchAllTimeout = 30 * time.Second

// termKind is one kind of term that `search all` accepts.
type termKind struct {
	name, letter, usage string
	flags               []string
}

// termKinds are the terms that `search all` accepts, each with the flags of other searches that
// take it. The search of an entity with the same name takes the term as its query.
var termKinds = []termKind{
	{"gene", "g", "a gene", []string{"gene"}},
	{"variant", "", "a variant", []string{"variant", "mutation"}},
	{"disease", "d", "a disease", []string{"disease", "condition"}},
	{"drug", "", "a drug", []string{"drug", "intervention"}},
	{"keyword", "k", "other words", nil},
}

// searchAll returns an entity without records. Searching it searches every entity that can be
// filtered by a gene, a variant, a disease or a drug.
func searchAll() entity.Entity {
	return entity.Entity{Name: "all", Search: &command.Command{
		Use: "all [words] [filters]", Synonyms: []string{"everything", "any", "anything"},
		Short: "Search all entities at once",
		Help: command.Help{
			Purpose: "The searches of every entity that has filters for genes, variants, diseases or drugs, at the " +
				"same time.",
			Input: "Filters; words are the same as --keyword.",
			Output: "For each entity the number of hits and the first hits. What local tables know by a " +
				"term's name comes first: genes, diseases, drugs and features, even without a network.",
			Surprises: "A search that did not answer in time is marked unavailable; its number of hits is unknown, " +
				"not 0.",
		},
		Effect: command.Reads, Args: command.Args{Max: 1, Name: "words", FreeText: true},
		Examples: []command.Example{
			{Line: "biomcp search all --gene BRAF --disease melanoma", Explanation: "everything about BRAF in melanoma"},
		},
		Flags: func(f *command.Flags) {
			for _, a := range termKinds {
				f.StringP(a.name, a.letter, "", a.usage)
				f.Group(command.SubjectFlags, a.name)
			}
			f.Limit(3, 10, "how many hits of each entity are shown")
			f.Bool("counts-only", false, "only the number of hits")
			f.Group(command.OutputFlags, "counts-only")
			f.Rare("keyword", "counts-only", "variant")
		},
		Run: runSearchAll,
	}}
}

// entityHits is the answer of one entity's search. If the search failed, the total and the hits are
// null. If local tables answered, the total is null, since they do not know how many hits the search has.
type entityHits struct {
	Entity  string             `json:"entity"`
	Outcome result.State       `json:"outcome"`
	Total   *int               `json:"total"`
	Results *[]json.RawMessage `json:"results"`
	Error   *problem           `json:"error"`

	line           result.Argv // the search command, without a limit
	missingFilters []string    // requested terms that it has no filter for
	hasCount       bool        // the search has --count
	rows           *result.Table
	notes          []string // notices shown next to the hits
	tables         []string // local tables that answered, without a search
	failure        *result.Failure
	answer         *result.Result
}

type allHits struct {
	Query    string       `json:"query"`
	Names    []concept    `json:"names,omitempty"` // concepts of local tables that a term names
	Sections []entityHits `json:"sections"`

	countsOnly bool
}

func runSearchAll(ctx context.Context, in *command.Input) (*result.Result, error) {
	terms := map[string]string{}
	for _, a := range termKinds {
		terms[a.name] = strings.TrimSpace(in.String(a.name))
	}
	if len(in.Args) > 0 {
		terms["keyword"] = strings.TrimSpace(terms["keyword"] + " " + in.Args[0])
	}
	answer := &allHits{countsOnly: in.Bool("counts-only")}
	for _, a := range termKinds {
		if err := query.CheckText("--"+a.name, terms[a.name], 300, "", "search", "all", "--help"); err != nil {
			return nil, err
		}
		answer.Query = strings.TrimSpace(answer.Query + " " + terms[a.name])
	}
	if answer.Query == "" {
		return nil, result.Invalid("search all needs a gene, a variant, a disease, a drug or words", "search", "all",
			"--help")
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return nil, err
	}
	answer.Sections = planSearches(in.Tree(), terms)
	res := &result.Result{Payload: answer}
	answer.Names = termsInTables(ctx, in, terms, res)
	for i := range answer.Sections {
		if !answer.countsOnly { // the tables do not know how many hits the search has
			answer.Sections[i].answerFromNames(answer.Names, terms, limit)
		}
	}
	err = httpclient.FetchAll(ctx, searchAllTimeout, len(answer.Sections), func(ctx context.Context, i int) {
		if s := &answer.Sections[i]; s.Outcome == "" {
			s.search(ctx, in, limit, answer.countsOnly)
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range answer.Sections {
		if s := &answer.Sections[i]; len(s.missingFilters) > 0 && s.Outcome != result.Inapplicable {
			s.notes = append(s.notes, fmt.Sprintf("search %s has no filter for a %s: its hits are for the rest",
				s.Entity, strings.Join(s.missingFilters, " or a ")))
		}
	}
	res.Notice(lowered)
	return res, answer.report(res)
}

// planSearches returns, in tree order, the searches that accept at least one kind of term. A search
// that accepts none of the requested terms is marked as inapplicable. The terms that a search
// cannot use are listed in missingFilters.
func planSearches(tree *command.Tree, terms map[string]string) (all []entityHits) {
	for _, c := range tree.Commands(tree.Member(tree.Root, "search")) {
		if c.Name() == "all" || !acceptsTerms(tree, c) {
			continue
		}
		words := ""
		var args, flags, lacking []string
		for _, a := range termKinds {
			value := terms[a.name]
			flag := flagFor(tree, c, a.flags)
			switch {
			case value == "":
			case a.name == c.Name() || a.name == "keyword" && tree.Command(c).Args.Max != 0:
				words = strings.TrimSpace(words + " " + value)
			case flag == "":
				lacking = append(lacking, a.name)
			default:
				flags = append(flags, "--"+flag+"="+value)
			}
		}
		if words != "" {
			args = []string{words}
		}
		f := entityHits{Entity: c.Name(), line: command.Line([]string{"search", c.Name()}, args, flags),
			hasCount: flagFor(tree, c, []string{"count"}) != "", missingFilters: lacking}
		if len(lacking) > 0 && words == "" && len(flags) == 0 {
			f.Outcome, f.Error = result.Inapplicable, &problem{Code: result.Validation,
				Message: fmt.Sprintf("search %s has no filter for a %s", c.Name(), strings.Join(lacking, " or a "))}
		}
		all = append(all, f)
	}
	return all
}

// acceptsTerms reports whether a search accepts any kind of term. The pairs of search pgx are sections of genes and
// drugs, so they are not searched as well.
func acceptsTerms(tree *command.Tree, c *cobra.Command) bool {
	return c.Name() != "pgx" && slices.ContainsFunc(termKinds, func(a termKind) bool {
		return a.name == c.Name() || flagFor(tree, c, a.flags) != ""
	})
}

// flagFor returns the first of the flags that a command has, or "".
func flagFor(tree *command.Tree, c *cobra.Command, flags []string) string {
	for _, f := range flags {
		if tree.Flags(c).Lookup(f) != nil {
			return f
		}
	}
	return ""
}

// search runs one search. If counts is set, it requests only the number of hits where the
// search supports that.
func (s *entityHits) search(ctx context.Context, in *command.Input, limit int, counts bool) {
	page := fmt.Sprintf("--limit=%d", limit)
	if counts {
		page = "--limit=1"
		if s.hasCount {
			page = "--count"
		}
	}
	out := runNested(ctx, in, slices.Insert(slices.Clone(s.line), 2, page), nil)
	if out.Failure != nil || out.Result == nil {
		s.fail(out.Failure)
		return
	}
	s.answer, s.Outcome = out.Result, result.Data
	got, err := members(out.Result)
	if err == nil {
		err = errors.Join(json.Unmarshal(got["total"], &s.Total), json.Unmarshal(got["results"], &s.Results))
	}
	if err != nil {
		s.fail(bug())
		return
	}
	if len(out.Result.Sections) > 0 {
		s.Outcome = out.Result.Sections[0].Outcome
	}
	var dropped []string
	err = json.Unmarshal(got["dropped_phrases"], &dropped) // not every search has the member
	if err == nil && len(dropped) > 0 && s.Outcome == result.Data {
		s.Outcome = result.Degraded // the hits match only a part of the query
	}
	if counts {
		s.Results = &[]json.RawMessage{} // empty rather than null: the search did answer
	}
	switch counted := counts && s.hasCount; {
	case s.Outcome != result.Empty:
	case s.Total == nil && !counted:
		s.Total = new(0)
	case s.Total == nil, *s.Total > 0:
		s.Outcome = result.Data
	}
	for _, b := range out.Result.Doc() {
		if t, is := b.(result.Table); is && !counts {
			t.Main = false
			s.rows = &t
		}
	}
}

func (s *entityHits) fail(f *result.Failure) {
	s.Outcome, s.failure, s.Error = result.Unavailable, f, problemOf(f)
}

// report adds outcomes, notices and follow-up commands to an answer. It returns an error if no
// search answered and no term is a name in a local table.
func (a *allHits) report(res *result.Result) error {
	parts := make([]part, len(a.Sections))
	for i := range a.Sections {
		s := &a.Sections[i]
		p := part{name: "search " + s.Entity, failure: s.failure,
			source: result.SectionSource{Key: s.Entity, Label: s.Entity, Outcome: s.Outcome}}
		switch {
		case s.Outcome == result.Inapplicable:
			s.notes = []string{"excluded: " + s.Error.Message}
		case s.tables != nil:
			p.source.Sources = s.tables
			res.Next = append(res.Next, s.line)
		case s.answer != nil:
			if len(s.answer.Sections) > 0 {
				p.source.Sources = s.answer.Sections[0].Sources
			}
			for _, n := range s.answer.Notices {
				s.notes = append(s.notes, s.Entity+": "+n)
			}
			if s.Outcome != result.Empty && (s.Total == nil || s.Results == nil || *s.Total > len(*s.Results)) {
				res.Next = append(res.Next, s.line)
			}
		}
		parts[i] = p
		res.DocNotices = append(res.DocNotices, s.notes...)
	}
	if len(res.Next) == 0 && !slices.ContainsFunc(a.Sections, func(s entityHits) bool { return s.Outcome == result.Data }) {
		res.Next = append(res.Next, result.Argv{"discover", a.Query}, result.Argv{"suggest", a.Query})
	}
	if err := joinParts(res, parts); err != nil && len(a.Names) == 0 {
		return err
	}
	return nil
}

// Doc lays out a table of the totals, then the first hits of each entity with their notices.
func (a *allHits) Doc() result.Doc {
	numbers := result.Table{Columns: result.Columns("Entity", ">Hits", "Outcome"), Rows: [][]string{}}
	for _, s := range a.Sections {
		numbers.Rows = append(numbers.Rows, []string{s.Entity, entity.FormatNumber(s.Total), string(s.Outcome)})
	}
	doc := result.Doc{result.Heading{Level: 1, Text: a.Query}}
	if len(a.Names) > 0 {
		names := conceptTable(a.Names)
		names.Main = false
		doc = append(doc, names)
	}
	doc = append(doc, numbers)
	for _, s := range a.Sections {
		if s.rows != nil && len(s.rows.Rows) > 0 {
			doc = append(doc, result.Heading{Level: 2, Text: s.Entity})
			for _, n := range s.notes {
				doc = append(doc, result.Alert{Text: n})
			}
			doc = append(doc, *s.rows)
		}
	}
	return doc
}
