package variant_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// inClinVar adds a synthetic ClinVar record of one change.
func inClinVar(srv *entreztest.Server, uid, title, spdi string, more map[string]any, terms map[string][]string) {
	summary := map[string]any{"accession": "VCV" + uid, "title": title, "variation_set": []any{map[string]any{"canonical_spdi": spdi}}}
	maps.Copy(summary, more)
	found := map[string][]string{"CSPDI": {spdi}}
	maps.Copy(found, terms)
	srv.SetEntry("clinvar", entreztest.Entry{UID: uid, Summary: summary, Terms: found})
}

// inDBSNP adds a synthetic dbSNP record.
func inDBSNP(srv *entreztest.Server, number, spdi, place38, place37, docsum string) {
	srv.SetEntry("snp", entreztest.Entry{UID: number, Terms: map[string][]string{"RS": {number}}, Summary: map[string]any{
		"snp_id": number, "spdi": spdi, "chrpos": place38, "chrpos_prev_assm": place37, "docsum": docsum, "snp_class": "delins", "genes": []any{map[string]any{"name": "GJB2"}},
	}})
}

func TestClinVarThatDoesNotAnswerIsNotSaidToHaveNothing(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for _, fault := range []sourcetest.Fault{
		{Endpoint: "esearch", Kind: sourcetest.HTML502, Times: -1},
		{Endpoint: "esummary", Kind: sourcetest.HTML502, From: 2, Times: -1}, // the first call is for dbSNP
	} {
		srv.ClearFaults()
		if err := srv.Fail(fault); err != nil {
			t.Fatal(err)
		}
		text, code, _ := clitest.AskUncached(t, srv, "get variant rs113488022 clinvar diseases trials population --json")
		got := variantJSON(t, text)
		clitest.WantExit(t, code, 0, text)
		if len(got.Variants) != 1 {
			t.Fatalf("%s: len(Variants) = %v, want 1: %s", fault.Endpoint, len(got.Variants), text)
		}
		if got.Variants[0].ID != "rs113488022" {
			t.Errorf("%s: Variants[0].ID = %q, want %q: %s", fault.Endpoint, got.Variants[0].ID, "rs113488022", text)
		}
		if got.Variants[0].VCV != "" {
			t.Errorf("%s: Variants[0].VCV = %q, want %q: %s", fault.Endpoint, got.Variants[0].VCV, "", text)
		}
		if !strings.Contains(fmt.Sprint(got.Notices), "whether ClinVar has rs113488022 is not known: ") {
			t.Errorf("%s: Notices lacks %q: %s", fault.Endpoint, "whether ClinVar has rs113488022 is not known: ", text)
		}
		if o := clitest.Outcomes(t, text); fmt.Sprint(o) != "map[clinvar:unavailable diseases:unavailable population:data trials:unavailable variants:degraded]" {
			t.Errorf("%s: %v", fault.Endpoint, o)
		}
	}
	srv.ClearFaults()
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esearch", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, _, _ := clitest.AskUncached(t, srv, "get variant rs113488022 articles --json")
	o := clitest.Outcomes(t, text)
	if o["articles"] != "degraded" {
		t.Errorf("o[articles] = %q, want %q: %s", o["articles"], "degraded", text)
	}
	clitest.WantText(t, text, `"articles_total":null`)
}

func TestManyNumbersAreLookedForAtOnce(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	line := "get variant rs113488022 rs268"
	for i := range 190 {
		line += fmt.Sprint(" rs", 990000000+i)
	}
	line += " NC_000007.14:140753396:A:T NC_000007.14:140800000:A:G NC_000007.14:140781602:C:T"
	text, code, requests := clitest.AskUncached(t, srv, line+" --json")
	got := variantJSON(t, text)
	clitest.WantExit(t, code, 0, text)
	if got.Variants[0].ID != v600e {
		t.Errorf("Variants[0].ID = %v, want %v: %.600s", got.Variants[0].ID, v600e, text)
	}
	if got.Variants[1].ID != "rs268" {
		t.Errorf("Variants[1].ID = %q, want %q: %.600s", got.Variants[1].ID, "rs268", text)
	}
	if len(got.Variants) != 5 {
		t.Errorf("len(Variants) = %v, want 5: %.600s", len(got.Variants), text)
	}
	if len(got.NotFound) != 190 {
		t.Errorf("len(NotFound) = %v, want 190: %.600s", len(got.NotFound), text)
	}
	searches := 0
	for _, r := range requests {
		if r.Endpoint == "esearch" {
			searches++
		}
	}
	if searches != 2 { // one for rs numbers, one for sequence changes
		t.Errorf("%d searches: %q", searches, clitest.Endpoints(requests))
	}
}

func TestNamesThatTimeDoesNotAllowCostNoOthers(t *testing.T) {
	t.Parallel()
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := srv.Fail(sourcetest.Fault{Endpoint: "variation-hgvs", Kind: sourcetest.Stall, Times: -1}); err != nil {
			t.Fatal(err)
		}
		app.Env.Network.Deadline = 3 * time.Second
		text, code := clitest.Ask(t, app, command.Agent, "get variant 90400001 rs113488022 'NM_000237.2:c.1421C>G' --json")
		got := variantJSON(t, text)
		clitest.WantExit(t, code, 0, text)
		if len(got.Variants) != 2 {
			t.Fatalf("len(Variants) = %v, want 2: %s", len(got.Variants), text)
		}
		if got.Variants[1].ID != v600e {
			t.Errorf("Variants[1].ID = %v, want %v: %s", got.Variants[1].ID, v600e, text)
		}
		if !strings.Contains(fmt.Sprint(got.Notices), "could not be looked for: NM_000237.2:c.1421C>G: ") {
			t.Errorf("Notices lacks %q: %s", "could not be looked for: NM_000237.2:c.1421C>G: ", text)
		}
		if clitest.Outcomes(t, text)["variants"] != "degraded" {
			t.Errorf("outcome of variants = %q, want %q: %s", clitest.Outcomes(t, text)["variants"], "degraded", text)
		}
	}, entreztest.File(commandtest.Records(t)))
}

func TestLitVarIsNamedWhereItWasAsked(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get variant 90400001 articles --json") // no rs number, no change of a protein
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"pmids_count":null`, `"sources":["ClinVar"]`)
	clitest.WantNoText(t, text, `"LitVar2"`)
	clitest.WantText(t, text, "VCV090400001 has neither an rs number nor a change of a protein")
	text, code, _ = clitest.AskUncached(t, srv, "get variant NC_000007.14:140800000:A:G articles --json")
	clitest.WantExit(t, code, 0, text)
	if clitest.Outcomes(t, text)["articles"] != "inapplicable" {
		t.Errorf("outcome of articles = %q, want %q: %s", clitest.Outcomes(t, text)["articles"], "inapplicable", text)
	}
}

func TestNumberOfSeveralAllelesHasTheNamesOfNone(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	inDBSNP(srv, "90000009", "NC_000001.11:1000:TTTTTTTTT:TTTTTTTT,NC_000001.11:1000:TTTTTTTTT:TTTTTTTTTT", "1:1001", "1:2001",
		"HGVS=NC_000001.11:g.1009del,NC_000001.11:g.1009dup,NM_900000.1:c.10del,NM_900000.1:c.10dup,NP_900000.1:p.Phe4fs|LEN=1")
	for name, want := range map[string]string{"rs90000009": "GRCh38 1001-1009 >; GRCh37 2001-2009 >; ", "NC_000001.11:g.1009dup": "GRCh38 1001-1009 TTTTTTTTT>TTTTTTTTTT; GRCh37 2001-2009 >; "} {
		t.Run(name, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant "+name+" --json")
			v := variantJSON(t, text).Variants[0]
			places := ""
			for _, l := range v.Locations {
				places += fmt.Sprintf("%s %d-%d %s>%s; ", l.Assembly, l.Start, l.End, l.Ref, l.Alt)
			}
			clitest.WantExit(t, code, 0, text)
			if v.RSID != "rs90000009" {
				t.Errorf("v.RSID = %q, want %q: %s", v.RSID, "rs90000009", text)
			}
			if v.HGVS.G+v.HGVS.C+v.HGVS.P != "" {
				t.Errorf("v.HGVS.G+v.HGVS.C+v.HGVS.P = %q, want %q: %s", v.HGVS.G+v.HGVS.C+v.HGVS.P, "", text)
			}
			if !sameParts(places, want) {
				t.Errorf("sameParts(places, want) is false: %s", text)
			}
		})
	}
	inDBSNP(srv, "90000031", "NC_000013.11:20189546:CCCCCC:CCCCC", "13:20189547", "13:20763686", "HGVS=NC_000013.11:g.20189552del,NM_900001.1:c.35del,NP_900001.1:p.Gly12fs|LEN=1")
	text, code, _ := clitest.AskUncached(t, srv, "get variant rs90000031 --json")
	v := variantJSON(t, text).Variants[0]
	l := v.Locations[0]
	clitest.WantExit(t, code, 0, text)
	if l.Start != 20189547 {
		t.Errorf("l.Start = %v, want 20189547: %s", l.Start, text)
	}
	if l.End != 20189552 {
		t.Errorf("l.End = %v, want 20189552: %s", l.End, text)
	}
	if l.Ref != "CCCCCC" {
		t.Errorf("l.Ref = %q, want %q: %s", l.Ref, "CCCCCC", text)
	}
	if l.Alt != "CCCCC" {
		t.Errorf("l.Alt = %q, want %q: %s", l.Alt, "CCCCC", text)
	}
	if v.HGVS.C != "NM_900001.1:c.35del" {
		t.Errorf("v.HGVS.C = %q, want %q: %s", v.HGVS.C, "NM_900001.1:c.35del", text)
	}
	if v.HGVS.G != "NC_000013.11:g.20189552del" {
		t.Errorf("v.HGVS.G = %q, want %q: %s", v.HGVS.G, "NC_000013.11:g.20189552del", text)
	}
}

func TestBatchSaysWhichIDsCouldNotBeLookedFor(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esearch", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	line := "batch variant rs113488022 rs990000099"
	for i := range 10 {
		line += fmt.Sprint(" rs", 990000000+i)
	}
	text, code, _ := clitest.AskUncached(t, srv, line+" --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"found":1`)
	if strings.Count(text, `"code":"UPSTREAM"`) != 11 {
		t.Errorf("%q occurs %d times, want %d: %s", `"code":"UPSTREAM"`, strings.Count(text, `"code":"UPSTREAM"`), 11, text)
	}
	clitest.WantNoText(t, text, "NOT_FOUND")
}

func sameParts(a, b string) bool {
	for _, part := range strings.Split(b, "; ") {
		if !strings.Contains(a, part) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestRecordOfSeveralChangesIsNotOneOfThem(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	const title = "NM_000771.4(CYP2C9):c.[1075A>C;1080C>G]"
	member := func(spdi, number string) map[string]any {
		return map[string]any{"canonical_spdi": spdi, "variation_xrefs": []any{map[string]any{"db_source": "dbSNP", "db_id": number}}}
	}
	inClinVar(srv, "90400020", title, "", map[string]any{
		"genes": []any{map[string]any{"symbol": "CYP2C9"}}, "protein_change": "I359L, D360E",
		"variation_set": []any{member("NC_000010.11:94981295:A:C", "90000021"), member("NC_000010.11:94981300:C:G", "90000022")},
	}, map[string][]string{"GENE": {"CYP2C9"}, "VRID": {"rs90000021", "rs90000022"}, "VARNAM": {"NM_000771.4", "1075A>C", "1080C>G", "D360E", "p.Asp360Glu"}})
	inDBSNP(srv, "90000022", "NC_000010.11:94981300:C:G", "10:94981301", "", "")
	for word, want := range map[string]string{
		"VCV90400020": "VCV90400020", "rs90000022": "rs90000022", "CYP2C9 D360E": "",
		"NM_000771.4:c.[1075A>C;1080C>G]": "VCV90400020", "NM_000771.4(CYP2C9):c.[1075A>C;1080C>G]": "VCV90400020", "CYP2C9 c.[1075A>C;1080C>G]": "VCV90400020",
		"NM_000771.3:c.[1075A>C;1080C>G]": "", "CYP2C9 c.[1075A>C;1080C>T]": "",
	} {
		t.Run(word, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant '"+word+"' --json")
			got := variantJSON(t, text)
			switch {
			case want == "" && (code != 1 || !strings.Contains(text, "NOT_FOUND")):
				t.Errorf("%s: exit %d: %s", word, code, text)
			case want != "" && (code != 0 || len(got.Variants) != 1 || got.Variants[0].ID != want):
				t.Errorf("%s: exit %d: %s", word, code, text)
			case want == "VCV90400020" && (got.Variants[0].RSID != "" || got.Variants[0].SPDI != "" || got.Variants[0].HGVS.C != "NM_000771.4:c.[1075A>C;1080C>G]"):
				t.Errorf("%s: %s", word, text)
			}
		})
	}
}

func TestLongChangesByTheirNames(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	titles := map[string][]string{
		"NM_900001.5(EGFR):c.2235_2249del (p.Glu746_Ala750del)":            {"EGFR p.Glu746_Ala750del", "EGFR E746_A750del", "EGFR:E746_A750del", "EGFR c.2235_2249del"},
		"NM_900001.5(EGFR):c.2239_2258delinsCA (p.Leu747_Pro753delinsSer)": {"EGFR L747_P753delinsS"},
		"NM_900002.1(APC):c.1858del (p.Phe620fs)":                          {"APC p.Phe620Serfs*10", "APC F620Sfs*10", "APC p.Phe620fs"},
		"NM_900003.8(HTT):c.54GCA[23] (p.Gln18[23])":                       {"HTT c.54GCA[23]", "NM_900003.8:c.54GCA[23]", "HTT p.Gln18[23]", "HTT Q18[23]"},
		"NM_900004.1(GJB2):c.1A>G (p.Met1?)":                               {"GJB2 p.Met1?", "GJB2 M1?"},
	}
	uid := 90400030
	for title, names := range titles {
		gene := names[0][:strings.IndexAny(names[0], " :")]
		uid++
		inClinVar(srv, fmt.Sprint(uid), title, "", map[string]any{"genes": []any{map[string]any{"symbol": gene}}}, map[string][]string{"GENE": {gene}, "VARNAM": strings.FieldsFunc(title, func(c rune) bool { return strings.ContainsRune(" ()[]:?", c) })})
		for _, name := range names {
			text, code, _ := clitest.AskUncached(t, srv, "get variant '"+name+"' --json")
			got := variantJSON(t, text)
			if code != 0 || len(got.Variants) != 1 || got.Variants[0].Title != title {
				t.Errorf("%s: exit %d: %.500s", name, code, text)
				continue
			}
			for _, printed := range []string{got.Variants[0].HGVS.P} {
				text, code, _ := clitest.AskUncached(t, srv, "get variant '"+printed+"' --json")
				again := variantJSON(t, text)
				clitest.WantExit(t, code, 0, text)
				if again.Variants[0].Title != title {
					t.Errorf("%s: again.Variants[0].Title = %v, want %v: %.500s", printed, again.Variants[0].Title, title, text)
				}
			}
		}
	}
	text, code, _ := clitest.AskUncached(t, srv, "get variant EGFR E746_A750del --json") // unquoted
	if code != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestVariantOfTheMitochondrion(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	inClinVar(srv, "9589", "NC_012920.1:m.3243A>G", "NC_012920.1:3242:A:G", nil, nil)
	for _, name := range []string{"chrM:3243A>G", "chrMT:g.3243A>G", "NC_012920.1:m.3243A>G", "NC_012920.1:g.3243A>G"} {
		t.Run(name, func(t *testing.T) {
			text, code, _ := clitest.AskUncached(t, srv, "get variant '"+name+"' --json")
			got := variantJSON(t, text)
			clitest.WantExit(t, code, 0, text)
			if got.Variants[0].ID != "VCV9589" {
				t.Errorf("Variants[0].ID = %q, want %q: %s", got.Variants[0].ID, "VCV9589", text)
			}
			if got.Variants[0].HGVS.G != "NC_012920.1:m.3243A>G" {
				t.Errorf("Variants[0].HGVS.G = %q, want %q: %s", got.Variants[0].HGVS.G, "NC_012920.1:m.3243A>G", text)
			}
			if len(got.Notices) > 0 {
				t.Errorf("Notices = %v, want none: %s", got.Notices, text)
			}
		})
	}
}

// If dbSNP was not asked or did not answer, the frequency of a variant is unknown; a frequency
// of zero would be a false claim.
func TestAFrequencyThatNobodyWasAskedForIsNotNone(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	text, code, _ := clitest.AskUncached(t, srv, "get variant 90400001 population --json")
	o := clitest.Outcomes(t, text)
	clitest.WantExit(t, code, 0, text)
	if o["population"] != "inapplicable" {
		t.Errorf("o[population] = %q, want %q: %s", o["population"], "inapplicable", text)
	}
	clitest.WantText(t, text, "VCV090400001 has no rs number in ClinVar")
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML502, From: 2, Times: -1}); err != nil { // the first call is for ClinVar
		t.Fatal(err)
	}
	text, code, _ = clitest.AskUncached(t, srv, "get variant 13961 population --json")
	o = clitest.Outcomes(t, text)
	clitest.WantExit(t, code, 0, text)
	if o["population"] != "unavailable" {
		t.Errorf("o[population] = %q, want %q: %s", o["population"], "unavailable", text)
	}
	clitest.WantText(t, text, `"population":null`)
}
