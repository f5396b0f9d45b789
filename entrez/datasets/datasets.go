package datasets

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source describes NCBI Datasets. NCBI asks for at most 5 requests a second, 10 with a key.
var Source = httpclient.Source{
	Name: "datasets", Label: "NCBI Datasets", Address: "https://api.ncbi.nlm.nih.gov/datasets/v2/",
	Rate: httpclient.Rate{Group: "datasets", PerSecond: 5, WithKey: 10}, Key: ncbi.Key,
	CheckReply: judge, Ping: httpclient.NewCall(report.WithPath("gene/id/673/dataset_report"), "returned_content", "IDS_ONLY"),
	Dependencies: []httpclient.Dependency{
		{Path: "gene/symbol/*/taxon/*/dataset_report", Params: "page_size", Reply: genes,
			Evidence: described + "; capture of datasets, 2024"},
		{Path: "gene/id/*/dataset_report", Params: "page_size returned_content", Reply: genes, Evidence: described},
		{Path: "gene/id/*/product_report", Params: "page_size", Reply: products, Evidence: described},
		{Path: "gene/accession/*/product_report", Params: "page_size", Reply: products, Evidence: described},
		{Path: "gene/id/*/orthologs", Params: "page_size", Reply: genes, Evidence: described},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(report.WithPath("gene/symbol/BRAF/taxon/9606/dataset_report"), "page_size", "1000"),
			Facts: []httpclient.Fact{{Path: "reports.0.gene.gene_id", Value: "673"},
				{Path: "reports.0.gene.symbol", Value: "BRAF"}, {Path: "reports.0.query.0", Value: "BRAF"},
				{Path: "reports.0.gene.nomenclature_authority.identifier", Value: "HGNC:1097"}},
			Evidence: "interface description, capture of its origin 2024",
		}, {
			// An empty object means that there is none.
			Call: httpclient.NewCall(report.WithPath("gene/symbol/NOSUCHGENE/taxon/9606/dataset_report"), "page_size",
				"1000"),
			Facts:    []httpclient.Fact{{Path: "@keys|#", Value: "0"}},
			Evidence: "https://github.com/ncbi/datasets/issues/312; this answer not seen",
		}}
	},
}

const (
	day       = 24 * time.Hour
	described = "document, https://www.ncbi.nlm.nih.gov/datasets/docs/v2/api/rest-api/ (OpenAPI v2)"
)

// Parts that are read of reports.
const (
	genes = "total_count messages reports.query " +
		"reports.gene.{gene_id,symbol,description,type,tax_id,taxname,synonyms,alternate_names," +
		"omim_ids,ensembl_gene_ids,swiss_prot_accessions} " +
		"reports.gene.nomenclature_authority.identifier reports.gene.summary.description " +
		"reports.gene.gene_ontology.*.{go_id,name,evidence_code,qualifier} reports.gene.gene_ontology.*.reference.pmids"
	products = "reports.product.transcripts.{accession_version,select_category} " +
		"reports.product.transcripts.protein.{accession_version,name,length,isoform_name}"
)

// reports lists the members of a page (v2reportsGeneDataReportPage of the interface description).
// An unknown symbol gives a report with a warning; an empty page is an empty object
// (https://github.com/ncbi/datasets/issues/312).
var reports = []string{"reports.#", "messages", "total_count", "{}"}

var (
	report   = httpclient.Endpoint{Op: "gene report", Form: httpclient.JSON, MaxBytes: 32 << 20, TTL: day, Needs: reports}
	product  = httpclient.Endpoint{Op: "product report", Form: httpclient.JSON, MaxBytes: 32 << 20, TTL: day, Needs: reports}
	ortholog = httpclient.Endpoint{Op: "orthologs", Form: httpclient.JSON, MaxBytes: 32 << 20, TTL: 7 * day, Needs: reports}
)

// Human is the taxon of Homo sapiens.
const Human = "9606"

// maxGenes is the maximum number of genes in one request.
const maxGenes = 200

// judge recognizes the status 404 for an unknown gene.
func judge(r httpclient.Reply) *httpclient.Verdict {
	if v := ncbi.CheckReply(r); v != nil {
		return v
	}
	return absent(r)
}

var absent = httpclient.NotFoundOn404("has no such record")

// Client makes calls to NCBI Datasets. It is safe for concurrent use.
type Client struct{ service *httpclient.Service }

// New returns a client that sends its requests through c.
func New(c *httpclient.Client) *Client { return &Client{c.Service(&Source)} }

// Gene is a gene. Lists are never nil.
type Gene struct {
	Query                    []string // words of the request that this gene answers
	ID, Symbol, Name         string
	Type                     string // "protein-coding", "ncRNA", "pseudo"
	TaxID, Organism          string
	Synonyms, OtherNames     []string
	HGNC                     string // "HGNC:1097"
	OMIM, Ensembl, SwissProt []string
	Summary                  string
	GO                       []Term // functions, then processes, then components
}

// Term is a Gene Ontology term with the evidence for it. If Negated is set, the evidence shows that the gene
// does not have the function, take part in the process or lie in the component.
type Term struct {
	Aspect   string   `json:"aspect"`   // function, process, component
	Relation string   `json:"relation"` // as NCBI writes it: "involved_in", "NOT involved_in"
	Negated  bool     `json:"negated"`
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Evidence string   `json:"evidence"` // a GO evidence code: IDA
	PMIDs    []string `json:"pmids"`
	URL      string   `json:"url"`
}

// Protein is a protein product of a gene in RefSeq.
type Protein struct {
	Accession  string `json:"accession"`
	Name       string `json:"name"`
	Isoform    string `json:"isoform"`
	Length     int    `json:"length"` // amino acids
	Transcript string `json:"transcript"`
	Select     string `json:"select"` // "MANE Select", "MANE Plus Clinical", "RefSeq Select" or ""
	URL        string `json:"url"`
}

var symbolForm = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,39}$`)

// IsSymbol reports whether a word has the form of a gene symbol.
func IsSymbol(word string) bool { return symbolForm().MatchString(word) }

// BySymbol returns the genes of an organism with the given symbols. It also returns genes with the
// word as another name, without a mark that tells the two apart. Unknown symbols are absent.
func (c *Client) BySymbol(ctx context.Context, symbols []string, taxon string) ([]Gene, error) {
	return c.genes(ctx, "gene/symbol/", symbols, "/taxon/"+taxon+"/dataset_report")
}

// ByID returns the genes with the given GeneIDs. A replaced ID gives its successor, whose Query has the
// replaced ID. The member replaced_gene_id of a report is not read: it names a record that was merged into
// the gene, not the successor of the gene.
func (c *Client) ByID(ctx context.Context, ids []string) ([]Gene, error) {
	return c.genes(ctx, "gene/id/", ids, "/dataset_report")
}

func (c *Client) genes(ctx context.Context, path string, words []string, rest string) ([]Gene, error) {
	var out []Gene
	for batch := range slices.Chunk(words, maxGenes) {
		got, _, err := c.page(ctx, httpclient.NewCall(report.WithPath(path+strings.Join(batch, ",")+rest), "page_size", "1000"))
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}

// Orthologs returns the orthologs of a gene in other organisms, at most the first thousand, and
// their total number. NCBI may list the gene itself too.
func (c *Client) Orthologs(ctx context.Context, id string) (genes []Gene, total int, err error) {
	return c.page(ctx, httpclient.NewCall(ortholog.WithPath("gene/id/"+id+"/orthologs"), "page_size", "1000"))
}

// Proteins returns the protein products of a gene.
func (c *Client) Proteins(ctx context.Context, id string) ([]Protein, error) {
	return c.products(ctx, "gene/id/"+id)
}

// NewestVersion returns the RefSeq accession of a transcript or protein with its newest version, given one
// without a version.
func (c *Client) NewestVersion(ctx context.Context, accession string) (string, error) {
	products, err := c.products(ctx, "gene/accession/"+accession)
	if err != nil {
		return "", err
	}
	for _, p := range products {
		for _, a := range []string{p.Transcript, p.Accession} {
			if strings.HasPrefix(a, accession+".") {
				return a, nil
			}
		}
	}
	return "", &httpclient.Error{Kind: httpclient.NotFound, Service: Source.Label,
		Message: Source.Label + " has no version of " + accession + ": specify one, as in NM_004333.6"}
}

func (c *Client) products(ctx context.Context, path string) ([]Protein, error) {
	all, _, err := c.reports(ctx, httpclient.NewCall(product.WithPath(path+"/product_report"), "page_size", "1000"))
	if err != nil {
		return nil, err
	}
	out := []Protein{}
	for _, r := range all {
		for _, t := range r.Each("product.transcripts") {
			if accession := t.Text("protein.accession_version"); accession != "" {
				out = append(out, Protein{
					Accession: accession, Name: t.Text("protein.name"), Length: int(t.Get("protein.length").Int()),
					Transcript: t.Text("accession_version"), Select: selected[t.Text("select_category")],
					Isoform: t.Text("protein.isoform_name"),
					URL:     "https://www.ncbi.nlm.nih.gov/protein/" + accession,
				})
			}
		}
	}
	return out, nil
}

// selected maps the categories of selected transcripts to their names.
var selected = map[string]string{"MANE_SELECT": "MANE Select", "MANE_PLUS_CLINICAL": "MANE Plus Clinical",
	"REFSEQ_SELECT": "RefSeq Select"}

// page parses a GeneDataReportPage. It skips reports without a gene (unknown symbols). total
// includes the genes on further pages.
func (c *Client) page(ctx context.Context, call *httpclient.Call) (genes []Gene, total int, err error) {
	all, total, err := c.reports(ctx, call)
	if err != nil {
		return nil, 0, err
	}
	genes = []Gene{}
	for _, r := range all {
		switch {
		case r.Text("gene.gene_id") != "":
			genes = append(genes, read(r))
		case r.Get("gene").Exists():
			return nil, 0, call.UnreadableError(errors.New("a gene without its id"))
		}
	}
	return genes, max(len(genes), total), nil
}

// reports returns the reports of a page and their total number. If the page has an error instead of
// reports (v2reportsErrorGeneErrorCode; an unknown name is not an error), it returns that error
// rather than an empty list.
func (c *Client) reports(ctx context.Context, call *httpclient.Call) (all []ncbi.Object, total int, err error) {
	reply, err := ncbi.GetJSON(ctx, c.service, call)
	all, total = reply.Each("reports"), int(reply.Get("total_count").Int())
	if errs := reply.Texts("messages.#.error.message"); len(all) == 0 && len(errs) > 0 {
		return nil, 0, call.RefusedError(errs...)
	}
	if err == nil && len(all) == 0 && total > 0 {
		return nil, 0, call.UnreadableError(errors.New("it has no reports"))
	}
	return all, total, err
}

// read parses a report of type GeneDescriptor (v2reports of the interface description).
func read(r ncbi.Object) Gene {
	w := r.Member("gene")
	return Gene{
		Query: r.Texts("query"), ID: w.Text("gene_id"), Symbol: w.Text("symbol"), Name: w.Text("description"),
		Type:  typeName(w.Text("type")),
		TaxID: w.Text("tax_id"), Organism: w.Text("taxname"), Synonyms: w.Texts("synonyms"),
		OtherNames: w.Texts("alternate_names"),
		HGNC:       w.Text("nomenclature_authority.identifier"), OMIM: w.Texts("omim_ids"),
		Ensembl:   w.Texts("ensembl_gene_ids"),
		SwissProt: w.Texts("swiss_prot_accessions"),
		Summary:   w.Text("summary.0.description"),
		GO:        terms(w),
	}
}

func terms(w ncbi.Object) []Term {
	out := []Term{}
	for _, group := range []struct{ aspect, list string }{
		{"function", "molecular_functions"},
		{"process", "biological_processes"},
		{"component", "cellular_components"},
	} {
		for _, t := range w.Each("gene_ontology." + group.list) {
			id := t.Text("go_id")
			relation := strings.ReplaceAll(t.Text("qualifier"), "|", " ") // the files of GO have NOT|involved_in
			first, _, _ := strings.Cut(relation, " ")
			out = append(out, Term{
				Aspect: group.aspect, Relation: relation, Negated: strings.EqualFold(first, "NOT"), ID: id,
				Name: t.Text("name"), Evidence: t.Text("evidence_code"), PMIDs: t.Texts("reference.pmids"),
				URL: "https://amigo.geneontology.org/amigo/term/" + id,
			})
		}
	}
	return out
}

// typeName returns a type of gene as NCBI Gene writes it: PROTEIN_CODING becomes protein-coding,
// and ncRNA is unchanged.
func typeName(t string) string {
	if t == strings.ToUpper(t) {
		t = strings.ToLower(strings.ReplaceAll(t, "_", "-"))
	}
	return t
}
