package gene

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/pattern"
)

// members lists the JSON members of a gene in search results.
var members = []string{"symbol", "entrez_id", "name", "aliases", "organism", "cytoband", "location", "status", "url"}

// taxonOf returns the taxid for a name or number, or "" if it is neither.
func taxonOf(v string) string {
	if gene.IsID(v) {
		return v
	}
	return gene.TaxID(v)
}

// human lists the query terms for Homo sapiens.
var human = []string{datasets.Human + "[TID]", `"Homo sapiens"[ORGN]`}

var nameForm = pattern.Lazy(`^[A-Za-z0-9 .()'-]{1,60}$`)

func organismTerm(v string) (term string, ok bool) {
	switch taxon := gene.TaxID(v); {
	case taxon != "":
		return taxon + "[TID]", true
	case v == "any":
		return "", true
	case gene.IsID(v):
		return v + "[TID]", true
	}
	return `"` + v + `"[ORGN]`, nameForm().MatchString(v)
}

func filters() []entity.Filter {
	return []entity.Filter{
		{
			Flag: "organism", Synonyms: []string{"species", "taxon", "taxonomy"}, Single: true,
			Usage: "human (also without this flag), mouse, a scientific name, a taxid, or any",
			Term: entity.ParsedTerm("gene", "organism", `a name such as human or "Mus musculus", a taxid, or any`,
				organismTerm),
		},
		{
			Flag: "type", Synonyms: []string{"biotype", "gene-type"},
			ValueSynonyms: command.Synonyms{
				"protein-coding": "protein coding", "ncrna": "noncoding non-coding lncrna",
				"pseudo": "pseudogene",
			},
			Usage: "its product: any of these, comma-separated", Multiple: true,
			Values: []string{"protein-coding", "ncrna", "pseudo"},
			Term:   entity.AnyTerm(entity.ListTerm("PROP", "genetype ")),
		},
		{
			Flag: "chromosome", Synonyms: []string{"chr", "chrom"}, Single: true,
			Usage: "a chromosome, such as 7 or X",
			Term: entity.ParsedTerm("gene", "chromosome", "one of 1 to 22, X, Y, MT", func(v string) (string, bool) {
				c := assembly.Chromosome(v)
				return c + "[CHR]", c != ""
			}),
		},
		{
			Flag: "region", Synonyms: []string{"location", "position", "locus"}, Single: true,
			Usage: "a place on GRCh38, from 1: 7:140719327-140924929", MatchesQuery: assembly.IsRegion,
			Term: eutils.RegionTerm("gene", "7:140719327-140924929"),
		},
		{
			Flag: "go", Usage: "a term of the Gene Ontology, or several with commas",
			Term: entity.QuotedListTerm("gene", "go", "GO"),
		},
		{
			Flag: "disease", Synonyms: []string{"condition", "phenotype"}, Letter: "d", OtherNames: eutils.ConditionNames,
			Usage: "a disease or phenotype, or an id of one",
			Term:  entity.QuotedTerm("gene", "disease", "DIS"),
		},
	}
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[Gene]{
		Name: "gene", Placeholder: "[query]",
		Command: command.Command{
			Short: "Find genes by name, place, function or disease",
			Help: command.Help{
				Purpose:   "NCBI Gene, live records only. The answer always shows the query it ran.",
				Input:     "Words in NCBI's syntax, or filters alone.",
				Output:    "One row a gene.",
				Surprises: "Only human genes, unless --organism says otherwise.",
			},
			Examples: []command.Example{{
				Line:        "biomcp search gene kinase --region 7:140000000-141000000",
				Explanation: "kinases in a part of chromosome 7 (GRCh38)",
			}},
			Flags: func(f *command.Flags) { f.Rare("strict", "count", "type", "chromosome", "go") },
		},
		Source: source, Sources: []string{source}, Key: "results", Label: "Genes", Members: members,
		Filters: filters(), Strict: true, Pages: entity.Pages{Limit: 10, Max: 100}, Counts: true,
		Find: find, Alternatives: entity.Alternatives{Spell: spell, OtherSearches: eutils.SuggestSearch("gene")},
		Rows: entity.Rows[Gene]{
			Fields:  joinedFields,
			Columns: []string{"Symbol", "GeneID", "Name", "Place", "Aliases"},
			Row: func(g *Gene) []string {
				place := g.Cytoband
				if !g.IsHuman() {
					place = strings.TrimSpace(place + " " + g.Organism.Name)
				}
				return []string{g.Symbol, g.ID, g.Name, place, entity.EtAl(g.Aliases, 4)}
			},
		},
		Next: func(g *Gene) []result.Argv {
			if !g.IsHuman() {
				return []result.Argv{{"get", "gene", g.ID}}
			}
			return []result.Argv{{"get", "gene", g.Symbol}}
		},
	})
}

// spell suggests the spelling of a human gene, unless --organism is given.
func spell(ctx context.Context, in *command.Input, query string) string {
	if in.Given("organism") {
		return ""
	}
	return eutils.SpellSymbol(ctx, in, query)
}

// queryTerm returns the query to send, limited to live records; discontinued ones would come first.
func queryTerm(q *entity.Query) string {
	if q.Value("organism") == "" {
		return q.Terms(datasets.Human+"[TID]", "alive[PROP]")
	}
	return q.Terms("alive[PROP]")
}

func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[Gene], error) {
	term, _ := organismTerm(q.Value("organism"))
	otherOrganism := q.Value("organism") != "" && !slices.Contains(human, term)
	if q.Value("region") != "" && otherOrganism {
		return nil, result.Invalid("--region is a place on "+assembly.GRCh38+
			", of the human genome: it cannot be used with --organism "+command.Clip(q.Value("organism")),
			in.LineWith("--organism", "")...)
	}
	p, err := eutils.Page(ctx, in.App.Entrez(),
		entrez.SearchParams{DB: "gene", Term: queryTerm(q), RetStart: q.Offset, RetMax: q.Limit}, readSummary)
	if err != nil {
		return nil, err
	}
	// A gene with exactly this symbol precedes those that mention the word.
	slices.SortStableFunc(p.Hits, func(a, b *Gene) int { return rank(a, q.Text) - rank(b, q.Text) })
	if q.Value("region") != "" {
		p.Notices = append(p.Notices, "--region is a place on "+assembly.GRCh38)
	}
	return p, nil
}

func rank(g *Gene, query string) int {
	if strings.EqualFold(g.Symbol, strings.TrimSpace(query)) {
		return 0
	}
	return 1
}

// readSummary converts a DocSum of db=gene to a hit.
func readSummary(d entrez.Doc) *Gene { return &Gene{Gene: gene.ParseSummary(d)} }
