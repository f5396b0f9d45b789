package gene

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/datasets"
	"biomcp/entrez/pattern"
)

type hit struct {
	Symbol   string    `json:"symbol"`
	ID       string    `json:"entrez_id"`
	Name     string    `json:"name"`
	Aliases  []string  `json:"aliases"`
	Organism organism  `json:"organism"`
	Cytoband string    `json:"cytoband"`
	Location *location `json:"location"`
	Status   string    `json:"status"`
	URL      string    `json:"url"`
}

var searchHelp = []string{"search", "gene", "--help"}

// taxonOf is the taxon of a name that people type, "" of any other.
func taxonOf(name string) string {
	switch strings.ToLower(name) {
	case "human":
		return datasets.Human
	case "mouse":
		return "10090"
	case "rat":
		return "10116"
	case "zebrafish":
		return "7955"
	case "fly":
		return "7227"
	case "worm":
		return "6239"
	case "yeast":
		return "559292"
	}
	return ""
}

var nameForm = pattern.Lazy(`^[A-Za-z0-9 .()'-]{1,60}$`)

// quoted is a value with a tag. What NCBI would take for its syntax is refused.
func quoted(flag, tag string) func(string) (string, error) {
	return func(v string) (string, error) {
		if err := entity.CheckTerm(v, searchHelp...); err != nil {
			return "", err
		}
		if strings.ContainsAny(v, `"[]`) {
			return "", result.Invalid("--"+flag+` cannot hold ", [ or ]`, searchHelp...)
		}
		return `"` + v + `"[` + tag + "]", nil
	}
}

func organismTerm(v string) (string, error) {
	switch taxon := taxonOf(v); {
	case taxon != "":
		return taxon + "[TID]", nil
	case v == "any":
		return "", nil
	case isGeneID(v):
		return v + "[TID]", nil
	case nameForm().MatchString(v):
		return `"` + v + `"[ORGN]`, nil
	}
	return "", result.Invalid(fmt.Sprintf("--organism %q is not a name such as human or \"Mus musculus\", a taxid, or any", command.Clip(v)), searchHelp...)
}

func filters() []entity.Filter {
	return []entity.Filter{
		{Flag: "organism", Once: true, Usage: "human (also without this flag), mouse, a scientific name, a taxid, or any", Term: organismTerm},
		{Flag: "type", Usage: "what is made of it", Values: []string{"protein-coding", "ncrna", "pseudo"}, Term: func(v string) (string, error) {
			return `"genetype ` + strings.ReplaceAll(v, "-", " ") + `"[PROP]`, nil // a property of NCBI Gene
		}},
		{Flag: "chromosome", Once: true, Usage: "a chromosome, such as 7 or X", Term: func(v string) (string, error) {
			if assembly.Chromosome(v) == "" {
				return "", result.Invalid(fmt.Sprintf("--chromosome %q is not one of 1 to 22, X, Y, MT", command.Clip(v)), searchHelp...)
			}
			return assembly.Chromosome(v) + "[CHR]", nil
		}},
		{Flag: "region", Once: true, Usage: "a place on GRCh38, from 1: 7:140719327-140924929", Term: func(v string) (string, error) {
			chromosome, first, last, ok := assembly.Region(v)
			if !ok {
				return "", result.Invalid(fmt.Sprintf("--region %q is not a place such as 7:140719327-140924929", command.Clip(v)), searchHelp...)
			}
			return fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, first, last), nil
		}},
		{Flag: "go", Usage: "a term of the Gene Ontology (repeatable: all must hold)", Term: quoted("go", "GO")},
		{Flag: "disease", Letter: "d", Usage: "a disease or phenotype (repeatable: all must hold)", Term: quoted("disease", "DIS")},
	}
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[hit]{
		Name: "gene", Words: "[query]", Short: "Find genes by name, place, function or disease",
		Help: command.Help{
			About:     "NCBI Gene, live records only. What it really searched for is always shown.",
			Input:     "Words in NCBI's syntax, or filters alone.",
			Output:    "One row a gene.",
			Surprises: "Only human genes, unless --organism says otherwise.",
		},
		Examples: []command.Example{{Line: "biomcp search gene kinase --region 7:140000000-141000000", Does: "kinases in a part of chromosome 7 (GRCh38)"}},
		Source:   source, Sources: []string{source}, Key: "results", Label: "Genes",
		Filters: filters(), Strict: true, Refusal: result.Entrez, Limit: 10, MaxLimit: 100,
		Flags: func(f *command.Flags) { f.Rare("strict", "type", "chromosome", "go") },
		Find:  find, Columns: []string{"Symbol", "GeneID", "Name", "Place", "Aliases"},
		Row: func(h *hit) []string {
			place := h.Cytoband
			if h.Organism.TaxID != datasets.Human {
				place = strings.TrimSpace(place + " " + h.Organism.Name)
			}
			return []string{h.Symbol, h.ID, h.Name, place, entity.EtAl(h.Aliases, 4)}
		},
		Next: func(h *hit) []result.Argv {
			if h.Organism.TaxID != datasets.Human {
				return []result.Argv{{"get", "gene", h.ID}}
			}
			return []result.Argv{{"get", "gene", h.Symbol}}
		},
	})
}

// term is the query that is sent: live records only, else discontinued ones come first.
func term(q *entity.Query) string {
	var parts []string
	if q.Text != "" {
		parts = append(parts, "("+q.Text+")")
	}
	organism := false
	for _, f := range q.Filters {
		organism = organism || f.Flag == "organism"
		if f.Term != "" {
			parts = append(parts, f.Term)
		}
	}
	if !organism {
		parts = append(parts, datasets.Human+"[TID]")
	}
	return strings.Join(append(parts, "alive[PROP]"), " AND ")
}

func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	sent := term(q)
	found, err := eutils.Find(ctx, client, entrez.SearchParams{DB: "gene", Term: sent, RetStart: q.Offset, RetMax: q.Limit})
	if err != nil {
		return nil, err
	}
	p := &entity.Page[hit]{Total: &found.Count, Effective: sent, Retrieved: len(found.IDs), Dropped: found.Dropped}
	for _, d := range found.Docs.Items {
		g, err := readSummary(d)
		if err != nil {
			return nil, err
		}
		p.Hits = append(p.Hits, hit{g.Symbol, g.ID, g.Name, g.Aliases, g.Organism, g.Cytoband, g.Location, g.Status, "https://www.ncbi.nlm.nih.gov/gene/" + g.ID})
	}
	// The gene of this very symbol before those that have the word elsewhere.
	slices.SortStableFunc(p.Hits, func(a, b hit) int { return rank(a, q.Text) - rank(b, q.Text) })
	if missing := found.Docs.Missing; len(missing) > 0 {
		p.State = result.Degraded
		p.Notices = append(p.Notices, "NCBI gave no description of "+entity.Some(missing))
	}
	if q.Value("region") != "" {
		p.Notices = append(p.Notices, "--region is a place on "+assembly.GRCh38)
	}
	return p, nil
}

func rank(h hit, query string) int {
	if strings.EqualFold(h.Symbol, strings.TrimSpace(query)) {
		return 0
	}
	return 1
}
