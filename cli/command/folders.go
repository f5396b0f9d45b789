package command

import (
	"context"
	"path/filepath"

	files "biomcp/store/library"

	"biomcp/rag/library"
	"biomcp/store"
	"biomcp/store/disk"
	"biomcp/store/study"
	"biomcp/store/table"
)

// Studies is the folder of cohort studies, which need not exist. What is indexed of
// them is kept in the cache folder, where there is one.
func (a *App) Studies() (study.Library, error) {
	if a.Env.studyProb != nil {
		return study.Library{}, a.Env.studyProb
	}
	l := study.Library{Dir: a.Env.StudyDir}
	if dir, err := a.CacheDir(); err == nil {
		l.Cache = filepath.Join(dir, "studies")
	}
	return l, nil
}

// Library is the research library, whose folder need not exist. It keeps what it has
// read, for the next call.
func (a *App) Library() (*library.Searcher, error) {
	return a.library.get(func() (*library.Searcher, error) {
		if a.Env.libraryProb != nil {
			return nil, a.Env.libraryProb
		}
		return library.NewSearcher(files.New(a.Env.LibraryDir)), nil
	})
}

// Tables are the local tables for reading; store.NotFound if there are none. Each
// call opens and closes them: another process may have replaced the file.
func (a *App) Tables(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, true) }

// TablesToWrite are the local tables for a sync, made where they are missing.
func (a *App) TablesToWrite(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, false) }

func (a *App) tables(ctx context.Context, readOnly bool) (*table.Tables, error) {
	dir, err := a.CorpusDir()
	switch {
	case err != nil && readOnly:
		return nil, disk.NewError(store.NotFound, "read local tables", "there is no folder to keep them in")
	case err != nil:
		return nil, err
	}
	return table.Open(ctx, dir, readOnly)
}
