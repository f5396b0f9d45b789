package refparse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// An entry is a synthetic item of a reference list. title is "" if it is an identifier alone.
type entry struct{ text, title, id, author string }

// drawEntry returns an entry whose title and identifiers have the number n.
func drawEntry(random *rand.Rand, n int) entry {
	title := fmt.Sprintf("Fungi of the made-up wood %d and of its many trees", 100+n)
	doi, number := fmt.Sprintf("10.9999/synth.%d", n), fmt.Sprint(90100000+n)
	const place = "J Synth Nutr. 2018 Feb;75(2):79-89."
	switch random.IntN(8) {
	case 0:
		return entry{"PMID: " + number, "", number, ""}
	case 1:
		return entry{doi, "", doi, ""}
	case 2:
		return entry{"PMC" + number, "", "PMC" + number, ""}
	case 3:
		return entry{"Muster CC. " + title + ". In: Beispiel LE, Other A, editors. WoodReviews [Internet]. 2nd ed. Woodville (WA): " +
			"University of Wood; 2018.", title, "", "Muster CC"}
	case 4:
		return entry{"van der Berg B, de Boer A. " + title + ". " + place + " doi: " + doi, title, doi, "van der Berg B"}
	case 5:
		return entry{"de Vries B. " + title + ". " + place, title, "", "de Vries B"}
	case 6:
		return entry{"Muster CC, Beispiel LE. " + title + ". " + place + " PMID: " + number, title, number, "Muster CC"}
	}
	return entry{"Other A, Beispiel LE, Muster CC. " + title + ". " + place + " doi: " + doi, title, doi, "Other A"}
}

// A list with numbers, with gaps between them, with fewer numbers than references or with none has as many references
// as entries, each with its own identifier.
func TestListsKeepTheirReferences(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		size := 2 + random.IntN(6)
		numbered, hasGaps, isWrapped := random.IntN(size+2), random.IntN(2) == 0, random.IntN(2) == 0
		if random.IntN(3) == 0 {
			numbered = size
		}
		if numbered == 1 { // one number alone is not a list
			numbered = 0
		}
		var want []entry
		text, number := "", 0
		for i := range size {
			e := drawEntry(random, i)
			printed := e.text
			if isWrapped && e.title != "" {
				printed = wrap(printed)
			}
			number++
			if hasGaps && i > 0 {
				number += random.IntN(3) * random.IntN(20)
			}
			switch {
			case i < numbered:
				printed = fmt.Sprintf("%d. %s", number, printed)
			case i > 0 && e.title == "" && want[i-1].title != "": // the identifier would belong to the reference
				printed = "\n" + printed
			}
			want, text = append(want, e), text+printed+"\n"
		}
		got := Split(text)
		var titles []string
		for _, r := range got {
			titles = append(titles, r.Text)
		}
		if len(got) != size {
			t.Fatalf("got %d references, want %d:\n%s\ngot\n%s", len(got), size, text, strings.Join(titles, "\n"))
		}
		for i, r := range got {
			if id := r.DOI + r.PMID + r.PMCID; id != want[i].id || r.Title != want[i].title || r.Author != want[i].author {
				t.Fatalf("reference %d: got %q by %q with %q, want %+v:\n%s", i+1, r.Title, r.Author, id, want[i], text)
			}
		}
	}
}

// Lines that follow a list are not lost in its last reference.
func TestLinesAfterAReference(t *testing.T) {
	one := "Muster CC, Beispiel LE, Other A. Fungi of a made-up wood and of its trees. J Synth Nutr. 2018;75(2):79-89."
	chapter := "Muster, C. C. (2018). Fungi of a made-up wood. In L. E. Beispiel (Ed.), WoodReviews. University of Wood."
	for text, want := range map[string][]string{
		"1. PMID: 90100001\n2. PMID: 90100002\nPMID: 90100003\nPMID: 90100004":   {"1. PMID: 90100001", "2. PMID: 90100002", "PMID: 90100003", "PMID: 90100004"},
		"1. PMID: 90100001\n2. PMID: 90100002\n10.9999/a\n10.9999/b":             {"1. PMID: 90100001", "2. PMID: 90100002", "10.9999/a", "10.9999/b"},
		"1. PMID: 90100001\nPMCID: PMC99900001\n2. PMID: 90100002":               {"1. PMID: 90100001 PMCID: PMC99900001", "2. PMID: 90100002"},
		"1. " + one + "\n2. " + one + "\nPMID: 90100001\nPMID: 90100002":         {"1. " + one, "2. " + one + " PMID: 90100001", "PMID: 90100002"},
		wrap(one) + "\nmelanoma immunotherapy":                                   {one, "melanoma immunotherapy"},
		wrap(one) + "\n5-fluorouracil in melanoma":                               {one, "5-fluorouracil in melanoma"},
		"1. " + wrap(one) + "\n2. " + wrap(one) + "\nmelanoma immunotherapy":     {"1. " + one, "2. " + one, "melanoma immunotherapy"},
		wrap(one) + "\ndiscussion 90-2.":                                         {one + " discussion 90-2."},
		"1. " + one + "\n2. " + chapter + "\n" + one + "\n" + wrap(one):          {"1. " + one, "2. " + chapter, one, one},
		"1. " + wrap(one) + "\n2. " + strings.ReplaceAll(one, ":79-", ":\n79. "): {"1. " + one, "2. " + strings.ReplaceAll(one, ":79-", ": 79. ")},
	} {
		var got []string
		for _, r := range Split(text) {
			got = append(got, r.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// manyChapters returns a list of references to n chapters.
func manyChapters(n int) string {
	chapter := "Muster, C. C. (2018). Fungi of a made-up wood. In L. E. Beispiel (Ed.), WoodReviews. University of Wood."
	return "1. " + chapter + "\n2. " + strings.Repeat(chapter+"\n", n-1)
}

func TestManyChapters(t *testing.T) {
	if got := Split(manyChapters(1001)); len(got) != 1001 {
		t.Errorf("got %d references, want 1001", len(got))
	}
}

// The time must not grow with the square of the number of chapters.
func BenchmarkSplitChapters(b *testing.B) {
	for _, n := range []int{100, 1000} {
		text := manyChapters(n)
		b.Run(fmt.Sprintf("chapters=%d", n), func(b *testing.B) {
			for b.Loop() {
				Split(text)
			}
		})
	}
}

// An identifier alone is read in every form in which people write it. A short number may be a
// year or a page.
func TestAnIdentifierAloneIsRead(t *testing.T) {
	for _, format := range []string{
		"%s", "PMID %s", "PMID: %s", "pmid%s", "PMID=%s", "PMID #%s", "PMID; %s", "PubMed ID %s", "PubMed PMID: %s", "(PMID: %s)",
		"[%s]", "3. %s", "%s.", "- %s", `"%s"`, "https://pubmed.ncbi.nlm.nih.gov/%s/", "%s;", "  %s\t",
	} {
		file, err := Read("Muster CC. Fungi of the wood. J Synth Nutr. 2018 Feb;75(2):79-89.\n\n" + fmt.Sprintf(format, "90100002"))
		if err != nil || len(file.References) != 2 || file.References[1].PMID != "90100002" || file.References[1].Title != "" {
			t.Errorf("%q: %v, %+v", format, err, file.References)
		}
	}
	for text, want := range map[string]string{
		"PMC 90100002": "PMC90100002", "PMCID: PMC90100002": "PMC90100002", "PMCID PMC90100002": "PMC90100002",
		"doi:10.9999/synth.1": "10.9999/synth.1", "(doi: 10.9999/synth.1)": "10.9999/synth.1", "10.9999/synth.1;": "10.9999/synth.1",
		"90100002 ; 90100001": "90100002 90100001", "31\nPMID 4": "4", "901000021": "", "2018\n10.9999/synth.1": "10.9999/synth.1",
	} {
		file, err := Read(text)
		if ids, _ := file.IDs(); err != nil || strings.Join(ids, " ") != want {
			t.Errorf("%q: got %q, want %q (%v)", text, ids, want, err)
		}
	}
}
