package local

import (
	"context"
	"path/filepath"
	"time"

	"biomcp/cli/command"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// clinVarStore returns the store of ClinVar's variants.
func clinVarStore() *ownStore {
	return &ownStore{
		info: func(app *command.App) (info table.Info, err error) {
			t, err := ClinVar(app)
			if err != nil {
				return info, err
			}
			return t.Info, t.Close()
		},
		markChecked: func(app *command.App, at time.Time) (info table.Info, err error) {
			dir, err := clinVarDir(app)
			if err != nil {
				return info, err
			}
			return clinvartable.MarkChecked(dir, at)
		},
		replace: func(ctx context.Context, app *command.App, info table.Info, files sets.Files, report *sets.Report,
			check func(old, new *table.Info) error) (table.Info, error) {
			dir, err := clinVarDir(app)
			if err != nil {
				return info, err
			}
			return clinvartable.Replace(ctx, dir, info, files[clinvartable.FileName], report, check)
		},
	}
}

func clinVarDir(app *command.App) (string, error) {
	data, err := app.CorpusDir()
	return filepath.Join(data, clinvartable.Name), err
}

// ClinVar opens the local table of ClinVar, which the caller closes. The error is a *table.AbsentError if it was
// never stored.
func ClinVar(app *command.App) (*clinvartable.Table, error) {
	dir, err := clinVarDir(app)
	if err != nil { // without a data folder there is no table
		return nil, &table.AbsentError{Set: clinvartable.Name}
	}
	return clinvartable.Open(dir)
}
