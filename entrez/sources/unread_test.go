package sources_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/datasets"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/openfda"
	"biomcp/entrez/pubmedfiles"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/services"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation"
)

// reader makes a call to an endpoint and reads its reply.
type reader struct {
	source *httpclient.Source
	op     string // name of the endpoint
	none   string // a valid reply without results
	ask    func(context.Context, *httpclient.Client) error
}

// failure adapts a reader by dropping its result.
func failure(_ any, err error) error { return err }

// readers lists all calls of the program except downloads of files.
var readers = map[string]reader{
	"search": {&entrez.Source, "ESearch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).Search(ctx, entrez.SearchParams{Term: "x"}))
	}},
	"summaries": {&entrez.Source, "ESummary", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).Docs(ctx, "gene", pmid))
	}},
	"records": {&entrez.Source, "EFetch", "", func(ctx context.Context, n *httpclient.Client) error { return failure(entrez.New(n).Fetch(ctx, pmid)) }},
	"abstracts": {&entrez.Source, "EFetch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).FetchText(ctx, pmid, entrez.Abstract))
	}},
	"medline": {&entrez.Source, "EFetch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).FetchText(ctx, pmid, entrez.Medline))
	}},
	"variant": {&entrez.Source, "EFetch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).VCV(ctx, "90400001"))
	}},
	"full text": {&entrez.Source, "EFetch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).FullText(ctx, "PMC90000001"))
	}},
	"links": {&entrez.Source, "ELink", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).Links(ctx, pmid[0], entrez.Similar))
	}},
	"fields": {&entrez.Source, "EInfo", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).Info(ctx, "pubmed"))
	}},
	"spelling": {&entrez.Source, "ESpell", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).Spell(ctx, "melanoma"))
	}},
	"citations": {&entrez.Source, "ECitMatch", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(entrez.New(n).MatchCitations(ctx, []entrez.Citation{{Journal: "J"}}))
	}},
	"ids": {&idconv.Source, "ID conversion", "", func(ctx context.Context, n *httpclient.Client) error { return failure(idconv.Convert(ctx, n, pmid)) }},
	"annotations": {&pubtator.Source, "annotations", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(pubtator.Annotations(ctx, n, pmid))
	}},
	"concepts": {&pubtator.Source, "autocomplete", "[]", func(ctx context.Context, n *httpclient.Client) error {
		return failure(pubtator.Concepts(ctx, n, "BRAF", 5))
	}},
	"relations": {&pubtator.Source, "relations", "[]", func(ctx context.Context, n *httpclient.Client) error {
		return failure(pubtator.Relations(ctx, n, "@GENE_BRAF", "treat", "Chemical"))
	}},
	"variants": {&services.LitVar, "autocomplete", "[]", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.FindVariants(ctx, n, "BRAF V600E"))
	}},
	"articles": {&services.LitVar, "publications", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.VariantArticles(ctx, n, services.LitVarID("rs113488022")))
	}},
	"pairs": {&cpic.Source, "pair_view", "[]", func(ctx context.Context, n *httpclient.Client) error { return failure(cpic.ByGene(ctx, n, "CYP2C19")) }},
	"pathways": {&services.Reactome, "pathways", "[]", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.Pathways(ctx, n, "P15056"))
	}},
	"topics": {&services.MedlinePlus, "query", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.Topics(ctx, n, "eye", 1))
	}},
	"recoded": {&services.Ensembl, "variant recoder", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.SPDI(ctx, n, "ENST00000646891.2:c.1799T>A"))
	}},
	"studies": {&cbioportal.Source, "study list", "[]", func(ctx context.Context, n *httpclient.Client) error { return failure(cbioportal.New(n).Studies(ctx)) }},
	"panel": {&cbioportal.Portal, "gene panel", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(cbioportal.New(n).Panel(ctx, "IMPACT341"))
	}},
	"label of OLS": {&services.OLS, "search", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.DiseaseLabel(ctx, n, "DOID:14323"))
	}},
	"trials": {&ctgov.Source, "studies", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(ctgov.Search(ctx, n, ctgov.Query{Condition: "melanoma"}, "", 5))
	}},
	"trials by id": {&ctgov.Source, "studies", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(ctgov.Studies(ctx, n, []string{"NCT90000001"}, nil))
	}},
	"applications": {&openfda.Source, "drugsfda", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(openfda.Applications(ctx, n, openfda.Query{Names: []string{"fictinib"}, Limit: 1}))
	}},
	"shortages": {&openfda.Source, "shortages", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(openfda.Shortages(ctx, n, []string{"fictinib"}))
	}},
	"recalls": {&openfda.Source, "enforcement", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(openfda.Recalls(ctx, n, []string{"fictinib"}, 1))
	}},
	"events": {&openfda.Source, "event", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(openfda.Events(ctx, n, "fictinib", 1))
	}},
	"labels": {&dailymed.Source, "spls", "", func(ctx context.Context, n *httpclient.Client) error {
		_, _, err := dailymed.Labels(ctx, n, "fictinib", dailymed.Kinds[0])
		return err
	}},
	"label": {&dailymed.Source, "label", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(dailymed.Get(ctx, n, "00000000-0000-4000-8000-000000000001"))
	}},
	"compound": {&services.PubChem, "compound", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(services.FindCompound(ctx, n, "fictinib"))
	}},
	"drug": {&rxnav.Source, "rxcui", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(rxnav.New(n).Find(ctx, "fictinib"))
	}},
	"related": {&rxnav.Source, "allrelated", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(rxnav.New(n).RelatedConcepts(ctx, "9001"))
	}},
	"codes": {&rxnav.Source, "allProperties", "", func(ctx context.Context, n *httpclient.Client) error { return failure(rxnav.New(n).Codes(ctx, "9001")) }},
	"classes": {&rxnav.Source, "RxClass", "{}", func(ctx context.Context, n *httpclient.Client) error {
		_, _, err := rxnav.New(n).Classes(ctx, "fictinib")
		return err
	}},
	"class": {&rxnav.Source, "class/byName", "{}", func(ctx context.Context, n *httpclient.Client) error {
		return failure(rxnav.New(n).Class(ctx, "inhibitors"))
	}},
	"class by id": {&rxnav.Source, "class/byId", "{}", func(ctx context.Context, n *httpclient.Client) error {
		return failure(rxnav.New(n).Class(ctx, "N0000175605"))
	}},
	"near": {&rxnav.Source, "approximateTerm", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(rxnav.New(n).SimilarConcepts(ctx, "fictin", 5))
	}},
	"gene": {&datasets.Source, "gene report", "{}", func(ctx context.Context, n *httpclient.Client) error {
		return failure(datasets.New(n).BySymbol(ctx, []string{"BRAF"}, datasets.Human))
	}},
	"proteins": {&datasets.Source, "product report", "{}", func(ctx context.Context, n *httpclient.Client) error {
		return failure(datasets.New(n).Proteins(ctx, "673"))
	}},
	"orthologs": {&datasets.Source, "orthologs", "{}", func(ctx context.Context, n *httpclient.Client) error {
		_, _, err := datasets.New(n).Orthologs(ctx, "673")
		return err
	}},
	"HGVS": {&variation.Source, "contextuals", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(variation.FromHGVS(ctx, n, "NM_004333.6:c.1799T>A"))
	}},
	"rs numbers": {&variation.Source, "rsids", "", func(ctx context.Context, n *httpclient.Client) error {
		return failure(variation.RSIDs(ctx, n, change()))
	}},
	"index":         {&pubmedfiles.Source, "index of files", "", func(ctx context.Context, n *httpclient.Client) error { return failure(pubmedfiles.New(n).Index(ctx)) }},
	"version":       {&ctgov.Source, "version", "", func(ctx context.Context, n *httpclient.Client) error { return n.Service(&ctgov.Source).Ping(ctx) }},
	"RxNav version": {&rxnav.Source, "version", "", func(ctx context.Context, n *httpclient.Client) error { return n.Service(&rxnav.Source).Ping(ctx) }},
	"portal studies": {&cbioportal.Portal, "studies", "[]", func(ctx context.Context, n *httpclient.Client) error {
		return failure(cbioportal.New(n).PortalStudies(ctx))
	}},
	"panels": {&cbioportal.Portal, "gene panels", "[]", func(ctx context.Context, n *httpclient.Client) error { return n.Service(&cbioportal.Portal).Ping(ctx) }},
}

var pmid = []string{fmt.Sprint(entreztest.FirstSynthetic)}

func change() variation.SPDI {
	s, _ := variation.Parse("NC_000007.14:140753335:A:T")
	return s
}

// A complete reply with status 200 but without any known part is an error, not an empty result. The
// error names the source, and a reply in the right format is requested only once.
func TestRepliesThatSayNothing(t *testing.T) {
	for name, r := range readers {
		for _, body := range []string{`{}`, `{"error":"invented fault"}`, `[]`, `[{"error":"invented fault"}]`, `null`, `<html><body>Maintenance</body></html>`, `<other>form</other>`, `<eSpellResult></eSpellResult>`, `<nlmSearchResult></nlmSearchResult>`} {
			t.Run(name+" "+body, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork(), entreztest.XML(entreztest.Generate(3, 1)))
					sourcestest.AddTo(s.Server)
					if err := s.Fail(sourcetest.Fault{Kind: sourcetest.OtherJSON, Text: body, Times: -1}); err != nil {
						t.Fatal(err)
					}
					err := r.ask(t.Context(), s.Network(t))
					if body == r.none {
						if err != nil {
							t.Errorf("the service has nothing: %v", err)
						}
						return
					}
					var e *httpclient.Error
					if !errors.As(err, &e) {
						t.Fatalf("%#v, want a *polite.Error", err)
					}
					if e.Kind != httpclient.Upstream {
						t.Fatalf("kind %s, want %s: %v", e.Kind, httpclient.Upstream, err)
					}
					if e.Op != r.op {
						t.Fatalf("endpoint %q, want %q: %v", e.Op, r.op, err)
					}
					if !strings.HasPrefix(e.Message, r.source.Label+" ") {
						t.Fatalf("message %q, want it to begin with %s", e.Message, r.source.Label)
					}
					if strings.HasPrefix(body, `{"error"`) && name != "index" && !strings.Contains(e.Message, "invented fault") {
						t.Error(e)
					}
				})
			})
		}
	}
}

// Every declared endpoint states what its replies need and has a reader above.
func TestEveryEndpointHasNeeds(t *testing.T) {
	read := map[string]bool{}
	for _, r := range readers {
		read[r.op] = true
	}
	files, err := filepath.Glob("../*/*.go")
	more, _ := filepath.Glob("../*.go")
	found := 0
	for _, file := range append(files, more...) {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "test/") {
			continue
		}
		f, parseErr := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err = errors.Join(err, parseErr); err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, is := n.(*ast.CompositeLit)
			if !is || !isEndpoint(lit.Type) {
				return true
			}
			fields := map[string]ast.Expr{}
			for _, e := range lit.Elts {
				pair := e.(*ast.KeyValueExpr)
				fields[pair.Key.(*ast.Ident).Name] = pair.Value
			}
			form, _ := fields["Form"].(*ast.SelectorExpr)
			if form == nil || form.Sel.Name != "JSON" && form.Sel.Name != "XML" {
				return true
			}
			found++
			if fields["Needs"] == nil {
				t.Errorf("%s: an endpoint without Needs", file)
			}
			if op, is := fields["Op"].(*ast.BasicLit); is {
				if text, _ := strconv.Unquote(op.Value); !read[text] {
					t.Errorf("%s: no test reads %s", file, text)
				}
			}
			return true
		})
	}
	if found < 30 {
		t.Errorf("only %d endpoints", found)
	}
}

func isEndpoint(t ast.Expr) bool {
	s, is := t.(*ast.SelectorExpr)
	return is && s.Sel.Name == "Endpoint" && fmt.Sprint(s.X) == "httpclient"
}
