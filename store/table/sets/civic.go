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
	ID           string         `json:"evidence_id" column:"evidence_id"`
	Profile      string         `json:"molecular_profile" column:"molecular_profile"`
	ProfileID    string         `json:"molecular_profile_id" column:"molecular_profile_id"`
	Scope        string         `json:"scope"` // variant, class or combination
	Disease      string         `json:"disease" column:"disease"`
	DOID         string         `json:"doid" column:"doid"`
	Therapies    []string       `json:"therapies"`
	Interaction  string         `json:"therapy_interaction_type" column:"therapy_interaction_type"`
	Type         string         `json:"evidence_type" column:"evidence_type"`
	Origin       string         `json:"variant_origin" column:"variant_origin"` // Somatic, Rare Germline, and others
	Level        string         `json:"evidence_level" column:"evidence_level"`
	Direction    string         `json:"evidence_direction" column:"evidence_direction"`
	Significance string         `json:"significance" column:"significance"`
	Rating       *int           `json:"rating"` // 1 to 5 stars; null if not rated
	Statement    string         `json:"statement" column:"evidence_statement"`
	Citation     string         `json:"citation" column:"citation"`
	SourceType   string         `json:"source_type" column:"source_type"`
	CitationID   string         `json:"citation_id" column:"citation_id"` // a PMID only if SourceType is PubMed
	NCTs         []string       `json:"nct_ids"`
	Flagged      bool           `json:"is_flagged"`
	URL          string         `json:"url" column:"evidence_civic_url"`
	Variants     []CIViCVariant `json:"variants"` // variants of the profile
}

// CIViCVariant is a variant of CIViC, which may be a class of changes.
type CIViCVariant struct {
	ID      string   `json:"variant_id" column:"variant_id"`
	Genes   []string `json:"genes"` // two for a fusion
	Name    string   `json:"name" column:"variant"`
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

// readCIViC reads CIViC's variants, molecular profiles and accepted evidence, in tables with tabs and without
// quoting (https://civicdb.org/releases/main). A row is an evidence item: single variants first, then classes and
// combinations, each by level and rating.
func readCIViC(r *reader) {
	variants, byName := map[string]CIViCVariant{}, map[string]CIViCVariant{}
	readSheet(r, "VariantSummaries.tsv", func(s *Sheet, v *CIViCVariant) error {
		feature := s.Text("feature_name")
		v.Genes, v.ClinVar = strings.Split(feature, "::"), numbers(s.Text("clinvar_ids"))
		variants[v.ID], byName[feature+" "+v.Name] = *v, *v
		return nil
	})
	profiles := map[string][]CIViCVariant{}
	readSheet(r, "MolecularProfileSummaries.tsv", func(s *Sheet, _ *struct{}) error {
		var all []CIViCVariant
		for _, id := range numbers(s.Text("variant_ids")) {
			v, ok := variants[id]
			if !ok { // the files are of different days: setVariants takes all variants from the name
				return nil
			}
			all = append(all, v)
		}
		profiles[s.Text("molecular_profile_id")] = all
		return nil
	})
	var rows []*table.Row
	readSheet(r, "AcceptedClinicalEvidenceSummaries.tsv", func(s *Sheet, e *Evidence) error {
		switch {
		case !strings.EqualFold(s.Text("evidence_status"), "accepted"):
			return nil
		case e.ID == "" || e.Profile == "":
			return skip("%.40q has no number or no molecular profile", e.ID+e.Profile)
		}
		e.Therapies, e.NCTs = commaList(s.Text("therapies")), commaList(s.Text("nct_ids"))
		e.Flagged = strings.EqualFold(s.Text("is_flagged"), "true")
		if n, err := strconv.Atoi(s.Text("rating")); err == nil {
			e.Rating = &n
		}
		e.setVariants(profiles, byName)
		rows = append(rows, e.row())
		return nil
	})
	slices.SortStableFunc(rows, func(a, b *table.Row) int {
		x, y := a.Body.(Evidence), b.Body.(Evidence)
		return cmp.Or(cmp.Compare(scopeRank(x.Scope), scopeRank(y.Scope)), cmp.Compare(x.Level, y.Level),
			cmp.Compare(stars(y.Rating), stars(x.Rating)))
	})
	r.putAll(rows...)
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

// setVariants sets the variants and the scope. It reads the variants of a profile that is not in profiles from its
// name.
func (e *Evidence) setVariants(profiles map[string][]CIViCVariant, byName map[string]CIViCVariant) {
	terms := profileTerms(e.Profile)
	e.Variants = slices.Clone(profiles[e.ProfileID])
	if e.Variants == nil {
		e.Variants = variantsIn(terms, byName)
	}
	switch {
	case len(e.Variants) != 1 || len(terms) != 1 || terms[0].negated:
		e.Scope = Combination
	case classForm().MatchString(e.Variants[0].Name) || slices.Contains(e.Variants[0].Genes, "v"): // any partner
		e.Scope = VariantClass
	default:
		e.Scope = SingleVariant
	}
	for i, v := range e.Variants {
		e.Variants[i].Genes = slices.DeleteFunc(slices.Clone(v.Genes), func(g string) bool { return g == "v" })
	}
}

// A profileTerm is a variant in the name of a molecular profile.
type profileTerm struct {
	name    string
	negated bool // the profile requires its absence
}

// profileTerms returns the terms of the name of a molecular profile: "ALK F1174L AND NOT (KIT G1A OR KIT G2A)". A
// parenthesis inside a term, as in "VHL R167Q (c.500G>A)", belongs to its name.
func profileTerms(profile string) (terms []profileTerm) {
	groups, negated := []bool{false}, false // groups holds the negation of each open parenthesis
	var name []string
	end := func() {
		text, closed := strings.Join(name, " "), 0
		for strings.HasSuffix(text, ")") && strings.Count(text, ")") > strings.Count(text, "(") {
			text = strings.TrimSpace(strings.TrimSuffix(text, ")"))
			closed++
		}
		if text != "" {
			terms = append(terms, profileTerm{text, groups[len(groups)-1] != negated})
			negated = false
		}
		groups, name = groups[:max(1, len(groups)-closed)], nil
	}
	for word := range strings.FieldsSeq(strings.ReplaceAll(profile, "NOT(", "NOT (")) {
		for len(name) == 0 && strings.HasPrefix(word, "(") {
			groups, negated, word = append(groups, groups[len(groups)-1] != negated), false, word[1:]
		}
		switch word {
		case "AND", "OR", "NOT":
			end()
			negated = negated != (word == "NOT")
		case "":
		default:
			name = append(name, word)
		}
	}
	end()
	return terms
}

// RequiresAbsence reports whether the molecular profile holds only in the absence of one of its variants.
func (e *Evidence) RequiresAbsence(v CIViCVariant) bool {
	name := strings.Join(v.Genes, "::") + " " + v.Name
	return slices.ContainsFunc(profileTerms(e.Profile), func(t profileTerm) bool {
		return t.negated && strings.TrimPrefix(strings.Replace(t.name, "::v ", " ", 1), "v::") == name
	})
}

// variantsIn returns the variants in the name of a molecular profile: "ALK F1174L AND RANBP2::ALK Fusion".
func variantsIn(terms []profileTerm, byName map[string]CIViCVariant) (all []CIViCVariant) {
	for _, t := range terms {
		feature, name, _ := strings.Cut(t.name, " ")
		v, ok := byName[t.name]
		if !ok {
			v = CIViCVariant{Genes: strings.Split(feature, "::"), Name: name, ClinVar: []string{}}
		}
		all = append(all, v)
	}
	return all
}

func (e *Evidence) row() *table.Row {
	row := &table.Row{ID: e.ID, Kind: e.Scope, Name: e.Profile, Body: *e}
	for _, v := range e.Variants {
		row.Add(Gene, v.Genes...)
		row.Add(ClinVarID, v.ClinVar...)
	}
	row.Add(ConditionField, e.Disease)
	row.Add(Therapy, e.Therapies...)
	row.Add(Level, e.Level)
	return row
}
