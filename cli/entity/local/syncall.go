package local

import (
	"context"
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

// A TablesError reports the tables that `sync all` could not sync.
type TablesError struct {
	Tables []string // names of the tables
	Errs   []error  // one per table
	All    int      // number of the tables that were to be synced
	Report any      // outcomes of all tables
}

func (e *TablesError) Error() string {
	var failed []string
	for i, name := range e.Tables {
		failed = append(failed, name+": "+e.Errs[i].Error())
	}
	return fmt.Sprintf("%d of %s could not be synced: %s", len(e.Tables), english.Plural(e.All, "local table", ""),
		strings.Join(failed, "; "))
}

// Meaning returns the code of the first error. The outcomes of all tables are the details.
func (e *TablesError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Of(e.Errs[0]).Code, Party: fault.Service, Partial: true,
		Next: SyncCommand(e.Tables[0]), Details: map[string]any{"tables": e.Report}}
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
	report := allOutcomes{Tables: []tableOutcome{}}
	res, bad := &result.Result{}, &TablesError{}
	var skipped []string
	for _, s := range all() {
		info, err := s.storedInfo(ctx, in.App)
		has, known := !table.IsAbsent(err), err == nil // sync reports why it is unknown
		t := tableOutcome{Source: s.Name, Outcome: absent, Licence: s.Licence.String(), licence: s.Licence}
		if !has && !in.Bool(absentToo) {
			skipped = append(skipped, s.Name)
		} else if bad.All++; ctx.Err() != nil {
			t.Outcome = notRun
		} else if one, err := s.sync(ctx, in); err != nil {
			t.Outcome, t.Error = failed, new(err.Error())
			bad.Tables, bad.Errs = append(bad.Tables, s.Name), append(bad.Errs, err)
		} else {
			done := one.Payload.(syncResult)
			info, known = done.info, true
			if t.Outcome = unchanged; done.Changed {
				t.Outcome = changed
			}
			for _, n := range one.Notices {
				res.Notice(s.Name + ": " + n)
			}
		}
		if known {
			t.Version, t.Rows, t.Bytes, t.AsOf = new(info.Version), new(info.Rows), new(info.Bytes()), AsOf(info)
		}
		report.Tables = append(report.Tables, t)
	}
	res.Payload = report
	if len(skipped) > 0 {
		res.Notice("not on this machine and left out: " + strings.Join(skipped, ", "))
		res.Next = []result.Argv{{"sync", "all", "--absent"}}
	}
	if bad.Report = report.Tables; len(bad.Tables) > 0 {
		return res, bad
	}
	return res, ctx.Err()
}
