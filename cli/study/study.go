package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/cbioportal"
	"biomcp/store/study"
	"biomcp/store/study/example"
	"biomcp/store/table/sets"
)

// Group returns the study commands.
func Group() *command.Command {
	analyses := []*command.Command{
		summary(), topMutated(), topAltered(), query(), filter(), cohort(), survival(), compare(), coOccurrence(), oncoprintCommand(),
		coexpressionCommand(),
	}
	for _, c := range analyses {
		withTable(c)
		run := c.Run
		c.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) {
			r, err := run(ctx, in)
			if err != nil {
				return r, err
			}
			r.Notices = append(r.Notices, duplicateNotices(in, strings.TrimSpace(in.String("study")))...)
			r.Trailing = len(r.Notices)
			r.Notices, r.DocNotices = append(r.DocNotices, r.Notices...), nil // these precede the answer
			if notice := syntheticNotice(in); notice != "" {
				r.Notices = append([]string{notice}, r.Notices...)
			}
			return r, nil
		}
	}
	return &command.Command{
		Use: "study", Synonyms: []string{"cbioportal"}, Purpose: command.Analyse, LocalOnly: true, Noun: "analysis",
		SharedFlags: "--study <id>", Short: "Ask local cohort studies: frequencies, survival, comparisons, charts",
		Help: command.Help{
			Purpose: "Answers questions about cohort studies in cBioPortal's format, from files on this machine.",
			Surprises: "A rate refers only to the samples profiled for its gene, and the answer names them; " +
				"silent variants are excluded. Survival is never extrapolated past the last follow-up.",
		},
		Commands: slices.Concat([]*command.Command{withTable(list())}, analyses,
			[]*command.Command{download(), remove(), panels(), group()}),
	}
}

// syntheticNotice returns a notice if the study is synthetic, otherwise "".
func syntheticNotice(in *command.Input) string {
	s, err := open(in)
	if err != nil || !s.Synthetic {
		return ""
	}
	return example.SyntheticNotice(s.ID)
}

// duplicateNotices returns a notice if several folders hold the study with an ID.
func duplicateNotices(in *command.Input, id string) []string {
	library, err := Library(in.App)
	if err != nil {
		return nil
	}
	if notice := library.Duplicates(id); notice != "" {
		return []string{notice}
	}
	return nil
}

// localStudies returns the library of studies, with gene names from the local HGNC table if
// present.
func localStudies(in *command.Input) (study.Library, error) {
	l, err := Library(in.App)
	l.LookupNames = func(symbols []string) map[string][]string { return otherNames(in.App, symbols) }
	return l, err
}

// otherNames looks up the approved symbol, the previous symbols and the Entrez ID of genes. It
// omits a symbol that several genes had, because it is ambiguous.
func otherNames(app *command.App, symbols []string) map[string][]string {
	names := map[string][]string{}
	for part := range slices.Chunk(symbols, 1000) { // a query has a limited number of values
		for _, field := range []string{sets.Symbol, sets.PreviousSymbol} {
			found, err := local.FindByField(context.Background(), app, bulk.HGNC, field, part)
			if err != nil {
				return nil // without the table, genes are matched by ID and symbol
			}
			for symbol, records := range found {
				if _, known := names[symbol]; known || len(records) != 1 {
					continue
				}
				if g, err := local.Read[sets.GeneNames](records[0]); err == nil {
					names[symbol] = append([]string{g.Symbol, g.Entrez}, g.Previous...)
				}
			}
		}
	}
	return names
}

// open returns the study given by --study.
func open(in *command.Input) (*study.Study, error) {
	id := strings.TrimSpace(in.String("study"))
	if id == "" {
		return nil, whichStudy(in)
	}
	return find(in, id, result.Argv{"study", "download", id}, func(studyID string) result.Argv {
		return in.LineWith("--study", studyID)
	})
}

// openLimited is like open, for a command with --limit. It also returns the limit and a result
// with its notice.
func openLimited(in *command.Input) (s *study.Study, limit int, r *result.Result, err error) {
	limit, notice, err := limitOf(in)
	if err != nil {
		return nil, 0, nil, err
	}
	r = &result.Result{}
	r.Notice(notice)
	s, err = open(in)
	return s, limit, r, err
}

// page returns the range of n rows selected by --limit and --offset, and a phrase for the
// heading. It adds the command for the following rows to the result.
func page(in *command.Input, r *result.Result, limit, n int) (from, to int, phrase string, err error) {
	if from, err = in.Offset(); err == nil && from > 0 && from >= n {
		err = entity.PastEndError(in, n)
	}
	from, to = min(from, n), min(from+limit, n)
	if to-from < n {
		phrase = fmt.Sprintf(", shown %d to %d", from+1, to)
	}
	if to < n {
		next := entity.LineFrom(in, to+1, "--offset", count(to))
		r.Next = append(r.Next, next)
		if isTable(in) {
			r.Notice(fmt.Sprintf("these are rows %d to %d of %d; the next: %s", from+1, to, n, next))
		}
	}
	return from, to, phrase, err
}

// find returns the local study with an ID. If there is none, the error suggests the command
// that retry returns for the nearest ID, or absent if no ID is near.
func find(in *command.Input, id string, absent result.Argv, retry func(id string) result.Argv) (*study.Study, error) {
	if list := words(id); len(list) > 1 {
		return nil, severalStudies(in, list, retry)
	}
	if id = strings.TrimSpace(id); !cbioportal.IsID(id) {
		return nil, badID(in, id, "study", "list")
	}
	studies, err := localStudies(in)
	if err != nil {
		return nil, err
	}
	s, err := studies.Study(id)
	if !study.IsKind(err, study.NotFound) {
		return s, err
	}
	if slices.Contains(absent, id) && !strings.Contains(id, "_") { // IDs of cBioPortal contain one
		absent = result.Argv{"study", "download", "--list"}
	}
	failure := result.Missing(fmt.Sprintf("no local study %q", command.Clip(id)), absent...)
	local, listErr := studies.Studies()
	if listErr != nil {
		return nil, failure
	}
	ids := idsOf(local)
	if near := cmp.Or(command.Nearest(id, ids), onlyContaining(id, ids)); near != "" {
		failure.Message += command.Guess(near)
		failure.Try = retry(near)
	} else if len(ids) > 0 {
		failure.Message += "; available: " + strings.Join(ids, ", ")
	}
	return nil, failure
}

// onlyContaining returns the only one of ids that contains a word, ignoring case, or "".
func onlyContaining(word string, ids []string) string {
	with := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return !strings.Contains(strings.ToLower(id), strings.ToLower(word))
	})
	if len(with) != 1 {
		return ""
	}
	return with[0]
}

// severalStudies returns the error for a list of studies. It names the missing ones and
// suggests the command with the first one present.
func severalStudies(in *command.Input, list []string, retry func(id string) result.Argv) error {
	local, err := Local(in.App)
	if err != nil {
		return err
	}
	var here, missing []string
	for _, id := range list {
		if at := slices.IndexFunc(local, func(s *study.Study) bool { return strings.EqualFold(s.ID, id) }); at >= 0 {
			here = append(here, local[at].ID)
		} else {
			missing = append(missing, strconv.Quote(command.Clip(id)))
		}
	}
	failure := result.Invalid("--study takes one study", "study", "list")
	if len(missing) > 0 {
		failure.Message += "; no local study " + strings.Join(missing, ", ") + availableNames(idsOf(local))
	}
	if len(here) > 0 {
		failure.Try = retry(here[0])
	}
	return failure
}

// whichStudy returns the error for a missing --study. It names the local studies, and suggests
// the study if there is only one.
func whichStudy(in *command.Input) error {
	refusal := &command.Refusal{Reason: command.MissingFlag, Failure: result.Invalid("--study is missing", "study", "list")}
	studies, err := Library(in.App)
	if err != nil {
		return err
	}
	if local, err := studies.Studies(); err == nil && len(local) > 0 {
		refusal.Message += "; available: " + strings.Join(idsOf(local), ", ")
		if len(local) == 1 {
			refusal.OnlyChoice, refusal.Try = local[0].ID, in.LineWith("--study", local[0].ID)
		}
	}
	return refusal
}

func idsOf(studies []*study.Study) []string {
	return result.Map(studies, func(s *study.Study) string { return s.ID })
}

func studyFlag(f *command.Flags) {
	f.StringP("study", "s", "", "required: id of a study, as study list shows it")
	f.AddSynonyms("study", "id", "study-id", "cohort", "dataset")
	f.Rare("study") // every study command has it
}

// requireFlags returns a Command.Check that requires flags.
func requireFlags(flags ...string) func(in *command.Input) error {
	return func(in *command.Input) error {
		for _, flag := range flags {
			if !in.Given(flag) {
				if flag == "study" {
					return whichStudy(in)
				}
				return result.Invalid("--"+flag+" is missing", append(in.Path(), "--help")...)
			}
		}
		if in.IsSet("output") && !in.IsSet("chart") && !isTable(in) {
			if kinds := in.Values("chart"); len(kinds) > 0 { // the drawing says so of its only kind
				return result.Invalid("--output requires --chart", in.LineWith("--chart", kinds[0])...)
			}
		}
		return nil
	}
}

// studyPlaces maps bare arguments to flags. A word is a study ID if it contains an underscore, or
// if it consists of lower-case letters and fits none of the other flags.
func studyPlaces(places ...command.ArgFlag) []command.ArgFlag {
	id := command.ArgFlag{Flag: "study"}
	if len(places) > 0 {
		id.Accepts = func(word string) bool {
			taken := func(p command.ArgFlag) bool { return p.Accepts != nil && p.Accepts(word) }
			named := !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
			return strings.Contains(word, "_") && !isExpression(word) || named && !slices.ContainsFunc(places, taken)
		}
	}
	return append([]command.ArgFlag{id}, places...)
}

// oneOf returns a function that reports whether a word is one of words, ignoring case.
func oneOf(words string) func(string) bool {
	return func(word string) bool { return slices.Contains(strings.Fields(words), strings.ToLower(word)) }
}

// A denominator describes the samples or patients that a rate refers to.
type denominator struct {
	N     int    `json:"n"`
	Unit  string `json:"unit"`  // samples or patients
	Basis string `json:"basis"` // how they were determined
}

func denominatorOf(on *study.ProfiledSamples) denominator {
	return denominator{on.N, "samples", on.Basis}
}

func (d denominator) text() string { return d.size() + " (" + d.Basis + ")" }

// size returns the number with its unit, for a chart; the basis may name files.
func (d denominator) size() string {
	unit := d.Unit
	if d.N == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return strconv.Itoa(d.N) + " " + unit
}

// num is a number that may be undefined: JSON has null for NaN and infinity.
type num float64

// MarshalJSON writes null for NaN and infinity.
func (n num) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// fixed formats n with the given number of decimals, NaN as "-".
func (n num) fixed(decimals int) string {
	v := float64(n)
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 1):
		return "∞"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// span formats an interval.
func span(low, high num, decimals int) string {
	return low.fixed(decimals) + " to " + high.fixed(decimals)
}

// rate formats a share as a percentage with its interval.
func rate(share, low, high num) string {
	if math.IsNaN(float64(share)) {
		return "-"
	}
	return percent(share) + " (" + shares(low, high) + ")"
}

// percent formats a share as a percentage.
func percent(share num) string {
	if math.IsNaN(float64(share)) {
		return "-"
	}
	return charts.Percent(float64(share))
}

// shares formats an interval of shares.
func shares(low, high num) string { return percent(low) + " to " + percent(high) }

var nan = num(math.NaN())

func count(n int) string { return strconv.Itoa(n) }
