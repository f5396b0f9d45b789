package gene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/curated"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/pgx"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/datasets"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/services"
	"biomcp/store/clinvartable"
)

type diseaseRow struct {
	CUI          string `json:"cui"`
	UID          string `json:"medgen_uid"`
	Name         string `json:"name"`
	SemanticType string `json:"semantic_type"`
	URL          string `json:"url"`
}

type ortholog struct {
	ID       string `json:"entrez_id"`
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Organism string `json:"organism"`
	TaxID    string `json:"taxid"`
	URL      string `json:"url"`
}

// errUnreported is the error of a section about a gene that NCBI Datasets has no report of. Its empty
// replies then do not say that there is nothing.
var errUnreported = errors.New("NCBI Datasets sent no report of the gene")

func symbolOf(g *Gene) string { return g.Symbol }

// humanOnly lists the sections whose sources are asked by symbol, for human genes only.
var humanOnly = []string{"variants", "diseases", "diagnostics", "trials", "drugs", "pgx", "evidence", "validity", "dosage"}

// notHuman returns why sections in humanOnly do not apply to a gene of another organism: its
// symbol would name the human gene, as Braf would name BRAF.
func notHuman(g *Gene) error {
	if g.IsHuman() {
		return nil
	}
	return entity.Inapplicable(fmt.Sprintf("%s (GeneID %s) is a gene of %s; on human genes only: %s", g.Symbol,
		g.ID, cmp.Or(g.Organism.Name, "taxon "+g.Organism.TaxID), strings.Join(humanOnly, ", ")))
}

// sections returns the sections on a gene from NCBI's databases.
func sections() []entity.Section[Gene] {
	return []entity.Section[Gene]{
		eutils.Articles("articles on it (PubMed; --rif: with a statement of function)", "PubMed ELink", findArticles),
		related.Variants(symbolOf, func(g *Gene) string { return g.Symbol + "[gene]" },
			func(g *Gene) clinvartable.Filter { return local.GeneFilter(g.Symbol) }),
		entity.RelatedSection[Gene, diseaseRow]{
			Name: "diseases", Synonyms: []string{"condition", "disorders", "phenotypes"}, Label: "Diseases",
			Short: "conditions that MedGen links to it", Source: "MedGen", Counted: true,
			Find: entity.FromService(findDiseases), Columns: []string{"CUI", "Name", "Type"},
			Row: func(d *diseaseRow) []string { return []string{d.CUI, d.Name, d.SemanticType} },
		}.Section(),
		entity.RelatedSection[Gene, datasets.Protein]{
			Name: "proteins", Synonyms: []string{"refseq", "isoforms", "transcripts"}, Label: "Proteins",
			Short: "its products in RefSeq", Source: "NCBI Datasets",
			Find:    entity.FromService(findProteins),
			Columns: []string{"Protein", "Name", ">Amino acids", "Transcript", "Select"},
			Row: func(p *datasets.Protein) []string {
				return []string{p.Accession, p.Name, fmt.Sprint(p.Length), p.Transcript, p.Select}
			},
		}.Section(),
		entity.RelatedSection[Gene, datasets.Term]{
			Name: "go", Synonyms: []string{"function", "ontology", "gene-ontology"}, Label: "Gene Ontology",
			Short: "its functions, processes and places in the cell", Source: "NCBI Datasets",
			Embedded: termsOf, Columns: []string{"Term", "Aspect", "Relation", "Name", "Evidence"},
			Row: func(t *datasets.Term) []string {
				return []string{t.ID, t.Aspect, strings.ReplaceAll(t.Relation, "_", " "), t.Name, t.Evidence}
			},
		}.Section(),
		entity.RelatedSection[Gene, ortholog]{
			Name: "orthologs", Synonyms: []string{"homologs", "ortholog", "homology"}, Label: "Orthologs",
			Short: "the corresponding genes of other organisms", Source: "NCBI Datasets", Counted: true,
			Find: entity.FromService(findOrthologs), Columns: []string{"GeneID", "Symbol", "Organism"},
			Row: func(o *ortholog) []string { return []string{o.ID, o.Symbol, o.Organism} },
		}.Section(),
	}
}

func findArticles(ctx context.Context, ask *entity.LinkRequest, g *Gene) (*entity.Answer[eutils.Article], error) {
	link, from := "gene_pubmed", "NCBI Gene"
	if ask.Bool("rif") {
		link, from = "gene_pubmed_rif", "GeneRIF"
	}
	return eutils.LinkedArticles(ctx, ask, g.ID, link, from)
}

func findDiseases(ctx context.Context, ask *entity.LinkRequest, g *Gene) (*entity.Answer[diseaseRow], error) {
	found, docs, err := entrez.New(ask.Network).FindDocs(ctx, entrez.SearchParams{
		DB: "medgen", Term: g.Symbol + "[gene]", RetMax: ask.RowsToRequest(),
	})
	if err != nil {
		return nil, err
	}
	rows := result.Map(entity.Window(docs.Items, ask.Offset, ask.Limit), func(d entrez.Doc) diseaseRow {
		kind := cmp.Or(d.Text("semantictype.value"), d.Text("semantictype"))
		return diseaseRow{
			d.Text("conceptid"), d.UID, d.Text("title"), kind, "https://www.ncbi.nlm.nih.gov/medgen/" + d.UID,
		}
	})
	answer := &entity.Answer[diseaseRow]{Total: &found.Count, Rows: rows}
	if err := docs.Unread(); err != nil {
		answer.Degraded, answer.Notices = true, []string{err.Error()}
	}
	return answer, nil
}

func findProteins(ctx context.Context, ask *entity.LinkRequest, g *Gene) (*entity.Answer[datasets.Protein], error) {
	products, err := datasets.New(ask.Network).Proteins(ctx, g.ID)
	if err == nil && len(products) == 0 && g.Report == nil {
		err = errUnreported
	}
	return &entity.Answer[datasets.Protein]{Rows: products}, err
}

func termsOf(g *Gene) ([]datasets.Term, error) {
	if g.Report == nil {
		return nil, errUnreported
	}
	return g.Report.GO, nil
}

func findOrthologs(ctx context.Context, ask *entity.LinkRequest, g *Gene) (*entity.Answer[ortholog], error) {
	got, total, err := datasets.New(ask.Network).Orthologs(ctx, g.ID)
	if err != nil {
		return nil, err
	}
	if len(got) == 0 && g.Report == nil {
		return nil, errUnreported
	}
	all := len(got)
	got = slices.DeleteFunc(got, func(o datasets.Gene) bool { return o.ID == g.ID })
	total -= all - len(got)
	rows := result.Map(entity.Window(got, ask.Offset, ask.Limit), func(o datasets.Gene) ortholog {
		return ortholog{o.ID, o.Symbol, o.Name, o.Organism, o.TaxID, gene.Page + o.ID}
	})
	return &entity.Answer[ortholog]{Total: &total, Rows: rows}, nil
}

// externalSections returns the sections of sources outside NCBI's gene databases.
func externalSections() []entity.Section[Gene] {
	return []entity.Section[Gene]{
		diagnostic.Section(symbolOf, func(g *Gene) diagnostic.Query { return diagnostic.GeneQuery(g.Symbol) }),
		related.Trials(func(g *Gene) (ctgov.Query, string) {
			excluded := "a trial may name " + g.Symbol +
				" in order to exclude patients with a change of it: see its section eligibility"
			return ctgov.Query{Term: ctgov.Molecular(g.Symbol)}, cmp.Or(ctgov.AmbiguityNotice(g.Symbol), excluded)
		}),
		related.Drugs(symbolOf, "negative_correlate", "to lessen",
			func(_ context.Context, _ *httpclient.Client, g *Gene) (string, error) {
				return "@GENE_" + g.Symbol, nil
			}),
		entity.RelatedSection[Gene, services.Pathway]{
			Name: "pathways", Synonyms: []string{"reactome", "kegg"}, Label: "Pathways",
			Short: "pathways that its proteins take part in", Source: "Reactome", Counted: true,
			Find: entity.FromService(findPathways), Columns: []string{"Id", "Pathway", "In disease"},
			Row: func(p *services.Pathway) []string {
				return []string{p.ID, p.Name, map[bool]string{true: "yes", false: "no"}[p.InDisease]}
			},
		}.Section(),
		pgx.GeneSection(symbolOf).Section(),
		curated.EvidenceSection(subject),
		curated.ValiditySection(subject),
		curated.DosageSection(subject),
	}
}

func subject(ctx context.Context, in *command.Input, g *Gene) (*curated.Subject, error) {
	return curated.GeneSubject(ctx, in.App, g.Symbol, g.HGNC)
}

// findPathways asks Reactome for each Swiss-Prot protein; a gene such as CDKN2A has several.
func findPathways(ctx context.Context, ask *entity.LinkRequest, g *Gene) (*entity.Answer[services.Pathway], error) {
	if g.Report == nil {
		return nil, errUnreported
	}
	if len(g.UniProt) == 0 {
		return nil, entity.Inapplicable(g.Symbol + " has no protein in Swiss-Prot, which Reactome requires")
	}
	var all []services.Pathway
	for _, protein := range g.UniProt {
		some, err := services.Pathways(ctx, ask.Network, protein)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return entity.FromList(ask, all), nil
}
