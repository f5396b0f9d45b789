package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// importedApp returns an App with a corpus of the records of the test scripts.
func importedApp(t *testing.T) *command.App {
	t.Helper()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	return app
}

func TestASearchThatFindsFewOfItsWordsSaysSoAtEachDoor(t *testing.T) {
	app := importedApp(t)
	for line, want := range map[string]string{
		"search corpus ergothioneine accretion disk black hole spectroscopy": "perhaps nothing in the corpus fits: the best document holds 1 of the 6 words of the query: ergothioneine",
		"search corpus 'ergothioneine-beta zzqx'":                            "perhaps nothing in the corpus fits: the best document holds no word of the query as a whole: ergothioneine-beta, zzqx",
		"search corpus the ergothioneine of mushrooms":                       "",
		"search corpus melanoma plasma weeks cured disease":                  "", // the third document has melanoma, which is rarest
	} {
		t.Run(line, func(t *testing.T) {
			answer, notices, _ := clitest.RunForPerson(t, app, line)
			asJSON, beside, _ := clitest.RunForPerson(t, app, line+" --json")
			for name, out := range map[string]string{
				"terminal": answer + notices, "JSON": asJSON + beside, "MCP": clitest.Answer(t, app, command.Agent, line),
				"explained": clitest.Answer(t, app, command.Agent, line+" --explain --json"),
			} {
				if strings.Contains(out, "perhaps nothing") != (want != "") || !strings.Contains(out, want) {
					t.Errorf("%s, %s: %s", line, name, out)
				}
			}
		})
	}
}

func TestASearchWithoutHitsCountsThoseOfTheCorpus(t *testing.T) {
	t.Parallel()
	app := importedApp(t)
	for line, want := range map[string]string{
		"search corpus ergothioneine --date-from 1801 --date-to 1802":                   "hits without its dates: ",
		"search corpus ergothioneine --journal Nonesuch":                                "hits without --journal Nonesuch: ",
		"search corpus ergothioneine --journal Nonesuch --exclude-retracted":            "hits without its filters: ",
		"search article ergothioneine --date-from 1801 --date-to 1802 --mesh Mushrooms": "in the local corpus: ",
	} {
		t.Run(line, func(t *testing.T) {
			out := clitest.Answer(t, app, command.Person, line)
			i := strings.Index(out, want)
			if i < 0 || strings.HasPrefix(out[i+len(want):], "0") || !strings.Contains(out, "biomcp search corpus ergothioneine") {
				t.Errorf("%s: %s", line, out)
			}
		})
	}
}

// A pasted title is the first hit, and --explain shows the exact title match.
func TestAPastedTitleIsExplained(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+manyRecords(t)); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus Lens in ward 3. --top-k 2 --explain"
	if out := clitest.Answer(t, app, command.Agent, line); !strings.Contains(out, "1. lens in ward 3") || !strings.Contains(out, ", + 0.67 for a document whose title is the query") || strings.Count(out, " + 0.67) × ") != 1 {
		t.Error(out)
	}
	if out := clitest.Answer(t, app, command.Agent, line+" --json"); !strings.Contains(out, `"exact_title":true`) || !strings.Contains(out, `"exact_title":false`) {
		t.Error(out)
	}
}

// A word that no passage has is searched for as a near one, with a notice.
func TestAMisspeltWordIsSaidAtEachDoor(t *testing.T) {
	app := importedApp(t)
	const notice = "ergothionene is in no passage of the corpus, so the search was for ergothioneine; as typed: "
	everyDoor(t, app, "search corpus ergothionene", notice)
	everyDoor(t, app, "search corpus antioxidant ergothionene", notice)
	everyDoor(t, app, "search corpus antioxidant AND ergothionene", notice)
	out := clitest.Answer(t, app, command.Agent, "search corpus 'antioxidant ergothionene' --explain --json")
	if want := `"corrections":[{"searched":"ergothioneine","instead_of":"ergothionene"}]`; !strings.Contains(out, want) {
		t.Errorf("the JSON lacks %s: %s", want, out)
	}
}

// Without a model the words are the whole score, and --explain does not mention meaning.
func TestExplainingWithoutAModelHasNoMeaning(t *testing.T) {
	out := clitest.Answer(t, importedApp(t), command.Person, "search corpus ergothioneine --explain")
	if !strings.Contains(out, "1.00 × words, each scaled") || strings.Contains(out, "× meaning") || strings.Contains(out, "**Meaning:**") {
		t.Error(out)
	}
}

// Preprints are marked, and excluded by each synonym of the flag.
func TestACorpusWithoutPreprints(t *testing.T) {
	t.Parallel()
	record := func(pmid, kind string) string {
		return `<PubmedArticle><MedlineCitation Status="PubMed-not-MEDLINE"><PMID Version="1">` + pmid + `</PMID><Article><Journal><Title>Synthetic Letters</Title></Journal>` +
			`<ArticleTitle>Wobbulin in synthetic cells.</ArticleTitle><PublicationTypeList><PublicationType UI="">` + kind + `</PublicationType></PublicationTypeList></Article></MedlineCitation></PubmedArticle>`
	}
	file := filepath.Join(t.TempDir(), "two.xml")
	if err := os.WriteFile(file, []byte("<PubmedArticleSet>"+record("91000001", "Journal Article")+record("91000002", "Preprint")+"</PubmedArticleSet>"), 0o600); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+file); code != 0 {
		t.Fatal(text)
	}
	if out := clitest.Answer(t, app, command.Agent, "search corpus wobbulin"); !strings.Contains(out, "91000001") || !strings.Contains(out, "PREPRINT: Wobbulin") {
		t.Error(out)
	}
	for _, flag := range []string{"--exclude-preprints", "--no-preprints"} {
		if out := clitest.Answer(t, app, command.Agent, "search corpus wobbulin "+flag); !strings.Contains(out, "91000001") || strings.Contains(out, "91000002") {
			t.Errorf("%s: %s", flag, out)
		}
	}
}

// Every door shows the sentence that answers a question, which may be in another chunk than the
// one with the words of the question.
func TestAHitShowsTheAnswerAtEachDoor(t *testing.T) {
	t.Parallel()
	background := "Whether wobbulin lowers the fever of synthetic cells is an old question. "
	methods := strings.Repeat("Cells were kept in a plain medium and counted twice a day by two readers. ", 20)
	const answer = "Wobbulin lowers the fever by two degrees."
	part := func(label, text string) string {
		return `<AbstractText Label="` + label + `">` + text + `</AbstractText>`
	}
	file := filepath.Join(t.TempDir(), "one.xml")
	if err := os.WriteFile(file, []byte(`<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000003</PMID>`+
		`<Article><Journal><Title>Synthetic Letters</Title></Journal><ArticleTitle>Wobbulin.</ArticleTitle><Abstract>`+
		part("BACKGROUND", background)+part("METHODS", methods)+part("RESULTS", strings.Repeat("Counts were as before. ", 60))+part("CONCLUSIONS", answer)+
		`</Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`), 0o600); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+file); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus does wobbulin lower the fever of synthetic cells"
	for name, out := range map[string]string{
		"terminal": clitest.Answer(t, app, command.Person, line), "MCP": clitest.Answer(t, app, command.Agent, line),
		"explained": clitest.Answer(t, app, command.Agent, line+" --explain"),
		"JSON":      clitest.Answer(t, app, command.Agent, line+" --explain --json"),
	} {
		if !strings.Contains(out, answer) {
			t.Errorf("%s: got %s, want %q in it", name, out, answer)
		}
	}
	if out := clitest.Answer(t, app, command.Person, line+" --long"); !strings.Contains(out, strings.TrimSpace(background)) {
		t.Errorf("--long: got %s, want the whole chunk with %q", out, background)
	}
}

// A corpus that is too small for a model of its own says so, with the number that it needs.
func TestASmallCorpusSaysWhyItIsSearchedByWords(t *testing.T) {
	t.Parallel()
	app := importedApp(t)
	everyDoor(t, app, "search corpus ergothioneine", "the search was by words alone (a model needs at least 50 documents, not 4)")
	if out := clitest.Answer(t, app, command.Person, "health"); !strings.Contains(out, "a model needs at least 50 documents, not 4") {
		t.Errorf("health: got %s, want the reason for no vectors", out)
	}
}

// A corpus that every search refuses is not healthy.
func TestHealthNamesACorpusOfAnotherAnalysis(t *testing.T) {
	app := importedApp(t)
	corpus, err := app.CorpusToWrite(t.Context())
	if err == nil {
		err = corpus.SetMeta(t.Context(), "analysis", "0")
	}
	if err != nil {
		t.Fatal(err)
	}
	const want = "indexed with version 0 of the text analysis"
	if text, code := clitest.Ask(t, app, command.Person, "search corpus ergothioneine"); code != 1 || !strings.Contains(text, want) {
		t.Errorf("search: exit %d, want 1 and %q in %s", code, want, text)
	}
	if text, _ := clitest.Ask(t, app, command.Person, "health"); !strings.Contains(text, "| local corpus | data | down | the corpus was "+want) {
		t.Errorf("health: want the local corpus down in %s", text)
	}
}

// An export of a search by meaning says how many of its documents have no word of the query.
func TestAnExportSaysWhatIsOnlyNear(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	sample := filepath.Join(commandtest.Root(t), "cli", "demo", "sample.xml")
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+sample); code != 0 {
		t.Fatal(text)
	}
	const want = "documents have no word of the query and are only near it in meaning"
	for line, said := range map[string]bool{
		"search corpus mushroom --pmids": true, "search corpus mushroom --csv": true,
		"search corpus 'mushroom[tiab]' --pmids": false, "search corpus mushroom": false,
	} {
		if text, notices, _ := clitest.RunForPerson(t, app, line); strings.Contains(text+notices, want) != said {
			t.Errorf("%s: %q said: %v, want %v\n%s", line, want, !said, said, notices)
		}
	}
}
