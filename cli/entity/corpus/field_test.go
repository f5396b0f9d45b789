package corpus_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/rag"
	"biomcp/store"
)

// Queries with PubMed's tags find the documents that have them, at every door. Conditions alone list.
func TestFieldTagsAtEveryDoor(t *testing.T) {
	app := commandtest.Disk(t)
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t))
	for query, want := range map[string]string{
		"muster j[au]": "90100001", "author:Muster": "90100001", "--author muster": "90100001", "muster[1au]": "",
		"example ab[First Author]": "90100001", "synthetic mushroom group[au]": "90100001", "cures[ti]": "90100003 90100002",
		"volunteer[ti]": "", "volunteer[tiab]": "90100001 90100002", "title:cures": "90100003 90100002", "humans[tiab]": "",
		"humans[mesh]": "90100001 90100002", "humans[majr]": "", "ergothioneine[MeSH Major Topic]": "90100001 90100002",
		"2019:2021[dp]": "90100003 90100002", "2023/01/01:2023[pdat]": "90100001", "year:2024": "90100004",
		"Randomized Controlled Trial[pt]": "90100001", "J Synth Nutr[ta] AND 2023[dp]": "90100001", "english[la] NOT eng*[la]": "",
		"SYN-001[gr]": "90100001", "90100004[pmid]": "90100004", "ergothioneine AND retracta r[au]": "90100002",
		"ergothioneine year:2023": "90100001", "ergothioneine title:cures": "90100003 90100002", "ergothioneine author:Muster": "90100001",
		"ergothioneine 2023[dp]": "90100001", "cures 2019:2021[dp]": "90100003 90100002", "ergothioneine 90100002[pmid]": "90100002",
		"cures english[la]": "90100003 90100002", "systematic[sb]": "", "ergothioneine muster[au]": "90100001", "(braf OR cures)[ti] NOT 2019[dp]": "90100003 90100004", "ergothioneine --author solo": "",
	} {
		line, flags, _ := strings.Cut(query, "--")
		line = strings.TrimSpace("search corpus '"+strings.TrimSpace(line)+"'") + " --" + flags
		line = strings.TrimSuffix(strings.Replace(line, "''", "", 1), " --")
		for _, form := range []string{" --pmids", ""} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				out := clitest.Answer(t, app, policy, line+form)
				for _, pmid := range []string{"90100001", "90100002", "90100003", "90100004"} {
					got := strings.Contains(out, "pmid:"+pmid) || form != "" && strings.Contains(out, pmid+"\n")
					if has := strings.Contains(want, pmid); got != has {
						t.Errorf("%s: %s is among the documents: %t, want %t", line+form, pmid, got, has)
					}
				}
			}
		}
	}
	everyDoor(t, app, "search corpus 'invented[ad] ergothioneine'", "the corpus has no field for affiliation; searched for as words in all fields")
	everyDoor(t, app, "search corpus 'systematic[sb]'", "every part of the query was left out, so nothing was searched for")
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'systematic[sb]'"); strings.Contains(out, "Nothing in the local corpus") {
		t.Errorf("the answer claims that nothing matches, but nothing was searched for:\n%s", out)
	}
	everyDoor(t, app, "search corpus 'ergothioneine pages [pg]'", "the corpus has no field for pages; searched for as words")
	everyDoor(t, app, "search corpus 'ergothioneine muster[au]'", "read as the author muster after the words ergothioneine")
	everyDoor(t, app, "search corpus --author 'ergothioneine muster'", "the corpus has no author of this name; it was read as muster")
	for line, want := range map[string]string{
		"search corpus 'ergothioneine[foo]'":             "[foo] after ergothioneine: unknown tag; searched for as words",
		`search corpus 'author:"" ergothioneine'`:        `author:"": left out, without a value`,
		"search corpus 'inventions[mh]'":                 "no document of the corpus has the MeSH heading inventions; to find the name of a heading: biomcp search mesh inventions",
		"search corpus 'cures AND Inventions[majr]'":     "no document of the corpus has the MeSH heading Inventions",
		"search corpus 'ergothioneine -muster[au]'":      "-muster[au] excludes documents with muster[au]",
		"search corpus 'ergothioneine [majr]'":           "[majr] after ergothioneine: without narrower headings",
		"search corpus 'author:van der Muster AND cure'": "author:van der Muster: the words after the colon are read as one name",
	} {
		everyDoor(t, app, line, want)
	}
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'humans[majr]'"); strings.Contains(out, "no document of the corpus") {
		t.Errorf("documents have the heading, but the answer says: %s", out)
	}
	everyDoor(t, app, "search corpus 'soon[dp] AND ergothioneine'", "left out, soon is not a date")
	everyDoor(t, app, "search corpus 'humans/genetics[mesh]'", "without the subheading genetics, which the corpus does not index")
	out := clitest.Answer(t, app, command.Agent, "search corpus 'title:cures AND everything' --explain --json")
	for _, want := range []string{`"reads":"cures[title] AND everything"`, `"tags":[{"words":"cures","tag":"title:","field":"title","missing":false,"note":null}]`} {
		if !strings.Contains(out, want) {
			t.Errorf("the JSON lacks %s:\n%s", want, out)
		}
	}
}

// The help names every field that a query can have.
func TestHelpNamesEveryField(t *testing.T) {
	out := strings.Join(strings.Fields(clitest.Answer(t, commandtest.Disk(t), command.Person, "search corpus --help")), " ")
	for _, f := range rag.Fields() {
		if shown := fmt.Sprintf("%s [%s]", f.Name, f.Tags[0]); strings.Contains(out, shown) == f.Missing() {
			t.Errorf("the help shows %s: %t, want %t", shown, f.Missing(), !f.Missing())
		}
	}
}

// A corpus that an earlier version imported says that its authors and titles are not indexed, and a
// rebuild indexes them.
func TestOldCorpusLacksFields(t *testing.T) {
	app := commandtest.Disk(t)
	corpus, err := app.CorpusToWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := &store.Document{PMID: 7, PMIDVersion: 1, Title: "Invented cures", Abstract: "A cure of nothing.",
		Authors: []store.Author{{LastName: "Muster", Initials: "J"}}}
	rag.NewCutter().Cut(d)
	d.Chunks[0].TitleEnd, d.Chunks[0].TextEnd = 0, 0 // as an earlier version stored it
	b := corpus.Begin("q")
	if err := b.Put(d); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	const notice = "an earlier version imported 1 passage without an index"
	for _, line := range []string{"search corpus 'cures[ti]'", "search corpus cures --author muster", "search corpus 'muster[au]'"} {
		everyDoor(t, app, line, notice)
	}
	for line, want := range map[string][2]bool{ // misses, cannot exclude
		"cures[ti]": {true, false}, "cures NOT muster[au]": {false, true}, "cures -title:cures": {false, true},
		"cures[ti] NOT english[la]": {true, true}, "cures NOT (invented NOT muster[au])": {true, false}, "NOT muster[au]": {false, true},
	} {
		out := clitest.Answer(t, app, command.Agent, "search corpus '"+line+"'")
		if got := [2]bool{strings.Contains(out, "this search misses"), strings.Contains(out, "cannot exclude")}; got != want {
			t.Errorf("%s: the answer says that the search misses documents and that NOT cannot exclude them: %v, want %v:\n%s",
				line, got, want, out)
		}
	}
	const vectors = "and then biomcp sync embeddings"
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'cures[ti]'"); strings.Contains(out, vectors) {
		t.Errorf("the corpus has no vectors, but the answer says: %s", out)
	}
	if _, err := corpus.NewModel(t.Context(), "local-test", 2); err != nil {
		t.Fatal(err)
	}
	everyDoor(t, app, "search corpus 'cures[ti]'", vectors)
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'cures AND 2020[dp]'"); strings.Contains(out, notice) {
		t.Errorf("a date needs no new index, but the answer says: %s", out)
	}
	if err := corpus.Close(); err != nil {
		t.Fatal(err)
	}
	clitest.Answer(t, app, command.Person, "sync repair --force")
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'cures[ti]'"); !strings.Contains(out, "pmid:7") || strings.Contains(out, notice) {
		t.Errorf("after the rebuild: %s", out)
	}
}

// A query of any form without hits suggests the wider query with its number of documents, and the same
// filters.
func TestWiderQueryIsSuggested(t *testing.T) {
	app := commandtest.Disk(t)
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t))
	for line, want := range map[string]string{
		`search corpus '"ergothioneine volunteer" AND mushrooms' --mesh Humans`: "ergothioneine AND volunteer AND mushrooms: 2",
		`search corpus 'melanoma AND mushrooms AND 2019[dp]'`:                   `(melanoma OR mushrooms) AND 2019[dp]: 1`,
		`search corpus 'volunteer[mh]'`:                                         "volunteer: 2",
		`search corpus 'humans[majr] AND ergothioneine'`:                        "humans[mh] AND ergothioneine: 2",
		`search corpus 'ergothioneine AND 1999[dp] AND muster[au]'`:             "ergothioneine AND muster[au]: 1",
		`search corpus '(melanoma OR zebrafish) AND (cures OR nowhere)'`:        "melanoma OR zebrafish: 1",
		`search corpus '(zebrafish AND cures) OR (axolotl AND mushrooms)'`:      "zebrafish OR cures OR axolotl OR mushrooms: 3",
		`search corpus 'volunteer NOT ergothioneine'`:                           "volunteer: 2",
		`search corpus 'volunteer[ti]'`:                                         "volunteer[tiab]: 2",
	} {
		if text := strings.ReplaceAll(clitest.Answer(t, app, command.Agent, line), `\`, ""); !strings.Contains(text, "for "+want) {
			t.Errorf("%s: want %s:\n%s", line, want, text)
		}
		everyDoor(t, app, line, "for ")
		query, n, _ := strings.Cut(want, ": ")
		wider := "search corpus '" + query + "' --pmids"
		if strings.HasSuffix(line, "Humans") {
			wider += " --mesh Humans"
		}
		if got := strings.Fields(clitest.Answer(t, app, command.Agent, wider)); fmt.Sprint(len(got)) != n {
			t.Errorf("%s: %d documents, want the %s that were counted", wider, len(got), n)
		}
	}
}

// An entry term in a field of MeSH headings stands for its heading at every door, also one that usually
// means something else, and in the singular. The name as typed is searched for too.
func TestEntryTermsInFieldsOfHeadings(t *testing.T) {
	app := commandtest.Disk(t)
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t))
	for typed, heading := range map[string]string{
		"cancer": "Neoplasms", "aids": "Acquired Immunodeficiency Syndrome", "Elderly": "Aged", "estrogen": "Estrogens",
		"heart attack": "Myocardial Infarction", "Infarction, Myocardial": "Myocardial Infarction", "Homo sapiens": "Humans",
	} {
		for _, tag := range []string{"mh", "MeSH Terms", "majr"} {
			line := fmt.Sprintf(`search corpus '"%s"[%s] AND ergothioneine'`, typed, tag)
			everyDoor(t, app, line, "searched as the heading "+heading)
		}
	}
	for _, line := range []string{"search corpus 'homo sapiens[mh]' --pmids", "search corpus 'human[mh]' --pmids"} {
		if got := strings.Fields(clitest.Answer(t, app, command.Agent, line)); len(got) != 2 {
			t.Errorf("%s: documents %q, want the 2 with the heading Humans", line, got)
		}
	}
	if out := clitest.Answer(t, app, command.Agent, "search corpus 'humans[mh]'"); strings.Contains(out, "searched as") {
		t.Errorf("the name of a heading is not another name: %s", out)
	}
}
