package variant

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/entrez/variant"
	"biomcp/entrez/variantname"
)

// members lists the JSON members of a variant in search results.
var members = []string{
	"id", "rsid", "gene", "genes", "genes_total", "title", "spdi", "locations", "consequences", "germline", "oncogenicity",
	"clinical_impact", "url", "reclassified",
}

var searchHelp = []string{"search", "variant", "--help"}

func filters() []entity.Filter {
	return []entity.Filter{
		{
			Flag: "gene", Synonyms: []string{"symbol"}, Letter: "g",
			Usage: "a gene, by its symbol; an alias is resolved",
			Term: entity.ParsedTerm("variant", "gene", "a symbol such as BRAF", func(v string) (string, bool) {
				return v + "[gene]", datasets.IsSymbol(v)
			}),
		},
		{
			Flag: "hgvsp", Synonyms: []string{"protein", "protein-change", "aa"}, Single: true,
			Usage: "a change of a protein: V600E, p.Val600Glu",
			Term: entity.ParsedTerm("variant", "hgvsp", "a change such as V600E or p.Val600Glu", func(v string) (string, bool) {
				long, short, ok := variantname.Protein(v)
				return variantNameTerm(long, strings.TrimPrefix(long, "p."), short), ok
			}),
		},
		{Flag: "hgvsc", Synonyms: []string{"cdna", "coding"}, Single: true, Usage: "a change of a transcript: c.1799T>A",
			Term: entity.ParsedTerm("variant", "hgvsc", "a change such as c.1799T>A", func(v string) (string, bool) {
				return variantNameTerm(v, strings.TrimPrefix(v, "c.")), variantname.IsCoding(v)
			})},
		{
			Flag:     "significance",
			Synonyms: []string{"clinsig", "pathogenicity", "clinical-significance", "classification"},
			ValueSynonyms: command.Synonyms{
				"uncertain": "vus unknown", "pathogenic": "p", "likely-pathogenic": "lp", "benign": "b",
				"likely-benign": "lb",
			},
			Usage: "germline classification: any of these, comma-separated", Multiple: true,
			Values: []string{
				"pathogenic", "likely-pathogenic", "uncertain", "likely-benign", "benign", "conflicting",
				"drug-response", "risk-factor",
			},
			Term: entity.AnyTerm(significance),
		},
		{
			Flag: "review-stars", Synonyms: []string{"stars", "min-stars", "review-status"},
			Usage: "minimum number of ClinVar's stars", Values: []string{"0", "1", "2", "3", "4"},
			Term: func(string) (string, error) { return "", nil },
		},
		{
			Flag: "consequence", Synonyms: []string{"effect", "molecular-consequence"},
			ValueSynonyms: command.Synonyms{
				"nonsense": "stop stop-gained", "frameshift": "fs", "synonymous": "silent",
				"missense": "nonsynonymous",
			},
			Usage: "effect on the gene: any of these, comma-separated", Multiple: true,
			Values: []string{
				"missense", "nonsense", "frameshift", "synonymous", "splice-donor", "splice-acceptor", "intron",
			},
			Term: entity.AnyTerm(consequence),
		},
		{
			Flag: "condition", Synonyms: []string{"disease", "d", "phenotype"}, Letter: "c",
			Usage: "a condition, or an id of one",
			Term:  entity.QuotedTerm("variant", "condition", "DIS"), OtherNames: conditionNames,
		},
		{
			Flag: "region", Synonyms: []string{"location", "position", "coordinates"}, Single: true,
			Usage: "a place, from 1: 7:140753000-140754000", MatchesQuery: assembly.IsRegion,
			Term: eutils.RegionTerm("variant", "7:140753000-140754000"),
		},
		{Flag: "rs", Synonyms: []string{"rsid", "dbsnp"}, Single: true, Usage: "a number of dbSNP: rs113488022",
			Term: entity.ParsedTerm("variant", "rs", "a number such as rs113488022", func(v string) (string, bool) {
				return strings.ToLower(v) + "[VRID]", variantname.Parse(v, assembly.GRCh38).Kind == variantname.RS
			})},
		{
			Flag: reclassifiedSince, Synonyms: []string{"changed-since", "reclassified"}, Single: true,
			Usage: "class changed after a date, by stored releases (sync clinvar)",
			Term: entity.ParsedTerm("variant", reclassifiedSince, "a date such as 2026-06-01",
				func(v string) (string, bool) { return "", isDate(v) }),
		},
	}
}

// variantNameTerm searches the Variant name field for each spelling of a change. ClinVar indexes
// c.1905+1G>A with its prefix and Glu342Lys without, and reads a bracketed part as a
// field tag, so Phrases splits each spelling into its parts.
func variantNameTerm(spellings ...string) string {
	terms := make([]string, len(spellings))
	for i, s := range spellings {
		if terms[i] = variant.Phrases(s, "[Variant name]"); strings.Contains(terms[i], " AND ") {
			terms[i] = "(" + terms[i] + ")"
		}
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// properties maps a significance to values of ClinVar's field Properties if they
// differ from its name. ClinVar's own filters for Pathogenic and Likely pathogenic
// combine these values too.
var properties = map[string][]string{
	"pathogenic":        {"pathogenic", "pathogenic low penetrance", "established risk allele"},
	"likely-pathogenic": {"likely pathogenic", "likely pathogenic low penetrance", "likely risk allele"},
	"uncertain":         {"vus", "uncertain risk allele"},
	"conflicting":       {"has conflicts"},
}

func significance(v string) (string, error) {
	words := properties[v]
	if words == nil {
		words = []string{strings.ReplaceAll(v, "-", " ")}
	}
	return anyOf("Properties", "clinsig ", words...), nil
}

// anyOf returns a query term that matches any of the phrases in a field.
func anyOf(field, before string, phrases ...string) string {
	terms := result.Map(phrases, func(p string) string { return `"` + before + p + `"[` + field + "]" })
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// consequence returns the query term for a consequence in ClinVar's vocabulary.
func consequence(v string) (string, error) {
	if v == "nonsense" {
		return anyOf("Molecular consequence", "", v, "SO 0001587"), nil
	}
	return anyOf("Molecular consequence", "", strings.ReplaceAll(v, "-", " ")+" variant"), nil
}

// assemblyAlso defines the synonyms of --assembly and its values.
func assemblyAlso(f *command.Flags) {
	f.AddSynonyms("assembly", "build", "genome", "reference", "genome-build")
	f.AddValueSynonyms("assembly", command.Synonyms{assembly.GRCh37: "hg19 b37 37", assembly.GRCh38: "hg38 b38 38"})
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[Variant]{
		Name: "variant", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find variants in ClinVar",
			Help: command.Help{
				Purpose: "ClinVar, with the three kinds of classification apart. The answer always shows the " +
					"query it ran.",
				Input:  "Words in NCBI's syntax, or filters alone.",
				Output: "One row a variant.",
				Surprises: "--region is on GRCh38, unless --assembly says GRCh37. --review-stars looks through " +
					"the first 500 variants only, unless the table of sync clinvar is here: it answers without a network, " +
					"with exact totals; --live asks ClinVar.",
			},
			Examples: []command.Example{{
				Line:        "biomcp search variant -g BRAF --significance pathogenic --review-stars 2",
				Explanation: "well reviewed pathogenic variants of a gene",
			}},
			Flags: func(f *command.Flags) {
				f.Enum("assembly", assembly.GRCh38, "assembly of --region", assembly.Names...)
				assemblyAlso(f)
				liveFlag(f)
				f.Group(command.SubjectFlags, "assembly", live)
				f.Rare("strict", "hgvsc", "hgvsp", "rs", "assembly", "consequence", reclassifiedSince)
			},
		},
		Source: "ClinVar", Sources: []string{"ClinVar"}, Key: "results", Label: "Variants", Members: members,
		Filters: filters(), Strict: true, Pages: entity.Pages{Limit: 10, Max: 100},
		Find: find, Alternatives: entity.Alternatives{Spell: spell, OtherSearches: eutils.SuggestSearch("variant")},
		Rows: entity.Rows[Variant]{
			Fields:  joinedFields,
			Columns: hitColumns(),
			Row: func(v *Variant) []string {
				row := []string{
					v.ID, v.Title, v.Germline.Word(), v.Oncogenicity.Word(), v.ClinicalImpact.Word(),
					v.StarsText(),
				}
				if v.Reclassified != nil {
					row = append(row, strings.Join(result.Map(v.Reclassified, describeChange), "; "))
				}
				return row
			},
		},
		Next: func(v *Variant) []result.Argv { return []result.Argv{{"get", "variant", v.ID}} },
	})
}

func hitColumns() []string {
	return []string{"VCV", "Variant", "Germline", "Oncogenicity", "Clinical impact", ">Stars"}
}

// maxFiltered is the number of variants read to apply --review-stars.
const maxFiltered = 500

// spell normalizes a protein change to ClinVar's spelling, or suggests a gene for a misspelt word.
func spell(ctx context.Context, in *command.Input, query string) string {
	if variantname.IsChange(query) {
		return shortChange(query)
	}
	if usesTable(in) {
		return ""
	}
	return eutils.SpellSymbol(ctx, in, query)
}

// term returns the query to send to ClinVar.
func term(in *command.Input, q *entity.Query) string {
	for i, f := range q.Filters {
		if f.Flag == "region" && in.String("assembly") == assembly.GRCh37 {
			q.Filters[i].Term = strings.Replace(f.Term, "[CPOS]", "[C37]", 1)
		}
	}
	return q.Terms()
}

// germlineStarsNotice says which stars count in a search for a germline class.
const germlineStarsNotice = "--review-stars counts the stars of the germline classification, which --significance searches"

// countsGermlineStars reports whether --review-stars counts the germline stars only, not the highest of the three kinds.
func countsGermlineStars(q *entity.Query) bool { return q.Value("significance") != "" }

// find searches the local table of ClinVar, or ClinVar.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[Variant], error) {
	page, notices, err := searchTable(ctx, in, q)
	if page == nil && err == nil {
		err = needsTable(in, q)
	}
	if page == nil && err == nil {
		if page, err = findLive(ctx, in, q); err == nil {
			page.Notices = append(notices, page.Notices...)
		}
	}
	return page, err
}

func findLive(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[Variant], error) {
	client := in.App.Entrez()
	stars, _ := strconv.Atoi(q.Value("review-stars")) // the flag's values are digits; 0 if not given
	p := entrez.SearchParams{DB: "clinvar", RetStart: q.Offset, RetMax: q.Limit}
	if stars > 0 {
		p.RetStart, p.RetMax = 0, maxFiltered
		if entity.IsData(in) {
			p.RetMax = entity.MaxRows
		}
	}
	if p.Term = term(in, q); p.Term == "" {
		return nil, result.Invalid("search variant requires a query or a filter that ClinVar can search for",
			searchHelp...)
	}
	var resolved []string
	if slices.ContainsFunc(q.Values("gene"), func(g string) bool { return eutils.Genes(in.App).IsOtherName(ctx, g) }) {
		resolved = resolve(ctx, in, q)
		p.Term = term(in, q)
	}
	read := func(d entrez.Doc) *Variant { return &Variant{Variant: variant.FromClinVar(clinvar.ParseSummary(d))} }
	ask := func() (*entity.Page[Variant], error) {
		page, err := eutils.Page(ctx, client, p, read)
		if err == nil {
			page.Dropped = dropMatchedSpellings(page.Dropped, q.Filters)
		}
		return page, err
	}
	page, err := ask()
	if err == nil && resolved == nil && (*page.Total == 0 || len(page.Dropped) > 0) {
		if resolved = resolve(ctx, in, q); resolved != nil {
			p.Term = term(in, q)
			page, err = ask()
		}
	}
	if err != nil {
		return nil, err
	}
	page.Notices = append(resolved, page.Notices...)
	if stars > 0 {
		keepStars(page, q, stars)
	}
	if q.Value("region") != "" {
		on := in.String("assembly")
		page.Notices = append(page.Notices,
			"--region is a place on "+on+"; --assembly "+assembly.Other(on)+" reads it on the other")
	}
	return page, nil
}

// keepStars removes the hits of a page with fewer stars, and keeps those of the query's page.
func keepStars(page *entity.Page[Variant], q *entity.Query, stars int) {
	found := *page.Total
	count := (*Variant).Stars
	if countsGermlineStars(q) {
		count = (*Variant).germlineStars
		page.Notices = append(page.Notices, germlineStarsNotice)
	}
	page.Hits = slices.DeleteFunc(page.Hits, func(v *Variant) bool { return count(v) < stars })
	total := len(page.Hits)
	to := "the " + english.Plural(found, "variant", "") + " found"
	switch page.Total = &total; {
	case found > page.Retrieved:
		page.Total, to = nil, fmt.Sprintf("the first %d of %d variants", page.Retrieved, found)
	case page.State == result.Degraded: // the stars of some are unknown
		page.Total, to = nil, to+" that ClinVar describes"
	}
	page.Notices = append(page.Notices, "--review-stars was applied to "+to)
	page.Hits = entity.Window(page.Hits, q.Offset, q.Limit)
	page.Retrieved = len(page.Hits)
}

// dropMatchedSpellings removes the dropped spellings of each filter that matched another of
// its spellings, because they did not broaden the search.
func dropMatchedSpellings(dropped []record.DroppedTerm, filters []entity.AppliedFilter) []record.DroppedTerm {
	for _, f := range filters {
		spellings := strings.Split(strings.TrimSuffix(strings.TrimPrefix(f.Term, "("), ")"), " OR ")
		isSpelling := func(d record.DroppedTerm) bool { return slices.Contains(spellings, d.Phrase) }
		n := 0
		for _, d := range dropped {
			if isSpelling(d) {
				n++
			}
		}
		if n < len(spellings) {
			dropped = slices.DeleteFunc(dropped, isSpelling)
		}
	}
	return dropped
}

// resolve replaces gene aliases by their official symbols and returns a notice for
// each. If the lookup fails, it keeps the gene as typed and returns a notice of that.
func resolve(ctx context.Context, in *command.Input, q *entity.Query) (notices []string) {
	for i, f := range q.Filters {
		if f.Flag != "gene" {
			continue
		}
		var name gene.Name
		var err error
		gone := httpclient.FetchOptional(ctx, func(ctx context.Context) { name, err = eutils.Genes(in.App).LookupName(ctx, f.Value) })
		if gone == nil && err != nil {
			notices = append(notices, "whether "+f.Value+" is another name of a gene is not known: "+err.Error())
		} else if len(name.Genes) > 0 {
			if q.Filters[i].Term = strings.Join(name.Symbols(), "[gene] OR ") + "[gene]"; len(name.Genes) > 1 {
				q.Filters[i].Term = "(" + q.Filters[i].Term + ")"
			}
			notices = append(notices,
				f.Value+" is "+name.Kind()+": searched for the gene "+strings.Join(name.Symbols(), " or "))
		}
	}
	return notices
}
