package local

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"biomcp/cli/command"
	"biomcp/entrez/bulk"
	"biomcp/entrez/layout"
	"biomcp/store/clinvartable"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// storeIn returns a store of a file in a folder of the data folder. markChecked and replace do what those of ownStore
// do.
func storeIn[T io.Closer](folder string, file layout.File, markChecked func(dir string, at time.Time) (table.Info, error),
	replace func(ctx context.Context, dir string, info table.Info, file layout.File, in io.Reader, report *sets.Report,
		check func(old, new *table.Info) error) (table.Info, error),
	open func(app *command.App) (T, error), infoOf func(T) table.Info) *ownStore {
	return &ownStore{
		info: func(app *command.App) (info table.Info, err error) {
			t, err := open(app)
			if err != nil {
				return info, err
			}
			return infoOf(t), t.Close()
		},
		markChecked: func(app *command.App, at time.Time) (table.Info, error) {
			dir, err := folderOf(app, folder)
			if err != nil {
				return table.Info{}, err
			}
			return markChecked(dir, at)
		},
		replace: func(ctx context.Context, app *command.App, info table.Info, files sets.Files, report *sets.Report,
			check func(old, new *table.Info) error) (table.Info, error) {
			dir, err := folderOf(app, folder)
			if err != nil {
				return info, err
			}
			return replace(ctx, dir, info, file, files[file.Name], report, check)
		},
	}
}

// folderOf returns a folder of the data folder.
func folderOf(app *command.App, folder string) (string, error) {
	data, err := app.CorpusDir()
	return filepath.Join(data, folder), err
}

// ClinVar opens the local table of ClinVar, which the caller closes. The error is a *table.AbsentError if it was
// never stored.
func ClinVar(app *command.App) (*clinvartable.Table, error) {
	return openIn(app, clinvartable.Name, clinvartable.Open)
}

// Submissions opens the local table of ClinVar's submissions. It fails as ClinVar does.
func Submissions(app *command.App) (*clinvartable.Submissions, error) {
	return openIn(app, clinvartable.SubmissionsName, clinvartable.OpenSubmissions)
}

// openIn opens a table in a folder of the data folder.
func openIn[T any](app *command.App, folder string, open func(dir string) (*T, error)) (*T, error) {
	dir, err := folderOf(app, folder)
	if err != nil { // without a data folder there is no table
		return nil, &table.AbsentError{Set: folder}
	}
	return open(dir)
}

// ClinVarSource names the local table in the sources of an answer.
func ClinVarSource(t *clinvartable.Table) string {
	return "ClinVar (local table, release " + t.Release + ")"
}

// ClinVarNotices returns the release and the licence of an answer, and what the table lacks.
func ClinVarNotices(in *command.Input, t *clinvartable.Table, has string) []string {
	notices := []string{fmt.Sprintf("from the local table of ClinVar, release %s; %s; it has %s", t.Release,
		bulk.ClinVar.Licence, has)}
	if old := StaleNotice(in.App, bulk.ClinVar, t.Info); old != "" {
		notices = append(notices, in.OwnerNotice(old))
	}
	return notices
}

// GeneFilter keeps the variants of a gene, also of those whose list of genes has it.
func GeneFilter(symbol string) clinvartable.Filter {
	upper := strings.ToUpper(symbol)
	matches := func(text string) bool {
		isSymbol := func(s string) bool { return strings.EqualFold(s, symbol) }
		return strings.Contains(strings.ToUpper(text), upper) && slices.ContainsFunc(clinvartable.SplitGenes(text), isSymbol)
	}
	return clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.GeneField}, Match: matches}
}

// ConditionFilter keeps the variants of conditions whose name has the words of a phrase in this order, or which have it
// as an id.
func ConditionFilter(phrase string) clinvartable.Filter {
	id := strings.ToLower(strings.ReplaceAll(phrase, " ", ""))
	vocabulary, number, isID := strings.Cut(id, ":")
	inTable := map[string]string{"orpha": "orphanet", "umls": "medgen", "mim": "omim"}
	if other := inTable[vocabulary]; isID && other != "" {
		id = other + ":" + number
	}
	words := " " + foldWords(phrase) + " "
	matches := func(text string) bool {
		name, ids, _ := strings.Cut(text, "\t")
		if strings.Contains(" "+foldWords(name)+" ", words) {
			return true
		}
		for one := range strings.SplitSeq(strings.ToLower(ids), ",") {
			if _, number, _ := strings.Cut(one, ":"); one == id || !isID && number == id && number[0] > '9' {
				return true
			}
		}
		return false
	}
	return clinvartable.Filter{Fields: []clinvartable.Field{clinvartable.ConditionField}, Match: matches}
}

// foldWords returns the words of a text in lower case, without punctuation.
func foldWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
