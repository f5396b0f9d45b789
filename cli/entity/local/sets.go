package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/fault"
	"biomcp/store"
	"biomcp/store/clinvartable"
	"biomcp/store/disk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A set is a data set with a description of its contents, for help.
type set struct {
	*bulk.Set
	contents string
}

// An ownStore keeps a data set outside the local tables. Its functions do what the methods of table.Tables do.
type ownStore struct {
	info        func(app *command.App) (table.Info, error)
	markChecked func(app *command.App, at time.Time) (table.Info, error)
	replace     func(ctx context.Context, app *command.App, info table.Info, files sets.Files, report *sets.Report,
		check func(old, new *table.Info) error) (table.Info, error)
}

// ownStore returns the store of a set that is outside the local tables, or nil.
func (s set) ownStore() *ownStore {
	switch s.Set {
	case bulk.ClinVar:
		return storeIn(clinvartable.Name, s.Files[0].Layout(), clinvartable.MarkChecked, clinvartable.Replace, ClinVar,
			func(t *clinvartable.Table) table.Info { return t.Info })
	case bulk.ClinVarSubmissions:
		return storeIn(clinvartable.SubmissionsName, s.Files[0].Layout(), clinvartable.MarkSubmissionsChecked, clinvartable.ReplaceSubmissions,
			Submissions, func(s *clinvartable.Submissions) table.Info { return s.Info })
	}
	return nil
}

// info returns the description of the stored version.
func (s set) info(ctx context.Context, app *command.App, tables *table.Tables) (table.Info, error) {
	if own := s.ownStore(); own != nil {
		return own.info(app)
	}
	return tables.Info(ctx, s.Name)
}

// all returns the data sets in the order of help.
func all() []set {
	return []set{
		{bulk.GTR, "genetic tests of NCBI's registry"},
		{bulk.WHOIVD, "in vitro diagnostics prequalified by WHO"},
		{bulk.EMA, "medicines of the EMA, with referrals, safety notices, shortages"},
		{bulk.WHOMedicines, "medicines, ingredients and vaccines prequalified by WHO"},
		{bulk.CVX, "CDC's codes of vaccines"},
		{bulk.MeSH, "all headings of MeSH with their entry terms"},
		{bulk.ClinVar, "variants of ClinVar, with their classifications"},
		{bulk.ClinVarSubmissions, "submissions to ClinVar, with submitter and explanation"},
		{bulk.HGNC, "symbols of all human genes, also former ones"},
		{bulk.CPIC, "CPIC's gene-drug pairs and recommendations"},
		{bulk.CIViC, "CIViC's accepted evidence on variants in cancer"},
		{bulk.ClinGen, "ClinGen's gene-disease validity and dosage sensitivity"},
		{bulk.GenCC, "gene-disease validity as submitted to GenCC"},
		{bulk.HPO, "HPO's terms, and the features of diseases"},
	}
}

// storedInfo returns the description of the stored version. It opens the tables.
func (s set) storedInfo(ctx context.Context, app *command.App) (table.Info, error) {
	if s.ownStore() != nil {
		return s.info(ctx, app, nil)
	}
	return withTables(ctx, app, s.Set, func(t *table.Tables) (table.Info, error) { return s.info(ctx, app, t) })
}

// Entity returns the commands that sync data sets, and their rows of health.
func Entity() entity.Entity {
	return entity.Entity{Name: "table", Health: health, Sync: append(result.Map(all(), set.command), syncAllCommand())}
}

// Find searches a local data set. It returns a *table.AbsentError if the set is absent.
func Find(ctx context.Context, app *command.App, s *bulk.Set, q table.Query) (*table.Found, error) {
	return withTables(ctx, app, s, func(t *table.Tables) (*table.Found, error) { return t.Find(ctx, s.Name, q) })
}

// FindByField returns the records of a data set whose field has one of the values, by value. It fails
// as Find does.
func FindByField(ctx context.Context, app *command.App, s *bulk.Set, field string,
	values []string) (map[string][]table.Record, error) {
	return withTables(ctx, app, s, func(t *table.Tables) (map[string][]table.Record, error) {
		return t.RecordsByValue(ctx, s.Name, field, values)
	})
}

// Symbols calls sets.BySymbol on the local table of HGNC.
func Symbols(ctx context.Context, app *command.App, words ...string) (map[string][]string, error) {
	return withTables(ctx, app, bulk.HGNC,
		func(t *table.Tables) (map[string][]string, error) { return sets.BySymbol(ctx, t, words) })
}

// Get returns the records of a data set with an id. It fails as Find does.
func Get(ctx context.Context, app *command.App, s *bulk.Set, id string) (*table.Found, error) {
	return withTables(ctx, app, s, func(t *table.Tables) (*table.Found, error) { return t.Get(ctx, s.Name, id) })
}

// Open opens the local tables, which the caller closes. It returns a *table.AbsentError of a data set if there are no
// tables.
func Open(ctx context.Context, app *command.App, s *bulk.Set) (*table.Tables, error) {
	tables, err := app.Tables(ctx)
	if store.IsKind(err, store.NotFound) {
		return nil, &table.AbsentError{Set: s.Name}
	}
	return tables, err
}

// withTables opens the local tables, calls question and closes them. It fails as Open does.
func withTables[T any](ctx context.Context, app *command.App, s *bulk.Set,
	question func(*table.Tables) (T, error)) (zero T, err error) {
	tables, err := Open(ctx, app, s)
	if err != nil {
		return zero, err
	}
	found, err := question(tables)
	return found, errors.Join(err, tables.Close())
}

// Read decodes the body of a record.
func Read[T any](r table.Record) (*T, error) {
	v, err := table.Decode[T](r)
	if err != nil {
		return nil, disk.NewError(store.Corrupt, "read local tables", "a record is damaged")
	}
	return v, nil
}

// HitOf returns a function that decodes a record and converts its body to a hit.
func HitOf[T, H any](of func(*T, table.Info) H) func(table.Record, table.Info) (H, error) {
	return func(r table.Record, info table.Info) (hit H, err error) {
		v, err := Read[T](r)
		if err == nil {
			hit = of(v, info)
		}
		return hit, err
	}
}

// StaleNotice returns a notice that a data set is old, or "" if it is not.
func StaleNotice(app *command.App, s *bulk.Set, info table.Info) string {
	age := app.Now().Sub(info.CheckedAt)
	if age < s.Stale {
		return ""
	}
	return fmt.Sprintf("the local table %s is from %s, %s old, and may be out of date; biomcp sync %s updates it",
		s.Name, AsOf(info), days(age), s.Name)
}

// Origin returns the name of a local table and its date, for notices.
func Origin(s *bulk.Set, info table.Info) string {
	return fmt.Sprintf("%s (local table %s, as of %s)", s.Label, s.Name, AsOf(info))
}

// days formats an age in days.
func days(age time.Duration) string { return english.Plural(int(age/(24*time.Hour)), "day", "") }

// health returns one row per data set.
func health(ctx context.Context, in *command.Input) (rows []entity.Check) {
	tables, err := in.App.Tables(ctx)
	if err == nil {
		defer tables.Close()
	}
	absent := store.IsKind(err, store.NotFound)
	for _, s := range all() {
		row := entity.Check{Name: "local table " + s.Name, Kind: "data", Status: "ok"}
		var info table.Info
		row.Err = err
		if err == nil || s.ownStore() != nil {
			info, row.Err = s.info(ctx, in.App, tables)
		}
		switch {
		case absent && s.ownStore() == nil || table.IsAbsent(row.Err):
			row.Status, row.Detail, row.Err = "absent", "none; biomcp sync "+s.Name+" stores it", nil
		case row.Err == nil:
			age := in.App.Now().Sub(info.CheckedAt)
			row.Detail = fmt.Sprintf("%s, version %d, as of %s (%s old); %s", english.Plural(info.Rows, "row", ""),
				info.Version, AsOf(info), days(age), s.Licence.Name)
			row.Table = &entity.TableState{Rows: info.Rows, AgeDays: int(age.Hours() / 24), AsOf: AsOf(info),
				Licence: info.Licence}
			if StaleNotice(in.App, s.Set, info) != "" {
				row.Status = "behind"
				row.Detail += "; biomcp sync " + s.Name + " updates it"
			}
		}
		rows = append(rows, row)
	}
	// If all tables are absent, one row says so.
	if !slices.ContainsFunc(rows, func(r entity.Check) bool { return r.Status != "absent" }) {
		return []entity.Check{{Name: "local tables", Kind: "data", Status: "absent",
			Detail: "none; biomcp sync --help lists them"}}
	}
	return rows
}

// AreStored returns a function that reports whether all of some data sets are on this machine and can be read.
func AreStored(needed ...*bulk.Set) func(context.Context, *command.App) bool {
	return func(ctx context.Context, app *command.App) bool {
		return !slices.ContainsFunc(needed, func(s *bulk.Set) bool {
			_, err := set{Set: s}.storedInfo(ctx, app)
			return err != nil
		})
	}
}

// SuggestSync returns err, the error of a source, as a failure that suggests to store a data set, unless it is on
// this machine. With the data set the source would not be asked.
func SuggestSync(ctx context.Context, app *command.App, err error, s *bulk.Set) error {
	if errors.Is(err, context.Canceled) || AreStored(s)(ctx, app) {
		return err
	}
	m := fault.Of(err)
	return &result.Failure{
		Code: m.Code, Message: fmt.Sprintf("%s; biomcp sync %s stores a table that answers without this request",
			m.Message, s.Name),
		Details: m.Details, Try: SyncCommand(s.Name), Alternatives: []result.Argv{{"health"}},
	}
}

// SyncCommand returns the command that stores a data set.
func SyncCommand(set string) result.Argv { return strings.Fields("sync " + set) }

// AbsentFailure returns the failure for a query that only local tables answer, if all of them are absent.
func AbsentFailure(subject string, needed ...*bulk.Set) error {
	names := result.Map(needed, func(s *bulk.Set) string { return s.Name })
	return &result.Failure{
		Code:    result.NotFound,
		Message: subject + " are answered from local tables, and none of them is on this machine",
		Details: map[string]any{"local_tables": names}, Try: SyncCommand(names[0]),
	}
}
