package command

import (
	"path/filepath"

	files "biomcp/store/library"

	"biomcp/rag/library"
	"biomcp/store/study"
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
