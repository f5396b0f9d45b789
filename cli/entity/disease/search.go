package disease

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/disease"
	"biomcp/entrez/medgen"
	"biomcp/entrez/pattern"
)

func search() *command.Command {
	return entity.Search(entity.SearchSpec[Disease]{
		Name: "disease", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find diseases by name, gene or feature",
			Help: command.Help{
				Purpose: "MedGen: diseases, syndromes and findings. The answer always shows the query it ran. " +
					"With --features, it ranks the diseases of the local table of HPO (sync hpo).",
				Input: "Words in NCBI's syntax, or filters alone. --features takes names, synonyms or ids of HPO; " +
					`"no seizures", "-seizures" or --without-features: the patient does not have it.`,
				Output: "One row a concept. With --features: what was understood, then one row a disease, with its " +
					"score: " + measure + ".",
				Surprises: "A hereditary cancer syndrome can be of the type Finding: all types are included. " +
					"A rank by --features compares recorded features and does not diagnose.",
			},
			Examples: []command.Example{
				{Line: "biomcp search disease --gene OCRL", Explanation: "the diseases of a gene"},
				{
					Line:        "biomcp search disease --phenotype arachnodactyly",
					Explanation: "the diseases with a clinical feature",
				},
				{
					Line:        `biomcp search disease --features "seizures, ataxia, no fever"`,
					Explanation: "the diseases most like a patient, from the local table of HPO",
				},
			},
			Flags: func(f *command.Flags) {
				f.Rare("strict", "count", withoutFeatures)
				f.Excludes(features, "it ranks the diseases of a local table", "gene", "phenotype", "strict")
			},
		},
		Source: source, Sources: []string{source}, Key: "results", Label: "Diseases",
		Filters: []entity.Filter{
			{
				Flag: "gene", Synonyms: []string{"symbol"}, Letter: "g",
				Usage: "the symbol of a gene",
				Term:  entity.QuotedTerm("disease", "gene", "gene"), OtherNames: eutils.ListedNames,
			},
			{
				Flag: "phenotype", Synonyms: []string{"symptom", "feature", "hpo", "sign"},
				Usage: "a clinical feature, or several with commas", Term: feature,
			},
			{
				Flag: features, Synonyms: []string{"clinical-features", "patient-features"},
				Usage: "features of a patient, with commas, to rank diseases",
			},
			{
				Flag: withoutFeatures, Synonyms: []string{"absent-features", "excluded-features"}, Exclude: true,
				Usage: "features that the patient does not have, with --features",
			},
		},
		Strict: true, Pages: entity.Pages{Limit: 10, Max: 100}, Counts: true,
		Find: find, Alternatives: entity.Alternatives{Spell: spelling.Correct, OtherSearches: eutils.SuggestSearch("disease")},
		Rows: entity.Rows[Disease]{
			Fields:  joinedFields,
			Columns: []string{"CUI", "Name", "Type", "Genes", "Ids"},
			Row: func(d *Disease) []string {
				genes := result.Map(d.Genes, func(g medgen.Gene) string { return g.Symbol })
				return []string{
					d.CUI, d.Name, d.SemanticType, entity.EtAl(genes, 3),
					entity.EtAl(append(d.XRefs.MONDO, d.XRefs.OMIM...), 2),
				}
			},
		},
		Next: func(d *Disease) []result.Argv { return []result.Argv{{"get", "disease", d.CUI}} },
	})
}

var hpo = pattern.Lazy(`^(?i:HP:\d{7})(?:,\s*(?i:HP:\d{7}))*$`)

// feature returns the query term of --phenotype. The value is a name, or a list of names or HPO ids
// that must all hold.
func feature(v string) (string, error) {
	const tag = "clinical features"
	if !hpo().MatchString(v) {
		return entity.QuotedListTerm("disease", "phenotype", tag)(v)
	}
	terms := strings.Split(v, ",")
	for i, id := range terms {
		terms[i] = `"` + strings.TrimSpace(id) + `"[` + tag + "]"
	}
	return strings.Join(terms, " AND "), nil
}

func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[Disease], error) {
	if q.Value(features)+q.Value(withoutFeatures) != "" {
		return findByFeatures(ctx, in, q)
	}
	client := in.App.Entrez()
	found, docs, err := client.FindDocs(ctx, entrez.SearchParams{
		DB: "medgen", Term: q.Terms(), RetStart: q.Offset, RetMax: q.Limit, AllowMissing: true,
	})
	if err != nil && (docs == nil || docs.Read() == 0) {
		return nil, err
	}
	p := &entity.Page[Disease]{
		Total: &found.Count, Effective: found.Translation, Retrieved: docs.Read(), Err: err,
		Dropped: append(eutils.UnknownFields(ctx, client, "medgen", q.Text), found.DroppedTerms()...),
	}
	if note := notExcluded(in, q.Values("phenotype")); note != "" {
		p.Notices = append(p.Notices, note)
	}
	concepts := result.Map(docs.Items, medgen.ParseSummary)
	// a uid; a C prefix marks a CUI
	successors, lost := disease.New(in.App.Network()).Successors(ctx, concepts,
		func(c *medgen.Concept) bool { return !strings.HasPrefix(c.Merged, "C") })
	for _, c := range concepts {
		d := disease.FromConcept(c)
		p.Hits = append(p.Hits, &Disease{Disease: d})
		p.Notices = append(p.Notices, recordNotices(d)...)
		if c.Merged != "" {
			into := c.Merged
			if successor := successors[into]; successor != nil {
				into = successor.CUI
			}
			p.Notices = append(p.Notices, mergedInto(c.CUI, into))
		}
	}
	if lost != nil {
		p.Notices = append(p.Notices, successorMissing(lost))
	}
	if gaps := eutils.GapNotices("NCBI", docs); gaps != nil {
		p.State, p.Notices = result.Degraded, append(p.Notices, gaps...)
	}
	return p, nil
}

// notExcluded returns a notice that --phenotype excludes no features, if one of its values seems to, or "".
func notExcluded(in *command.Input, phenotypes []string) string {
	// HPO has features such as "No social interaction" too.
	isAbsent := func(v string) bool { return negations().MatchString(strings.TrimSpace(v)) }
	if !slices.ContainsFunc(separators().Split(strings.Join(phenotypes, ","), -1), isAbsent) {
		return ""
	}
	line := in.LineWith("--phenotype", "", "--gene", "", "--strict", "", "--"+features, strings.Join(phenotypes, ", "))
	return "--phenotype searches for each value as the name of a feature and excludes none; --features ranks diseases " +
		"without a feature: " + line.String()
}
