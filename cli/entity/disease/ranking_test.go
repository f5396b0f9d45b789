package disease_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/bulk"
)

// withHPO runs a test on the synthetic table of HPO. The sites answer no request after it is stored.
func withHPO(t *testing.T, test func(t *testing.T, s *clitest.Sites)) {
	t.Helper()
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync hpo")
		s.ClearRequests()
		test(t, s)
		if asked := s.Requests(); len(asked) > 0 {
			t.Errorf("%d requests, want none: %+v", len(asked), asked[0])
		}
	})
}

// rankingAnswer holds the members of the answer that the tests read.
type rankingAnswer struct {
	Total    int
	Features []struct {
		Typed, HPO, Name, By, Matched string
		Absent                        bool
	}
	Results []struct {
		ID                      string
		Score                   float64
		Exact, Missing, Against []string
		Specific                []string `json:"more_specific"`
		General                 []string `json:"more_general"`
		Related                 []string
		Features                []struct {
			Match       string
			Frequency   *float64
			Annotations []struct{ Frequency, Onset, Reference string }
		}
	}
	Notices []string
	Error   struct {
		Code, Message string
		Details       struct{ Try string }
	}
}

func askRanking(t *testing.T, s *clitest.Sites, line string) (a rankingAnswer, code int) {
	t.Helper()
	for _, policy := range []command.Policy{command.Agent, command.Person} {
		var text string
		text, code = clitest.Ask(t, s.App, policy, line+" --json")
		a = rankingAnswer{}
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%s: %v in %s", line, err, text)
		}
		if code == 0 {
			commandtest.Validate(t, "search_disease.response", line, text)
		}
	}
	return a, code
}

// Each feature is understood by a name, a synonym, an id or another spelling, and the answer says by which.
func TestUnderstoodFeatures(t *testing.T) {
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		for line, want := range map[string]string{
			`--features Seizure`:                                  "Seizure>HP:0001250 by name",
			`--features seizures,ATAXIA,HP:0001263`:               "seizures>HP:0001250 by exact synonym; ATAXIA>HP:0001251 by name; HP:0001263>HP:0001263 by id",
			`--features "seizures, ataxia" --features hp_0001263`: "seizures>HP:0001250 by exact synonym; ataxia>HP:0001251 by name; hp_0001263>HP:0001263 by id",
			`--features "ataxias; febrile seizures"`:              "ataxias>HP:0001251 by spelling of name; febrile seizures>HP:0002373 by spelling of name",
			`--features "seizures, focal, unsteadiness"`:          "seizures, focal>HP:0007359 by exact synonym; unsteadiness>HP:0001251 by broad synonym",
			`--features 'so-called "fits"'`:                       `so-called "fits">HP:0001250 by related synonym`,
			`--features "ataxia of stance"`:                       "ataxia of stance>HP:0002066 by narrow synonym",
			`--features HP:0001275`:                               "HP:0001275>HP:0001250 by former id",
			`--features HP:0002344`:                               "HP:0002344>HP:0001250 by replaced id",
			`--features "ataxia, no seizures"`:                    "ataxia>HP:0001251 by name; no seizures>no HP:0001250 by exact synonym",
			`--features "ataxia, without any febrile seizure"`:    "ataxia>HP:0001251 by name; without any febrile seizure>no HP:0002373 by name",
			`--features "-seizures,ataxia"`:                       "-seizures>no HP:0001250 by exact synonym; ataxia>HP:0001251 by name",
			`--features ataxia --without-features "seizures, heart failures"`: "ataxia>HP:0001251 by name; seizures>no HP:0001250 by exact synonym; " +
				"heart failures>no HP:0001635 by spelling of exact synonym",
			`--features "Autosomal recessive"`: "Autosomal recessive>HP:0000007 by exact synonym",
		} {
			a, code := askRanking(t, s, "search disease "+line)
			var got []string
			for _, f := range a.Features {
				no := ""
				if f.Absent {
					no = "no "
				}
				got = append(got, f.Typed+">"+no+f.HPO+" by "+f.By)
			}
			if joined := strings.Join(got, "; "); code != 0 || joined != want {
				t.Errorf("%s: got %s (exit %d: %s)\nwant %s", line, joined, code, a.Error.Message, want)
			}
		}
	})
}

// A feature that HPO does not have is an error with the nearest terms. A word that negates is never dropped.
func TestUnknownFeatures(t *testing.T) {
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		for line, want := range map[string]string{
			`--features "siezures, ataxia"`:          `"siezures" (nearest: Seizures)|biomcp search disease --features 'Seizures, ataxia' --json`,
			`--features "ataxia, no siezures"`:       `"no siezures" (nearest: Seizures)|biomcp search disease --features 'ataxia, no Seizures' --json`,
			`--features "seizures never"`:            `"seizures never" (nearest: Seizure; Seizures; `,
			`--features "ataxia absent, seizures"`:   `"ataxia absent" (nearest: Ataxia; `,
			`--features HP:0002345`:                  `"HP:0002345" (nearest: HP:0001250; HP:0001251)`,
			`--features "seizures, AHF"`:             `"AHF" names several terms of HPO: Ataxia (HP:0001251), Congestive heart failure (HP:0001635)`,
			`--features HP:9999999`:                  `no current term called "HP:9999999"`,
			`--features zzzqqq`:                      `no current term called "zzzqqq"|biomcp search disease --help`,
			`--features "seizures, no seizure"`:      `"seizures" and "no seizure" are the same feature, Seizure (HP:0001250), present and absent`,
			`--features "no seizures"`:               "--features needs a feature that the patient has",
			`--without-features seizures`:            "needs a query or a filter",
			`marfan --features seizures`:             "cannot be used with a query|biomcp search disease --features=seizures --json",
			`--features seizures --gene FBN1`:        "--features",
			`--features seizures --phenotype ataxia`: "--features",
		} {
			a, code := askRanking(t, s, "search disease "+line)
			message, try, _ := strings.Cut(want, "|")
			if code != 2 || a.Error.Code != "VALIDATION" || !strings.Contains(a.Error.Message, message) || !strings.HasPrefix(a.Error.Details.Try, try) {
				t.Errorf("%s: got exit %d, %q, try %q; want exit 2, %q, try %q", line, code, a.Error.Message, a.Error.Details.Try, message, try)
			}
		}
	})
}

func TestRankedDiseases(t *testing.T) {
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		for line, want := range map[string]string{
			`--features "seizures, ataxia"`: "OMIM:990001 exact[Seizure] specific[Ataxia: Gait ataxia]; OMIM:990005 general[Seizure: Abnormality of the nervous system, " +
				"Ataxia: Abnormality of the nervous system]; OMIM:990004 exact[Ataxia] against[Seizure]; " +
				"ORPHA:990002 specific[Seizure: Febrile seizure] against[Ataxia]",
			`--features "ataxia, no seizures"`: "OMIM:990004 exact[Ataxia]; OMIM:990005 general[Ataxia: Abnormality of the nervous system]; " +
				"OMIM:990001 specific[Ataxia: Gait ataxia] against[no Seizure]",
			`--features "heart failure, ataxia"`: "DECIPHER:990003 exact[Congestive heart failure] missing[Ataxia]",
		} {
			a, code := askRanking(t, s, "search disease "+line)
			var got []string
			for _, d := range a.Results {
				text := d.ID
				for _, l := range []struct {
					name string
					list []string
				}{{"exact", d.Exact}, {"specific", d.Specific}, {"general", d.General}, {"related", d.Related}, {"missing", d.Missing}, {"against", d.Against}} {
					if len(l.list) > 0 {
						text += " " + l.name + "[" + strings.Join(l.list, ", ") + "]"
					}
				}
				got = append(got, text)
			}
			if joined := strings.Join(got, "; "); code != 0 || !strings.HasPrefix(joined, want) {
				t.Errorf("%s: got  %s\nwant %s", line, joined, want)
			}
		}
		a, _ := askRanking(t, s, "search disease --features seizures")
		first := a.Results[0].Features[0]
		if first.Match == "" || len(first.Annotations) != 1 || first.Annotations[0].Reference == "" || first.Frequency == nil {
			t.Errorf("got %+v, want the annotation with its reference and frequency", first)
		}
	})
}

// The pages of a ranking make up the whole, and each tells the exact total.
func TestPagesOfRanking(t *testing.T) {
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		whole, _ := askRanking(t, s, "search disease --features seizures")
		if whole.Total != 3 || len(whole.Results) != 3 {
			t.Fatalf("%d of %d diseases, want 3 of 3", len(whole.Results), whole.Total)
		}
		for i, want := range whole.Results {
			page, code := askRanking(t, s, "search disease --features seizures --limit 1 --offset "+string(rune('0'+i)))
			if code != 0 || page.Total != 3 || len(page.Results) != 1 || page.Results[0].ID != want.ID {
				t.Errorf("page %d: exit %d, total %d, %+v; want %s of 3", i, code, page.Total, page.Results, want.ID)
			}
		}
		count, code := askRanking(t, s, "search disease --features seizures --count")
		if code != 0 || count.Total != 3 || len(count.Results) != 0 {
			t.Errorf("--count: exit %d, total %d with %d rows, want 3 with none", code, count.Total, len(count.Results))
		}
		past, code := askRanking(t, s, "search disease --features seizures --offset 9")
		if code != 0 || past.Total != 3 || len(past.Results) != 0 {
			t.Errorf("--offset 9: exit %d, total %d with %d rows, want 3 with none", code, past.Total, len(past.Results))
		}
	})
}

// Text and CSV show what was understood, the measure, the version and the terms of HPO.
func TestTextOfRanking(t *testing.T) {
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		for _, policy := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, s.App, policy, `search disease --features "seizures, unsteadiness, no heart failures" --limit 1`)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, "| seizures | HP:0001250 | Seizure | has it | exact synonym |", "| no heart failures | HP:0001635 | Congestive heart failure | does not | "+
				"spelling of exact synonym Heart failure |", "**Diseases:** 4, shown 1 to 1", "PMID 32755546", "terms 2026-09-01, annotations 2026-09-02",
				"https://hpo.jax.org/license", "| OMIM:990001 | Synthetic epilepsy with ataxia |", "neither a probability nor a diagnosis", "biomcp get disease OMIM:990001")
			clitest.WantNoText(t, text, "MedGen")
			csv, code := clitest.Ask(t, s.App, policy, `search disease --features seizures --csv`)
			clitest.WantExit(t, code, 0, csv)
			clitest.WantText(t, csv, "id,name,score,exact,more_specific,more_general,related,missing,against\n", "OMIM:990001,Synthetic epilepsy with ataxia,", ",Seizure,")
		}
	})
}

func TestRankingWithoutTable(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		a, code := askRanking(t, s, "search disease --features seizures")
		if code != 1 || a.Error.Code != "NOT_FOUND" || !strings.Contains(a.Error.Message, "local table hpo is not on this machine") || a.Error.Details.Try != "biomcp sync hpo" {
			t.Errorf("got exit %d, %+v; want exit 1 and sync hpo", code, a.Error)
		}
		s.Sync(t, "sync cvx") // the file of tables exists, without this one
		if a, code = askRanking(t, s, "search disease --features seizures"); code != 1 || a.Error.Details.Try != "biomcp sync hpo" {
			t.Errorf("got exit %d, %+v; want exit 1 and sync hpo", code, a.Error)
		}
	})
	withHPO(t, func(t *testing.T, s *clitest.Sites) {
		stale := clitest.Now.Add(bulk.HPO.Stale)
		s.App.Now = func() time.Time { return stale }
		text, code := clitest.Ask(t, s.App, command.Person, "search disease --features seizures")
		clitest.WantExit(t, code, 0, text)
		clitest.WantText(t, text, "the local table hpo is from 2026-11-21, 90 days old")
	})
}
