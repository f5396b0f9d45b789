package command

import (
	files "biomcp/store/library"

	"biomcp/rag/library"
)

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
