package sets

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/store/table"
)

// Evidence is an accepted evidence item of CIViC: a statement of a publication on the clinical meaning of a
// molecular profile.
type Evidence struct {
	ID           string         `json:"evidence_id"`
	Profile      string         `json:"molecular_profile"`
	ProfileID    string         `json:"molecular_profile_id"`
	Scope        string         `json:"scope"` // variant, class or combination
	Disease      string         `json:"disease"`
	DOID         string         `json:"doid"`
	Therapies    []string       `json:"therapies"`
	Interaction  string         `json:"therapy_interaction_type"`
	Type         string         `json:"evidence_type"`
	Origin       string         `json:"variant_origin"` // Somatic, Rare Germline, and others
	Level        string         `json:"evidence_level"`
	Direction    string         `json:"evidence_direction"`
	Significance string         `json:"significance"`
	Rating       *int           `json:"rating"` // 1 to 5 stars; null if not rated
	Statement    string         `json:"statement"`
	Citation     string         `json:"citation"`
	SourceType   string         `json:"source_type"`
	CitationID   string         `json:"citation_id"` // a PMID only if SourceType is PubMed
	NCTs         []string       `json:"nct_ids"`
	Flagged      bool           `json:"is_flagged"`
	URL          string         `json:"url"`
	Variants     []CIViCVariant `json:"variants"` // variants of the profile
}

// CIViCVariant is a variant of CIViC, which may be a class of changes.
type CIViCVariant struct {
	ID      string   `json:"variant_id"`
	Genes   []string `json:"genes"` // two for a fusion
	Name    string   `json:"name"`
	ClinVar []string `json:"clinvar_ids"`
}

// Scopes of a molecular profile: one variant, a class of variants, or several joined by AND, OR or NOT.
const SingleVariant, VariantClass, Combination = "variant", "class", "combination"

// Filter fields of evidence.
const (
	ClinVarID = "clinvar"
	Therapy   = "therapy"
	Level     = "level"
)

// classForm matches the name of a variant that stands for a class of changes: "Mutation", "G12", "V600E/K".
var classForm = pattern.Lazy(`(?i)mutation|alteration|\bexon\b|domain|(loss|gain).of.function|truncating|activating|` +
	`^[A-Z][0-9]+$|/`)

// ReadCIViC reads CIViC's variants, molecular profiles and accepted evidence, in tables with tabs and without
// quoting (https://civicdb.org/releases/main). A row is an evidence item: single variants first, then classes and
// combinations, each by level and rating.
func ReadCIViC(files Files, put PutRow, report *Report) error {
	variants, byName := map[string]CIViCVariant{}, map[string]CIViCVariant{}
	s := sheet{file: "VariantSummaries.tsv", comma: '\t', filled: true,
		required: []string{"variant_id", "feature_name|gene", "variant", "clinvar_ids"}}
	err := s.each(files, report, func(r record) error {
		v := CIViCVariant{ID: r.get("variant_id"), Name: r.get("variant"), ClinVar: numbers(r.get("clinvar_ids")),
			Genes: strings.Split(cmp.Or(r.get("feature_name"), r.get("gene")), "::")}
		variants[v.ID], byName[strings.Join(v.Genes, "::")+" "+v.Name] = v, v
		return nil
	})
	if err != nil {
		return err
	}
	profiles := map[string][]CIViCVariant{}
	s = sheet{file: "MolecularProfileSummaries.tsv", comma: '\t', filled: true,
		required: []string{"molecular_profile_id", "variant_ids"}}
	err = s.each(files, report, func(r record) error {
		var all []CIViCVariant
		for _, id := range numbers(r.get("variant_ids")) {
			v, ok := variants[id]
			if !ok { // the files are of different days: evidenceOf takes all variants from the name
				return nil
			}
			all = append(all, v)
		}
		profiles[r.get("molecular_profile_id")] = all
		return nil
	})
	if err != nil {
		return err
	}
	var rows []*table.Row
	s = sheet{file: "AcceptedClinicalEvidenceSummaries.tsv", comma: '\t', filled: true, required: []string{
		"molecular_profile", "molecular_profile_id", "disease", "doid", "therapies", "therapy_interaction_type",
		"evidence_type", "evidence_direction", "evidence_level", "significance", "evidence_statement", "citation_id",
		"source_type", "citation", "nct_ids", "rating", "evidence_status", "evidence_id", "evidence_civic_url",
		"is_flagged"}}
	err = s.each(files, report, func(r record) error {
		switch e := evidenceOf(r, profiles, byName); {
		case !strings.EqualFold(r.get("evidence_status"), "accepted"):
		case e.ID == "" || e.Profile == "":
			report.skip("%s: %.40q has no number or no molecular profile", s.file, e.ID+e.Profile)
		default:
			rows = append(rows, e.row())
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b *table.Row) int {
		x, y := a.Body.(Evidence), b.Body.(Evidence)
		return cmp.Or(cmp.Compare(scopeRank(x.Scope), scopeRank(y.Scope)), cmp.Compare(x.Level, y.Level),
			cmp.Compare(stars(y.Rating), stars(x.Rating)))
	})
	return putAll(put, rows)
}

func scopeRank(scope string) int {
	return slices.Index([]string{SingleVariant, VariantClass, Combination}, scope)
}

// stars returns a rating, or 0 if there is none.
func stars(rating *int) int {
	if rating == nil {
		return 0
	}
	return *rating
}

// evidenceOf returns the evidence item of a row. It takes the variants of a profile that is not in profiles from its
// name.
func evidenceOf(r record, profiles map[string][]CIViCVariant, byName map[string]CIViCVariant) Evidence {
	e := Evidence{ID: r.get("evidence_id"), Profile: r.get("molecular_profile"),
		ProfileID: r.get("molecular_profile_id"), Disease: r.get("disease"), DOID: r.get("doid"),
		Therapies: commaList(r.get("therapies")), Interaction: r.get("therapy_interaction_type"),
		Type: r.get("evidence_type"), Origin: r.get("variant_origin"), Level: r.get("evidence_level"),
		Direction: r.get("evidence_direction"), Significance: r.get("significance"),
		Statement: r.get("evidence_statement"), Citation: r.get("citation"),
		SourceType: r.get("source_type"), CitationID: r.get("citation_id"), NCTs: commaList(r.get("nct_ids")),
		Flagged: strings.EqualFold(r.get("is_flagged"), "true"), URL: r.get("evidence_civic_url")}
	if n, err := strconv.Atoi(r.get("rating")); err == nil {
		e.Rating = &n
	}
	e.Variants = slices.Clone(profiles[e.ProfileID])
	if e.Variants == nil {
		e.Variants = variantsIn(e.Profile, byName)
	}
	switch {
	case len(e.Variants) != 1 || operators().MatchString(e.Profile):
		e.Scope = Combination
	case classForm().MatchString(e.Variants[0].Name) || slices.Contains(e.Variants[0].Genes, "v"): // any partner
		e.Scope = VariantClass
	default:
		e.Scope = SingleVariant
	}
	for i, v := range e.Variants {
		e.Variants[i].Genes = slices.DeleteFunc(slices.Clone(v.Genes), func(g string) bool { return g == "v" })
	}
	return e
}

var operators = pattern.Lazy(`(^|[ (]+)((AND|OR|NOT)[ (]+)+`)

// variantsIn returns the variants in the name of a molecular profile: "ALK F1174L AND RANBP2::ALK Fusion".
func variantsIn(profile string, byName map[string]CIViCVariant) (all []CIViCVariant) {
	for _, part := range operators().Split(profile, -1) {
		part = strings.Trim(part, "() ")
		feature, name, _ := strings.Cut(part, " ")
		if v, ok := byName[part]; ok {
			all = append(all, v)
		} else if part != "" {
			all = append(all, CIViCVariant{Genes: strings.Split(feature, "::"), Name: name, ClinVar: []string{}})
		}
	}
	return all
}

func (e Evidence) row() *table.Row {
	row := &table.Row{ID: e.ID, Kind: e.Scope, Name: e.Profile, Body: e}
	for _, v := range e.Variants {
		row.Add(Gene, v.Genes...)
		row.Add(ClinVarID, v.ClinVar...)
	}
	row.Add(ConditionField, e.Disease)
	row.Add(Therapy, e.Therapies...)
	row.Add(Level, e.Level)
	return row
}

// commaList splits a field at commas.
func commaList(field string) []string { return splitList(strings.ReplaceAll(field, ",", "|")) }
