package disease

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/rag/analyze"
	"biomcp/store"
	"biomcp/store/disk"
	"biomcp/store/table"
	"biomcp/store/table/phenotype"
	"biomcp/store/table/sets"
)

// The flags of a ranking.
const features, withoutFeatures = "features", "without-features"

// measure names the measure of the ranking and its paper.
const measure = "the sum of log10 likelihood ratios of the features, by their frequency in the disease and in all " +
	"diseases, as LIRICAL without genotypes (Robinson 2020, PMID 32755546)"

// A rankedDisease is a disease of HPO, compared with the features of a patient. Each list names features.
type rankedDisease struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Score    float64        `json:"score"`
	Exact    []string       `json:"exact"`
	Specific []string       `json:"more_specific"` // the disease has the term after the colon
	General  []string       `json:"more_general"`
	Related  []string       `json:"related"` // by the common ancestor after the colon
	Missing  []string       `json:"missing"`
	Against  []string       `json:"against"` // excluded in the disease, or absent in the patient
	Features []featureMatch `json:"features,omitempty"`
}

// A featureMatch is the comparison of a disease with one feature.
type featureMatch struct {
	HPO        string       `json:"hpo"`
	Absent     bool         `json:"absent"`
	Match      string       `json:"match"` // a phenotype.Kind
	Score      float64      `json:"score"`
	Term       *termName    `json:"term"` // null without a match
	Frequency  *float64     `json:"frequency"`
	Annotation []annotation `json:"annotations"` // with this term, as HPO has them
}

// A termName is a term of HPO.
type termName struct {
	HPO  string `json:"hpo"`
	Name string `json:"name"`
}

// An annotation is the evidence for a feature of a disease.
type annotation struct {
	Frequency string `json:"frequency"` // "" if not stated
	Onset     string `json:"onset"`
	Sex       string `json:"sex"`
	Reference string `json:"reference"`
}

// A ranking is the answer of search disease --features.
type ranking struct {
	*entity.Hits[Disease]
	features []patientFeature
	hits     []*rankedDisease
	model    *sets.PhenotypeModel
	info     *table.Info
}

// findByFeatures ranks the diseases of HPO's local table. It makes no network call.
func findByFeatures(ctx context.Context, in *command.Input, q *entity.Query) (p *entity.Page[Disease], err error) {
	if q.Text != "" {
		return nil, result.Invalid("--features ranks all diseases of HPO and cannot be used with a query", in.Line(nil)...)
	}
	tables, info, err := openHPO(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	reader := &featureReader{ctx: ctx, tables: tables, analyzer: analyze.New()}
	r := &ranking{info: info}
	present, err := reader.read(q.Values(features), false)
	if err != nil {
		return nil, err
	}
	absent, err := reader.read(q.Values(withoutFeatures), true)
	if err != nil {
		return nil, err
	}
	if len(reader.unknown) > 0 {
		return nil, reader.unknownFailure(in)
	}
	var notices []string
	if r.features, notices, err = distinct(append(present, absent...)); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(r.features, func(f patientFeature) bool { return !f.Absent }) {
		return nil, result.Invalid("--features needs a feature that the patient has", "search", "disease", "--help")
	}
	if r.model, err = readModel(ctx, tables); err != nil {
		return nil, err
	}
	all, err := r.rank(reader, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	p = r.page(in, all)
	p.Notices = append(notices, p.Notices...)
	return p, nil
}

// distinct removes features that repeat a term, with a notice for each. It returns an error if one is both present and
// absent.
func distinct(all []patientFeature) (list []patientFeature, notices []string, err error) {
	for _, f := range all {
		same := func(o patientFeature) bool { return o.HPO == f.HPO }
		if i := slices.IndexFunc(list, same); i >= 0 {
			text := fmt.Sprintf("%q and %q are the same feature, %s (%s), ", list[i].Typed, f.Typed, f.Name, f.HPO)
			if list[i].Absent != f.Absent {
				return nil, nil, result.Invalid(text+"present and absent", "search", "disease", "--help")
			}
			notices = append(notices, text+"which counts once")
			continue
		}
		list = append(list, f)
	}
	return list, notices, nil
}

// readModel returns the model of HPO's table.
func readModel(ctx context.Context, tables *table.Tables) (*sets.PhenotypeModel, error) {
	found, err := tables.Get(ctx, bulk.HPO.Name, sets.ModelKind)
	if err != nil {
		return nil, err
	}
	if len(found.Records) == 1 {
		m, err := local.Read[sets.PhenotypeModel](found.Records[0])
		if err != nil || m.Model != nil && m.Model.Check() == nil {
			return m, err
		}
	}
	return nil, disk.NewError(store.Corrupt, "read local tables", "the model of diseases is damaged")
}

// rank ranks all diseases, reads those of one page and returns the number of all.
func (r *ranking) rank(reader *featureReader, offset, limit int) (total int, err error) {
	var q phenotype.Query
	for _, f := range r.features {
		number, _ := strconv.Atoi(strings.TrimPrefix(f.HPO, "HP:"))
		term := r.model.Model.Find(number)
		if term < 0 {
			return 0, disk.NewError(store.Corrupt, "read local tables", "the model of diseases lacks %s", f.HPO)
		}
		if f.Absent {
			q.Absent = append(q.Absent, term)
		} else {
			q.Present = append(q.Present, term)
		}
	}
	all := r.model.Model.Rank(q)
	for _, d := range all[min(offset, len(all)):min(offset+limit, len(all))] {
		hit, err := r.hit(reader, d)
		if err != nil {
			return 0, err
		}
		r.hits = append(r.hits, hit)
	}
	return len(all), nil
}

// hit returns a ranked disease with the names of its matches.
func (r *ranking) hit(reader *featureReader, d phenotype.Ranked) (*rankedDisease, error) {
	id := r.model.Model.Diseases[d.Disease]
	found, err := reader.tables.Get(reader.ctx, bulk.HPO.Name, id)
	if err != nil {
		return nil, err
	}
	if len(found.Records) != 1 {
		return nil, disk.NewError(store.Corrupt, "read local tables", "the record of %s is missing", id)
	}
	record, err := local.Read[sets.DiseaseFeatures](found.Records[0])
	if err != nil {
		return nil, err
	}
	h := &rankedDisease{ID: id, Name: record.Name, Score: round(d.Score)}
	present, absent := d.Present, d.Absent
	for _, f := range r.features {
		var m phenotype.Match
		if f.Absent {
			m, absent = absent[0], absent[1:]
		} else {
			m, present = present[0], present[1:]
		}
		match := featureMatch{HPO: f.HPO, Absent: f.Absent, Match: string(m.Kind), Score: round(m.Score),
			Annotation: []annotation{}}
		if m.Term >= 0 {
			match.Term = &termName{HPO: fmt.Sprintf("HP:%07d", r.model.Model.Terms[m.Term])}
			if term, err := reader.findID(match.Term.HPO, match.Term.HPO); err != nil {
				return nil, err
			} else if term != nil {
				match.Term.Name = term.Name
			}
			match.addEvidence(record, m)
		}
		h.Features = append(h.Features, match)
		h.list(f, match)
	}
	return h, nil
}

func round(f float64) float64 { return math.Round(f*1000) / 1000 }

// addEvidence adds the frequency of the term and the disease's annotations with it.
func (m *featureMatch) addEvidence(record *sets.DiseaseFeatures, match phenotype.Match) {
	if match.Kind != phenotype.Excluded {
		m.Frequency = new(round(match.Frequency))
	}
	for _, f := range record.Features {
		if f.HPO != m.Term.HPO {
			continue
		}
		a := annotation{f.Frequency, f.Onset, f.Sex, f.Reference}
		if f.Not {
			a.Frequency = strings.TrimSpace("NOT " + f.Frequency)
		}
		m.Annotation = append(m.Annotation, a)
	}
}

// list adds a feature to the list of its match.
func (d *rankedDisease) list(f patientFeature, m featureMatch) {
	through := f.Name
	if m.Term != nil && m.Term.HPO != f.HPO {
		through += ": " + m.Term.Name
	}
	if f.Absent {
		if m.Match == string(phenotype.Exact) || m.Match == string(phenotype.Specific) {
			d.Against = append(d.Against, "no "+through)
		}
		return
	}
	lists := map[phenotype.Kind]*[]string{phenotype.Exact: &d.Exact, phenotype.Specific: &d.Specific,
		phenotype.General: &d.General, phenotype.Related: &d.Related, phenotype.Missing: &d.Missing,
		phenotype.Unstated: &d.Missing, phenotype.Excluded: &d.Against}
	list := lists[phenotype.Kind(m.Match)]
	*list = append(*list, through)
}

// page returns the answer for the hits of one page.
func (r *ranking) page(in *command.Input, total int) *entity.Page[Disease] {
	p := &entity.Page[Disease]{Total: &total, Retrieved: len(r.hits), State: entity.DataOrEmpty(total),
		Effective: r.effective(), Sources: []string{bulk.HPO.Label + " (local table)"}}
	p.Payload = func(h *entity.Hits[Disease]) result.Payload {
		r.Hits = h
		return r
	}
	p.Records = result.Map(r.hits, func(h *rankedDisease) rankedDisease {
		row := *h
		row.Features = nil
		return row
	})
	if len(r.hits) > 0 && !strings.HasPrefix(r.hits[0].ID, "DECIPHER:") {
		p.MoreHits = result.Argv{"get", "disease", r.hits[0].ID}
	}
	p.Notices = append(p.Notices, "the score compares recorded features; it is neither a probability nor a diagnosis")
	if old := local.StaleNotice(in.App, bulk.HPO, *r.info); old != "" {
		p.Notices = append(p.Notices, in.OwnerNotice(old))
	}
	return p
}

// effective returns the features as they were understood.
func (r *ranking) effective() string {
	return strings.Join(result.Map(r.features, func(f patientFeature) string {
		text := f.Name + " (" + f.HPO + ")"
		if f.Absent {
			text = "no " + text
		}
		return text
	}), ", ")
}

// MarshalJSON returns the answer of a search, with the features, the measure and the release of HPO.
func (r *ranking) MarshalJSON() ([]byte, error) {
	return result.JSON(struct {
		Query     string                 `json:"query"`
		Effective string                 `json:"effective_term"`
		Filters   []entity.AppliedFilter `json:"applied_filters"`
		Features  []patientFeature       `json:"features"`
		Measure   string                 `json:"measure"`
		Data      map[string]string      `json:"data"`
		Total     *int                   `json:"total"`
		Offset    int                    `json:"offset"`
		Limit     int                    `json:"limit"`
		Dropped   []string               `json:"dropped_phrases"`
		Results   []*rankedDisease       `json:"results"`
	}{r.Text, r.Effective, r.Filters, r.features, measure, map[string]string{
		"source": bulk.HPO.Label, "ontology": r.model.Ontology, "annotations": r.model.Annotations, "licence": r.info.Licence,
		"as_of": local.AsOf(*r.info),
	}, r.Total, r.Offset, r.Limit, nil, r.hits})
}

// Doc returns what was understood, and the diseases.
func (r *ranking) Doc() result.Doc {
	understood := result.Table{Columns: result.Columns("Feature", "HPO", "Term", "Patient", "By")}
	for _, f := range r.features {
		has := "has it"
		if f.Absent {
			has = "does not"
		}
		by := f.By
		if f.Matched != f.Name && !strings.EqualFold(f.Matched, f.Typed) {
			by += " " + f.Matched
		}
		understood.Rows = append(understood.Rows, []string{f.Typed, f.HPO, f.Name, has, by})
	}
	count := entity.FormatNumber(r.Total)
	if len(r.hits) > 0 {
		count += fmt.Sprintf(", shown %d to %d", r.Offset+1, r.Offset+len(r.hits))
	}
	doc := result.Doc{result.Heading{Level: 1, Text: command.ClipTo(300, bulk.HPO.Label+": "+r.Effective)}, understood,
		result.Fields{{Name: "Diseases", Value: count}, {Name: "Score", Value: measure}, {
			Name: "Source", Value: fmt.Sprintf("this answer uses the Human Phenotype Ontology (terms %s, annotations %s), "+
				"http://www.human-phenotype-ontology.org; %s", r.model.Ontology, r.model.Annotations, r.info.Licence),
		}}}
	if len(r.hits) == 0 {
		return doc
	}
	return append(doc, result.Table{
		Columns: result.Columns("Disease", "Name", "Score", "Exact", "By another term", "Missing", "Against"),
		Main:    true, Hits: true,
		Rows: result.Map(r.hits, func(h *rankedDisease) []string {
			other := slices.Concat(h.Specific, h.General, h.Related)
			return []string{h.ID, h.Name, strconv.FormatFloat(h.Score, 'f', 3, 64), strings.Join(h.Exact, ", "),
				strings.Join(other, ", "), strings.Join(h.Missing, ", "), strings.Join(h.Against, ", ")}
		}),
	})
}
