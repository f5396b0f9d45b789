package study

import (
	"context"
	"errors"
	"fmt"

	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/oncoprint"
	"biomcp/store/study/oql"
)

// oncoAnswer is the answer of study oncoprint.
type oncoAnswer struct {
	Study        string         `json:"study_id"`
	Query        string         `json:"query"`
	Unit         string         `json:"unit"`    // samples or patients
	Total        int            `json:"total"`   // in the study
	Shown        int            `json:"shown"`   // columns
	Altered      int            `json:"altered"` // in any track
	Profiled     int            `json:"profiled"`
	Tracks       []oncoTrack    `json:"tracks"`
	SampleGroups []groupSummary `json:"sample_groups,omitempty"` // of --group
	Excluded     exclusions     `json:"excluded"`
	Rows         []oncoRow      `json:"rows"` // in the order of the columns

	clinical []string
	distinct int // samples or patients of the columns
	picture
}

// An oncoTrack counts the alterations of a track.
type oncoTrack struct {
	Name        string      `json:"track"`
	Query       string      `json:"query"`
	Altered     int         `json:"altered"`
	Profiled    int         `json:"profiled"` // for at least one kind of alteration of the track
	Share       num         `json:"altered_share"`
	NotProfiled int         `json:"not_profiled"`
	Partly      int         `json:"partly_profiled"` // not altered, and not profiled for another kind
	Mutated     int         `json:"mutated"`
	Copies      int         `json:"copy_number_altered"`
	Fused       int         `json:"structural_variant"`
	Expression  int         `json:"expression_altered"`
	Protein     int         `json:"protein_altered"`
	Groups      []oncoShare `json:"groups,omitempty"`
}

// An oncoShare counts the alterations of a track in a group.
type oncoShare struct {
	Name     string `json:"group_name"`
	Altered  int    `json:"altered"`
	Profiled int    `json:"profiled"`
	Share    num    `json:"altered_share"`
}

// An oncoRow is a column of the oncoprint.
type oncoRow struct {
	Sample   string    `json:"sample_id,omitempty"`
	Patient  string    `json:"patient_id"`
	Group    string    `json:"group,omitempty"`
	Clinical []any     `json:"clinical"` // values of --clinical; null if missing
	Cells    []*string `json:"cells"`    // alterations by track; null if not profiled, "" if not altered
}

func oncoprintCommand() *command.Command {
	return &command.Command{
		Use: "oncoprint --study <id> --genes <query>", Short: "Show altered genes by sample", Effect: command.Reads,
		Synonyms: []string{"onco-print", "oncoplot", "oncogrid", "waterfall-plot"},
		Help: command.Help{
			Purpose: "Draws cBioPortal's oncoprint: a row for each line of a query in its language (OQL), a column for each sample.",
			Input: "Genes, or lines such as TP53: MUT = R273H; ERBB2: AMP; [\"RB\" RB1 CCNE1: AMP]. A gene without alterations " +
				"stands for " + oql.Default() + ", as far as the study has such data.",
			Output: "For each track the altered of the profiled samples; --json and --csv have the matrix, and --chart oncoprint " +
				"draws it.",
			Surprises: "A sample counts as profiled for a track if it was profiled for one of its kinds of alteration, as in cBioPortal. " +
				"With --group, samples in no group are left out. Columns are sorted as in cBioPortal, by the tracks from the top.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			f.StringP("genes", "g", "", "required: genes, or a `QUERY` in cBioPortal's language")
			f.AddSynonyms("genes", "gene", "query", "oql", "symbols", "symbol")
			f.String("clinical", "", "clinical attributes to show as tracks, with commas")
			f.AddSynonyms("clinical", "track", "tracks", "attribute", "attributes", "annotate")
			f.String("sort", "genes", "`genes|id|ATTRIBUTE,...`: what the columns are sorted by first")
			f.Bool("patients", false, "one column for each patient, with the alterations of all samples")
			f.AddSynonyms("patients", "per-patient", "by-patient")
			f.Rare("clinical", "sort", "patients")
			groupFlags(f)
			f.Rare("group")
			chartFlags(f, charts.Oncoprint{})
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study oncoprint -s synthetic_demo -g TP53,KRAS,EGFR --clinical SEX,AGE",
				Explanation: "the altered samples of three genes, and the matrix with --json",
			},
			{
				Line:        "biomcp study oncoprint -s synthetic_demo -g 'TP53: MUT = R273H; ERBB2: AMP' -o onco.svg",
				Explanation: "chosen alterations, as a picture",
			},
		},
		Check: checkOncoprint, Run: runOncoprint,
		ArgFlags: []command.ArgFlag{
			{Flag: "study", Accepts: func(word string) bool {
				return !strings.ContainsAny(word, ":;, []&|\n") && studyPlaces(command.ArgFlag{Flag: "genes"})[0].Accepts(word)
			}},
			{Flag: "genes", Separator: " "},
		},
	}
}

func checkOncoprint(in *command.Input) error {
	if strings.TrimSpace(in.String("study")) == "" {
		return whichStudy(in)
	}
	s, err := open(in)
	if err != nil {
		return nil // the command reports the error
	}
	if _, _, err := parseQuery(in, s); err != nil || !hasGroups(in) {
		return err
	}
	return checkGroups(in)
}

// mostTracks is the maximum number of tracks of an oncoprint.
const mostTracks = 100

// parseQuery reads --genes.
func parseQuery(in *command.Input, s *study.Study) (oql.Query, groupText, error) {
	text := groupText{typed: in.String("genes"), text: strings.TrimSpace(in.String("genes"))}
	text.line = func(corrected string) result.Argv { return in.LineWith("--genes", corrected) }
	if text.text == "" {
		failure := result.Invalid("--genes is missing", append(in.Path(), "--help")...)
		if top, _, err := s.MutatedGenes(false); err == nil && len(top) > 0 {
			names := result.Map(top[:min(5, len(top))], func(g study.GeneCount) string { return g.Gene })
			failure.Message += "; the genes mutated most often are " + strings.Join(names, ", ")
			failure.Try = in.LineWith("--genes", strings.Join(names, ","))
		}
		return nil, text, failure
	}
	q, err := oql.ParseQuery(text.text)
	var wrong *oql.Error
	if errors.As(err, &wrong) {
		failure := result.Invalid("--genes: "+wrong.Error(), append(in.Path(), "--help")...)
		if x, inGroup := parseExpr(in, text.text); inGroup == nil && wrong.Corrected == "" { // operators, or clinical values
			failure.Message += "; study filter finds the samples of an expression"
			failure.Try = lineOf(in, "filter", "--group", x.String())
		}
		if wrong.Corrected != "" {
			failure.Try = text.line(wrong.Corrected)
		}
		return nil, text, failure
	}
	if len(q) > mostTracks {
		message := fmt.Sprintf("%d tracks; at most %d are shown", len(q), mostTracks)
		return nil, text, result.Invalid(message, append(in.Path(), "--help")...)
	}
	return q, text, err
}

// checkTracks returns an error for a gene that the study does not know.
func (q *querying) checkTracks(tracks oql.Query, text groupText) error {
	for _, t := range tracks {
		text.expr = t.Expr()
		if err := q.checkNames(text); err != nil {
			return err
		}
	}
	return nil
}

// An oncoBuilder collects the columns of an oncoprint.
type oncoBuilder struct {
	*querying
	r        *result.Result
	samples  *study.Samples
	patients bool
	members  [][]int // samples of each column
	group    []int   // by column: index of the group; nil without --group
	groups   *sampleGroups
	distinct [][]int // samples of each distinct sample or patient of the columns
	tracks   [][]oncoprint.Cell
	clinical []oncoClinical
	order    []int // columns as they are shown

	isAltered, isProfiled []bool // by index in distinct: in any track
}

// An oncoClinical is a clinical track before sorting.
type oncoClinical struct {
	study.Attribute
	oncoprint.Clinical
}

func runOncoprint(_ context.Context, in *command.Input) (*result.Result, error) {
	draw, err := parseDrawing(in, "study oncoprint", charts.Oncoprint{})
	if err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	query, text, err := parseQuery(in, s)
	if err != nil {
		return nil, err
	}
	b, err := newOncoBuilder(in, s, query, text)
	if err != nil {
		return nil, err
	}
	a := &oncoAnswer{Study: s.ID, Query: query.String(), Unit: "samples", Total: len(b.samples.IDs), Shown: len(b.members)}
	if b.patients {
		a.Unit, a.Total = "patients", len(b.samples.Patients)
	}
	if err := b.read(a, query); err != nil {
		return nil, err
	}
	b.finish(a)
	b.notes(b.r)
	b.r.Payload = a
	if !in.IsSet("chart") {
		b.r.Next = []result.Argv{in.LineWith("--chart", "oncoprint")}
	}
	if draw.kind != "" {
		if a.picture, err = draw.draw(b.r, b.chart(a)); err != nil {
			return nil, err
		}
	}
	return b.r, a.writeRows(in, b.r)
}

// newOncoBuilder returns a builder of an oncoprint with the columns of --group and --patients.
func newOncoBuilder(in *command.Input, s *study.Study, query oql.Query, text groupText) (b *oncoBuilder, err error) {
	b = &oncoBuilder{querying: newQuerying(in, s), r: &result.Result{}, patients: in.Bool("patients")}
	if err := b.checkTracks(query, text); err != nil {
		return nil, err
	}
	if b.samples, err = s.Samples(); err != nil {
		return nil, err
	}
	if err := b.columns(); err != nil {
		return nil, err
	}
	if len(b.members) == 0 {
		return nil, result.Missing("no sample is in a group", "study", "summary", "--study", s.ID)
	}
	return b, nil
}

// read reads the tracks of a query and of clinical attributes, and sorts the columns.
func (b *oncoBuilder) read(a *oncoAnswer, query oql.Query) error {
	for _, t := range query {
		if err := b.track(a, t); err != nil {
			return b.rewordError(groupText{name: t.Name()}, err)
		}
	}
	if err := b.readClinical(); err != nil {
		return err
	}
	first, err := b.sortedBy()
	if err != nil {
		return err
	}
	ids := result.Map(b.members, b.id)
	if b.in.String("sort") == "id" {
		b.order = oncoprint.Order(ids, b.group, nil, nil)
	} else {
		b.order = oncoprint.Order(ids, b.group, first, b.tracks)
	}
	return nil
}
