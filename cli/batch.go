package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/conc/pool"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
)

// maxSingle is the maximum number of ids that a batch fetches one by one, for an entity whose
// get command accepts fewer ids at once.
const maxSingle = 10

func batch(entities []entity.Entity) *command.Command {
	var names []string
	for _, e := range entities {
		if e.Get != nil && e.Get.Args.Max < 0 {
			names = append(names, e.Name)
		}
	}
	return &command.Command{
		Use: "batch <entity> <id>... [section...]", Purpose: command.Read, Short: "Read many ids at once",
		Help: command.Help{
			Purpose: "Reads many records, as get does, in as few requests as possible. An id that fails does not " +
				"stop the others.",
			Input: fmt.Sprintf("One of %s, then ids. - reads any number from standard input, where names of "+
				"several words are one per line.", strings.Join(names, ", ")),
			Output: "A row for each id, in the order given: found or failed, and why. An id with several records " +
				"has a row for each.\n" +
				"Then the named sections, record by record.\n" +
				"--csv gives the rows of the named section if it is a single table, otherwise a row for each " +
				"id.",
			Surprises: "The exit status is 1 only if no id is found.",
		},
		Effect: command.Reads, Args: command.Args{Min: 1, Max: -1, Name: "an entity and at least one id"},
		Flags: func(f *command.Flags) {
			entity.DefineIDsFrom(f)
			entity.ValueFlags(f, entity.TableRows)
			f.Follow("if a word is another name of one record, read that record")
		},
		Suggest: func(_ *command.Tree, args []string) []string {
			if len(args) == 0 {
				return names
			}
			words := []string{}
			for _, e := range entities {
				for i := 0; e.Name == args[0] && e.Get != nil && i < len(e.Get.Sections); i++ {
					words = append(words, e.Get.Sections[i].Name)
				}
			}
			return append(words, "all")
		},
		Examples: []command.Example{{Line: "biomcp batch article 32051057 23193287",
			Explanation: "two articles, and which of them exist"},
			{Line: "biomcp batch gene --ids-from genes.txt --csv",
				Explanation: "a file of genes, as a table for a spreadsheet"}},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			name := in.Args[0]
			at := slices.IndexFunc(entities, func(e entity.Entity) bool {
				return slices.Contains(names, e.Name) && command.MatchesName(name, e.Name, nil)
			})
			if at < 0 {
				return nil, noEntity(in, entities, names)
			}
			return runBatch(ctx, in.WithArgs(slices.Concat([]string{entities[at].Name}, in.Args[1:])), entities[at])
		},
	}
}

// noEntity returns the failure of a batch whose first word is not a readable entity. It
// suggests a corrected command if the word is a synonym of an entity or an id whose format
// identifies one.
func noEntity(in *command.Input, entities []entity.Entity, names []string) error {
	word, rest := in.Args[0], in.Args[1:]
	if word == "get" && len(rest) > 1 {
		word, rest = rest[0], rest[1:]
	}
	available := cmp.Or(command.DidYouMean(word, names), "; entities: "+strings.Join(names, ", "))
	f := result.Invalid(fmt.Sprintf("no entity %q", command.Clip(word))+available, "batch", "--help")
	owner := in.Tree().Owner
	for _, e := range entities {
		others := slices.ContainsFunc(rest, func(w string) bool { return owner(w) != "" && owner(w) != e.Name })
		switch {
		case e.Name == word: // the entity exists, but batch cannot read it
			verb := "search"
			if e.Get != nil {
				verb = "get"
			}
			f.Try = append(result.Argv{verb, word}, rest...)
			return f
		case !slices.Contains(names, e.Name):
		case command.MatchesName(word, e.Name, e.Get.Synonyms) || command.Nearest(word, names) == e.Name:
			f.Try = in.Line(append([]string{e.Name}, rest...))
			return f
		case owner(word) == e.Name, couldBeID(e, word, len(rest) == 0) && len(f.Try) == 2 && !others:
			f.Try = in.Line(append([]string{e.Name}, in.Args...))
		}
	}
	return f
}

// couldBeID reports whether word has the form of an id of e. A word without a digit counts
// only if it stands alone.
func couldBeID(e entity.Entity, word string, alone bool) bool {
	return e.Get.IsID != nil && e.Get.IsID(word) && (alone || strings.ContainsAny(word, "0123456789"))
}

// item is one id of a batch, with its record or its error.
type item struct {
	Input  string          `json:"input"`
	Status string          `json:"status"` // found, failed
	Result json.RawMessage `json:"result"`
	Error  *problem        `json:"error"`

	notices []string
	try     result.Argv
	doc     result.Doc        // rendered sections of the record
	rows    []json.RawMessage // rows for export
	unread  error             // the error if the rows cannot be exported
}

// batchReport is the answer of `batch`.
type batchReport struct {
	Entity  string `json:"entity"`
	Items   []item `json:"items"`
	Summary struct {
		Total  int `json:"total"`
		Found  int `json:"found"`
		Failed int `json:"failed"`
	} `json:"summary"`

	sections []string
}

// splitBatch splits the text of a command line into ids and sections.
func splitBatch(in *command.Input, e entity.Entity, text string) (ids, sections []string, err error) {
	names := append([]string{"all"}, result.Map(e.Get.Sections,
		func(sec command.Section) string { return sec.Name })...)
	for _, w := range e.Split(text) {
		switch {
		case slices.Contains(names, w) && len(names) > 1:
			sections = append(sections, w)
		case len(ids) > 0 && advice.NamesSection(in, w, e.Get.Sections):
			return nil, nil, advice.UnknownSection(in, e.Name, w, e.Get.Sections)
		default:
			ids = append(ids, w)
		}
	}
	return ids, sections, nil
}

func runBatch(ctx context.Context, in *command.Input, e entity.Entity) (*result.Result, error) {
	args, text, source, err := entity.ReadIDList(in)
	if err != nil {
		return nil, err
	}
	if err := entity.CheckForms(in); err != nil {
		return nil, err
	}
	typed, sections, err := splitBatch(in, e, strings.Join(args[1:], "\n"))
	if err != nil {
		return nil, err
	}
	list, notices, err := e.ReadList(text)
	if err != nil {
		return nil, err
	}
	ids := entity.Unique(slices.Concat(typed, list))
	in = in.WithArgs(slices.Concat(args[:1], typed, sections), "ids-from").WithList(list, source)
	if err := checkBatch(in, e, len(ids), source); err != nil {
		return nil, err
	}
	b := &batchReport{Entity: e.Name, sections: sections}
	res := &result.Result{Payload: b, Next: []result.Argv{}}
	ids, rows, found := readAll(ctx, in, e, ids, sections)
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	b.Items, res.Notices = slices.Concat(rows...), append(notices, found...)
	if len(ids) > 1 {
		res.Smaller = func(share float64) result.Argv {
			return in.Line(slices.Concat(args[:1], ids[:result.Share(len(ids), share)], sections))
		}
	}
	failed := b.sum(res, len(ids))
	if !entity.IsData(in) {
		return res, failed
	}
	exported, template, err := b.export(e)
	if err == nil {
		err = entity.ExportColumns(in, exported, template, b.columns(e), res)
	}
	if err != nil {
		return nil, err
	}
	return res, failed
}

// checkBatch returns an error if a batch has no ids or too many.
func checkBatch(in *command.Input, e entity.Entity, ids int, source string) error {
	limit := max(maxSingle, e.MaxIDs(in.Policy))
	switch {
	case ids == 0 && source != "":
		return result.Invalid("the input contains no ids", "batch", "--help")
	case ids == 0:
		return result.Invalid("which "+e.Name+"? Give ids before the section",
			entity.StdinLine(in, "batch", "--help")...)
	case ids > limit:
		return result.Invalid(fmt.Sprintf("%d ids at once; batch %s takes at most %d", ids, e.Name, limit),
			"batch", "--help")
	}
	return nil
}

// readAll reads all ids, together where get accepts that and otherwise one by one. It returns what
// readTogether returns, with the items of every id.
func readAll(
	ctx context.Context, in *command.Input, e entity.Entity, ids, sections []string,
) (read []string, rows [][]item, notices []string) {
	read, rows = ids, make([][]item, len(ids))
	if len(ids) > 1 && len(ids) <= e.MaxIDs(in.Policy) {
		read, rows, notices = readTogether(ctx, in, e, ids, sections)
	}
	singles := pool.New().WithMaxGoroutines(maxSingle)
	for i := range rows {
		if rows[i] == nil {
			singles.Go(func() { rows[i] = readSingle(ctx, in, e.Name, read[i], sections) })
		}
	}
	singles.Wait()
	return read, rows, notices
}

// getLine returns the get command for the given ids and sections.
func getLine(entity string, ids, sections []string, flags ...string) result.Argv {
	return command.Line([]string{"get", entity}, slices.Concat(ids, sections), flags)
}

// readTogether reads every id that get accepts with a single command. It returns the ids in the form
// in which the command read them, the items of each id, and the notices. The items of an id are
// nil if it must be read alone.
func readTogether(
	ctx context.Context, in *command.Input, e entity.Entity, ids, sections []string,
) ([]string, [][]item, []string) {
	refused := func(id string) bool { return !e.Accepts(id) }
	accepted := slices.DeleteFunc(slices.Clone(ids), refused)
	var out result.Outcome
	if in.Policy == command.Person && len(ids) > maxSingle { // a list of single words is not one name
		out = runNested(ctx, in, getLine(e.Name, []string{"-"}, sections),
			strings.NewReader(strings.Join(accepted, "\n")))
		if f := out.Failure; f != nil && slices.Contains(f.Try, "-") {
			f.Try = nil
		}
	} else {
		out = runNested(ctx, in, getLine(e.Name, accepted, sections), nil)
	}
	got, found := byID(out)
	var notices []string
	if found {
		notices = out.Result.Notices
	}
	if found && !slices.ContainsFunc(ids, refused) {
		ids = got.IDs()
	}
	rows := make([][]item, len(ids))
	lost := 0 // ids whose lookup failed
	for i, id := range ids {
		if found {
			rows[i] = itemsOf(got, id)
		}
		if rows[i] != nil || len(ids) <= maxSingle || refused(id) {
			continue
		}
		f := out.Failure
		switch {
		case found && got.Reason(id) != nil:
			f = failureOf(ctx, got.Reason(id))
			if _, explained := errors.AsType[*result.Failure](got.Reason(id)); !explained {
				lost++
			}
		case found:
			f = result.Missing(fmt.Sprintf("no %s found for %s", e.Name, command.Clip(id)), "get", e.Name, "--help")
		}
		if in.Bool(command.Follow) && f != nil && f.Meta.Alias != nil {
			continue
		}
		rows[i] = []item{failedItem(id, f)}
	}
	if lost > 0 {
		notices = append(notices, entity.PartialNotice(in, len(ids)-lost, len(ids)))
	}
	return ids, rows, notices
}

func byID(out result.Outcome) (entity.ByID, bool) {
	if out.Failure != nil || out.Result == nil {
		return nil, false
	}
	got, is := out.Result.Payload.(entity.ByID)
	return got, is
}

// itemsOf returns one item for each record of an id, or nil if it has no records.
func itemsOf(got entity.ByID, id string) (items []item) {
	records, err := got.RecordsOf(id)
	if err != nil {
		return nil
	}
	for _, r := range records {
		items = append(items, item{Input: id, Status: "found", Result: r})
	}
	if len(items) > 0 {
		items[0].doc = got.DocOf(id)
		items[0].rows, items[0].unread = got.RowsOf(id)
	}
	return items
}

func readSingle(ctx context.Context, in *command.Input, entityName, id string, sections []string) []item {
	var flags []string
	if in.Bool(command.Follow) {
		flags = []string{"--" + command.Follow}
	}
	out := runNested(ctx, in, getLine(entityName, []string{id}, sections, flags...), nil)
	got, found := byID(out)
	if !found {
		return []item{failedItem(id, out.Failure)}
	}
	var items []item
	for _, read := range got.IDs() {
		items = append(items, itemsOf(got, read)...)
	}
	if items == nil {
		return []item{failedItem(id, bug())}
	}
	for i := range items {
		items[i].Input, items[i].notices = id, out.Result.Notices
	}
	return items
}

func failedItem(id string, f *result.Failure) item {
	f = cmp.Or(f, bug())
	return item{Input: id, Status: "failed", Error: problemOf(f), try: f.Try}
}

// sum fills in the totals and the notices. It returns an error if no id was found.
func (b *batchReport) sum(res *result.Result, ids int) error {
	b.Summary.Total = ids
	var failed []string
	for i := range b.Items {
		it := &b.Items[i]
		if it.Error != nil {
			failed = append(failed, it.Input)
		}
		for _, n := range it.notices {
			if !slices.Contains(res.Notices, n) {
				res.Notice(n)
			}
		}
	}
	res.Next = b.suggestions()
	b.Summary.Found = ids - len(failed)
	b.Summary.Failed = len(failed)
	state := result.Data
	if len(failed) > 0 {
		state = result.Degraded
		res.Notice(fmt.Sprintf("%d of %d failed: %s", len(failed), ids, command.Abbreviate(failed)))
	}
	res.Sections = []result.SectionSource{{Key: "items", Label: "Items", Outcome: state,
		Sources: []string{"get " + b.Entity}}}
	if b.Summary.Found > 0 {
		return nil
	}
	first := b.Items[0].Error
	f := &result.Failure{Code: first.Code, Status: 1,
		Message: fmt.Sprintf("none of %d ids was found; %s: %s", len(b.Items), command.Clip(b.Items[0].Input),
			first.Message),
		Details: map[string]any{"items": b.Items}, Try: b.Items[0].try}
	return f
}

// maxSuggestions caps the follow-up commands printed after a batch.
const maxSuggestions = 5

// suggestions returns the commands suggested for the failed ids.
func (b *batchReport) suggestions() []result.Argv {
	lines := []result.Argv{}
	for _, it := range b.Items {
		isSame := func(line result.Argv) bool { return slices.Equal(line, it.try) }
		if len(lines) == maxSuggestions {
			break
		}
		if len(it.try) > 0 && !correct.IsHelp(it.try) && !slices.ContainsFunc(lines, isSame) {
			lines = append(lines, it.try)
		}
	}
	return lines
}
