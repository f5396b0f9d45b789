package local

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/fault"
	"biomcp/store/table"
)

// absentToo is the flag that also syncs the tables that are not on this machine.
const absentToo = "absent"

// Outcomes of a table in `sync all`.
const (
	changed   = "changed"
	unchanged = "unchanged"
	failed    = "failed"  // the old version stays in use
	absent    = "absent"  // the table is not on this machine and was not requested
	notRun    = "not run" // the command was stopped before
)

// A tableOutcome says what `sync all` did with one table. Its numbers and its date describe the stored
// version; they are null if there is none.
type tableOutcome struct {
	Source  string  `json:"source"`
	Outcome string  `json:"outcome"`
	Version *int    `json:"version"`
	Rows    *int    `json:"rows"`
	Bytes   *int64  `json:"bytes"`
	AsOf    string  `json:"as_of"`
	Licence string  `json:"licence"`
	Error   *string `json:"error"`

	licence bulk.Licence
}

// allOutcomes is the answer of `sync all`.
type allOutcomes struct {
	Tables []tableOutcome `json:"tables"`
}

func (a allOutcomes) Doc() result.Doc {
	return result.Doc{result.Heading{Level: 1, Text: "Local tables"},
		entity.Table([]string{"Table", "Outcome", ">Version", ">Rows", "As of", "Detail"}, a.Tables,
			func(t *tableOutcome) []string {
				detail := t.licence.Name
				if t.Error != nil {
					detail = *t.Error
				}
				return []string{t.Source, t.Outcome, entity.FormatNumber(t.Version), entity.FormatNumber(t.Rows), t.AsOf, detail}
			})}
}

// A TablesError reports the tables that a sync of several could not sync, and those that it synced.
type TablesError struct {
	Failed []string // names of the tables
	Errs   []error  // one per failed table, and then the error that stopped the command, if any
	Synced []string // tables that were stored or are unchanged
	NotRun []string
	Report []tableOutcome
	Next   result.Argv // the command that syncs the rest; nil means the first failed table
}

func (e *TablesError) Error() string {
	var failed []string
	for i, name := range e.Failed {
		failed = append(failed, name+": "+e.Errs[i].Error())
	}
	all := english.Plural(len(e.Failed)+len(e.Synced)+len(e.NotRun), "local table", "")
	text := fmt.Sprintf("%d of %s could not be synced: %s", len(e.Failed), all, strings.Join(failed, "; "))
	if len(e.Failed) == 0 {
		text = fmt.Sprintf("the sync of %s was stopped", all)
	}
	if len(e.Synced) > 0 {
		text += "; stored and up to date: " + strings.Join(e.Synced, ", ")
	}
	if len(e.NotRun) > 0 {
		text += "; not run: " + strings.Join(e.NotRun, ", ")
	}
	return text
}

func (e *TablesError) Unwrap() []error { return e.Errs }

// Meaning returns the code of the first error, and its command if that is about a rejected version. The outcomes of all
// tables are the details.
func (e *TablesError) Meaning() fault.Meaning {
	next := e.Next
	if refused, ok := errors.AsType[*RefusedError](e.Errs[0]); ok {
		next = refused.Meaning().Next
	} else if next == nil {
		next = SyncCommand(e.Failed[0])
	}
	return fault.Meaning{Code: fault.Of(e.Errs[0]).Code, Party: fault.Service, Partial: true, Next: next,
		Details: map[string]any{"tables": e.Report}}
}

// sync syncs a table that is on this machine or wanted, and adds its outcome. It returns nil unless it was synced.
func (e *TablesError) sync(ctx context.Context, in *command.Input, s set, isWanted bool) (answer *result.Result) {
	t := tableOutcome{Source: s.Name, Outcome: absent, Licence: s.Licence.String(), licence: s.Licence}
	info, err := s.storedInfo(ctx, in.App)
	isKnown := err == nil // sync reports why it is unknown
	switch {
	case table.IsAbsent(err) && !isWanted:
	case ctx.Err() != nil:
		t.Outcome, e.NotRun = notRun, append(e.NotRun, s.Name)
	default:
		if answer, err = s.sync(ctx, in); err != nil {
			t.Outcome, t.Error = failed, new(err.Error())
			e.Failed, e.Errs = append(e.Failed, s.Name), append(e.Errs, err)
			break
		}
		done := answer.Payload.(syncResult)
		e.Synced, info, isKnown = append(e.Synced, s.Name), done.info, true
		if t.Outcome = unchanged; done.Changed {
			t.Outcome = changed
		}
	}
	if isKnown {
		t.Version, t.Rows, t.Bytes, t.AsOf = new(info.Version), new(info.Rows), new(info.Bytes()), AsOf(info)
	}
	e.Report = append(e.Report, t)
	return answer
}

// orNil returns e, or nil if every table was synced.
func (e *TablesError) orNil(ctx context.Context) error {
	if len(e.NotRun) > 0 {
		e.Errs = append(e.Errs, ctx.Err())
	}
	if len(e.Errs) == 0 {
		return nil
	}
	return e
}

// syncAllCommand returns the command that syncs the tables on this machine, one after the other.
func syncAllCommand() *command.Command {
	return &command.Command{
		Use: "all", Synonyms: []string{"tables"}, Short: "Update every local table that is on this machine",
		Help: command.Help{
			Purpose: "The syncs of the local tables, one after the other. sync pubmed --all-keys does the same for " +
				"the articles of the corpus.",
			Output: "One row per table: changed, unchanged, failed, absent, or not run.",
			Surprises: "A table is replaced whole or not at all. A failure does not stop the others; the exit status " +
				"is then 1, and the next run continues the download.",
		},
		Effect: command.Stores, OwnProgress: true,
		Flags: func(f *command.Flags) {
			f.Bool(absentToo, false, "also bring the tables that are not on this machine")
			f.AddSynonyms(absentToo, "missing", "new")
			syncFlags(f)
		},
		Examples: []command.Example{
			{Line: "biomcp sync all", Explanation: "the current version of every table that is here"},
			{Line: "biomcp sync all --absent", Explanation: "all tables, for example before going offline"},
		},
		Run: syncAll,
	}
}

func syncAll(ctx context.Context, in *command.Input) (*result.Result, error) {
	res, run := &result.Result{}, &TablesError{Report: []tableOutcome{}}
	var skipped []string
	for _, s := range all() {
		one := run.sync(ctx, in, s, in.Bool(absentToo))
		if run.Report[len(run.Report)-1].Outcome == absent {
			skipped = append(skipped, s.Name)
		}
		for i := 0; one != nil && i < len(one.Notices); i++ {
			res.Notice(s.Name + ": " + one.Notices[i])
		}
	}
	res.Payload = allOutcomes{run.Report}
	if len(skipped) > 0 {
		res.Notice("not on this machine and left out: " + strings.Join(skipped, ", "))
		res.Next = []result.Argv{{"sync", "all", "--absent"}}
	}
	if len(run.NotRun) > 0 {
		run.Next = in.Line(nil)
	}
	return res, run.orNil(ctx)
}
