package study

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/oql"
	"biomcp/store/study/symbols"
)

// A querying evaluates expressions for a command.
type querying struct {
	*oql.Evaluator
	source *oql.StudySource
	in     *command.Input
	s      *study.Study
	bare   bool                // an expression has a gene without alterations
	lists  map[string][]string // sample ids by the name of a file, for a saved group that is evaluated
}

func newQuerying(in *command.Input, s *study.Study) *querying {
	source := &oql.StudySource{Study: s}
	q := &querying{Evaluator: oql.NewEvaluator(source), source: source, in: in, s: s}
	source.ReadList = func(name string) ([]string, error) {
		ids, isSaved := q.lists[name]
		switch {
		case isSaved:
			return ids, nil
		case in.Policy != command.Person:
			return nil, oql.ErrNoFiles
		}
		return readList(name)
	}
	return q
}

// evalGroup evaluates the expression of a group.
func (q *querying) evalGroup(text groupText) (*oql.Result, error) {
	q.lists = text.lists
	states, err := q.Eval(text.expr)
	if err != nil {
		return nil, q.rewordError(text, err)
	}
	return states, nil
}

// notes adds the remarks on the data to an answer.
func (q *querying) notes(r *result.Result) {
	if q.bare {
		addNotices(r, q.s, []string{"a gene without alterations stands for " + oql.Default() + ", as in cBioPortal"})
	}
	addNotices(r, q.s, q.source.Notices, q.Notes)
	q.noteUnlisted(r)
}

// noteUnlisted adds a notice about the IDs of lists that the study does not have.
func (q *querying) noteUnlisted(r *result.Result) {
	if n := len(q.source.Unlisted); n > 0 {
		r.Notice(fmt.Sprintf("%s of samples(FILE) not in the study, such as %s", english.Plural(n, "ID", ""),
			command.Clip(q.source.Unlisted[0])))
	}
}

// checkNames returns an error for a gene or an attribute that the study does not know.
func (q *querying) checkNames(text groupText) (err error) {
	oql.Walk(text.expr, func(x oql.Expr) {
		if err != nil {
			return
		}
		switch x := x.(type) {
		case *oql.Line:
			q.bare = q.bare || x.Alterations == nil
			if wanted, message := q.wrongGene(x.Gene); message != "" {
				if strings.EqualFold(x.Gene, text.typed) {
					message += "; it is not a saved group either"
				}
				err = q.wrongName(text, x.Gene, wanted, message)
			}
		case *oql.Attribute:
			if _, missing := q.s.Attribute(x.ID); study.IsKind(missing, study.NotFound) {
				all, _ := q.s.Attributes() // Attribute has read them without error
				ids := result.Map(all, func(a study.Attribute) string { return a.ID })
				err = q.wrongName(text, x.ID, command.Nearest(x.ID, ids), missing.Error()+availableNames(ids))
			}
		}
	})
	return err
}

// wrongGene returns a message if no data and no gene list has a gene, and the gene that may be meant.
func (q *querying) wrongGene(gene string) (wanted, message string) {
	if q.s.HasMutations(gene) {
		return "", ""
	}
	if known, _ := q.s.KnowsGene(gene); known {
		return "", ""
	}
	message = gene + " is in no data and no gene list of " + q.s.ID
	if !isSymbol(gene) {
		return "", fmt.Sprintf("%q is not a gene symbol", command.Clip(gene))
	}
	if alias, ok := symbols.Find(gene); ok {
		if known, _ := q.s.KnowsGene(alias.Symbol); known {
			return alias.Symbol, gene + " is an alias of " + alias.Symbol + ", the name that " + q.s.ID + " uses"
		}
	}
	wanted = nearestMutated(q.s, gene)
	return wanted, message + didYouMean(wanted)
}

// wrongName returns the error for a word of an expression, which suggests another word.
func (q *querying) wrongName(text groupText, word, wanted, message string) error {
	at := strings.Index(strings.ToUpper(text.text), word)
	if at >= 0 {
		message = fmt.Sprintf("%s: column %d: %s", text.flag(), len([]rune(text.text[:at]))+1, message)
	}
	if wanted == "" || at < 0 {
		return result.Missing(message, "study", "summary", "--study", q.s.ID)
	}
	fixed := text.text[:at] + wanted + text.text[at+len(word):]
	return result.Missing(message, text.line(fixed)...)
}

// rewordError returns an error of the evaluation with what to do.
func (q *querying) rewordError(text groupText, err error) error {
	var none *oql.Absent
	var noNumbers *oql.NoNumbers
	summary := result.Argv{"study", "summary", "--study", q.s.ID}
	switch {
	case errors.Is(err, oql.ErrNoFiles):
		failure := result.Invalid(err.Error()+"; use alterations and clinical values", summary...)
		if text.isSaved {
			failure.Message = "the saved group " + command.Clip(text.name) + ": " + err.Error() +
				"; when the server's owner saves it again, its samples are kept with it"
		}
		failure.OwnerTry = result.Argv{"study", "group", "save", "--help"}
		return failure
	case errors.As(err, &noNumbers):
		return result.Invalid(err.Error()+"; compare it with = or !=", summary...)
	case errors.As(err, &none):
		return result.Missing(command.Clip(text.name)+": "+err.Error(), summary...)
	}
	return err
}

// parseExpr reads an expression about the study of the command line, whose clinical values need no quotes.
func parseExpr(in *command.Input, text string) (oql.Expr, error) {
	return oql.ParseStudyExpr(text, func(attribute string) []string {
		s, err := open(in)
		if err != nil {
			return nil // the command reports the error
		}
		list, _ := (&oql.StudySource{Study: s}).Attribute(attribute) // checkNames reports the error
		return list
	})
}
