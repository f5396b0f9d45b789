package study

import (
	"path/filepath"

	"biomcp/cli/command"
	"biomcp/store/study"
)

// Library returns the library of cohort studies. Its folder may not exist. Indexes of the studies
// are stored in the cache folder, if there is one.
func Library(app *command.App) (study.Library, error) {
	dir, err := app.StudyDir()
	if err != nil {
		return study.Library{}, err
	}
	l := study.Library{Dir: dir}
	if cache, err := app.CacheDir(); err == nil {
		l.Cache = filepath.Join(cache, "studies")
	}
	return l, nil
}

// Local returns the studies in the folder of cohort studies.
func Local(app *command.App) ([]*study.Study, error) {
	l, err := Library(app)
	if err != nil {
		return nil, err
	}
	return l.Studies()
}
