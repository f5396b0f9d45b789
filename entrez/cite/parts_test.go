package cite

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

func TestDatesBeforeAndAfterTheIssue(t *testing.T) {
	ahead := with(func(a *pubmed.Article) {
		a.PublicationStatus, a.Journal.Volume, a.Journal.Issue = "aheadofprint", "", ""
		a.Journal.Pages, a.Journal.StartPage, a.Journal.EndPage = "", "", ""
		a.PublicationDate = pubmed.PubDate{Year: 2019, Month: 12, Day: 30}
		a.Authors = a.Authors[:1]
	})
	prose(t, "ahead of print", ahead,
		"van Moor, J.-L. A. (2019). Heat & yeast: a 50% test. *Journal of Synthetic Results*. Advance online publication. https://doi.org/10.1000/syn_1",
		`van Moor, Jean-Luc A. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, 30 Dec. 2019, https://doi.org/10.1000/syn_1.`,
		"van Moor JA. Heat & yeast: a 50% test. J. Synth. Res. 2019 Dec 30. doi: 10.1000/syn_1. Epub ahead of print. PMID: 90000010; PMCID: PMC9000010.")
	for style, part := range map[string]string{
		"nbib": "SO  - J Synth Res. 2019 Dec 30. doi: 10.1000/syn_1. Online ahead of print.\n", "ris": "N1  - Epub ahead of print.\n",
		"csl-json": `"status": "advance online publication"`, "bibtex": "{Epub ahead of print.}",
	} {
		t.Run(style, func(t *testing.T) {
			if got := must(t, style, ahead); !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		})
	}
	for model, want := range map[string]string{
		"Print":                  "J Synth Res. 2020 Mar 5;12(3-4):737-8. doi: 10.1000/syn_1.",
		"Electronic":             "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1.",
		"Electronic-Print":       "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1. Print 2020 Mar 5.",
		"Electronic-eCollection": "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1. eCollection 2020 Mar 5.",
	} {
		t.Run(model, func(t *testing.T) {
			a := with(func(a *pubmed.Article) {
				if a.PubModel = model; model == "Print" {
					a.ElectronicDate = pubmed.PubDate{}
				}
			})
			fields, err := readNBIB(must(t, "nbib", a))
			if err != nil || value(fields[0], "SO") != want {
				t.Errorf("%s: %q, want %q", model, value(fields[0], "SO"), want)
			}
		})
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		date                        pubmed.PubDate
		apa, mla, nlm, ris, bib, cs string
	}{
		{pubmed.PubDate{}, "n.d.", "", "", "", "", ""},
		{pubmed.PubDate{Year: 2020}, "2020", "2020", "2020", "", "", "[[2020]]"},
		{pubmed.PubDate{Year: 2020, Month: 9}, "2020", "Sept. 2020", "2020 Sep", "2020/09//", "sep", "[[2020 9]]"},
		{pubmed.PubDate{Year: 2020, Month: 5, Day: 1}, "2020", "1 May 2020", "2020 May 1", "2020/05/01/", "may", "[[2020 5 1]]"},
		{pubmed.PubDate{Year: 2021, Season: "Spring"}, "2021", "spring 2021", "2021 Spring", "2021///Spring", "{Spring}", "[[2021]] season 1"},
		{pubmed.PubDate{Year: 2013, Season: "Jan-Mar"}, "2013", "Jan.–Mar. 2013", "2013 Jan-Mar", "2013/01//Jan-Mar", `jan # "--" # mar`, "[[2013 1] [2013 3]]"},
		{pubmed.PubDate{Year: 2024, Season: "Winter-Spring"}, "2024", "winter-spring 2024", "2024 Winter-Spring", "2024///Winter-Spring", "{Winter-Spring}", "[[2024]]"},
		{pubmed.PubDate{Year: 1998, MedlineDate: "1998 Dec-1999 Jan"}, "1998", "Dec. 1998–Jan. 1999", "1998 Dec-1999 Jan", "1998/12//Dec-1999 Jan", `dec # "--" # jan`, "[[1998 12] [1999 1]]"},
		{pubmed.PubDate{Year: 2000, MedlineDate: "2000 Nov 4-10"}, "2000", "4–10 Nov. 2000", "2000 Nov 4-10", "2000/11/04/Nov 4-Nov 10", "nov", "[[2000 11 4] [2000 11 10]]"},
		{pubmed.PubDate{Year: 1977, MedlineDate: "1977-1978"}, "1977", "1977–1978", "1977-1978", "1977///1978", "", "[[1977] [1978]]"},
		{pubmed.PubDate{Year: 2000, MedlineDate: "2000 Spring"}, "2000", "spring 2000", "2000 Spring", "2000///Spring", "{Spring}", "[[2000]] season 1"},
		{pubmed.PubDate{Year: 1966, MedlineDate: "in the year 1966, 2d quarter"}, "1966", "1966", "in the year 1966, 2d quarter", "", "", "[[1966]]"},
	} {
		t.Run(fmt.Sprint(c.date), func(t *testing.T) {
			d := readDate(c.date)
			year := d.year()
			if year == "" {
				year = "n.d."
			}
			cs := ""
			if x := d.csl(); x != nil {
				if cs = fmt.Sprint(x.Parts); x.Season > 0 {
					cs += fmt.Sprint(" season ", x.Season)
				}
			}
			got := []string{year, d.mla(), nlmDate(c.date), d.ris(), d.bibtexMonth(), cs}
			want := []string{c.apa, c.mla, c.nlm, c.ris, c.bib, c.cs}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%+v: %q, want %q", c.date, got[i], want[i])
				}
			}
		})
	}
}

func TestPages(t *testing.T) {
	for _, c := range []struct{ pgn, start, end, full, mla string }{
		{"737-8", "", "", "737-738", "737–38"},
		{"217-64", "217", "264", "217-264", "217–64"},
		{"1198-202", "", "", "1198-1202", "1198–202"},
		{"e1-e8", "", "", "e1-e8", "e1–e8"},
		{"e1-8", "", "", "e1-e8", "e1–e8"},
		{"S12-7", "", "", "S12-S17", "S12–S17"},
		{"S12-S17", "", "", "S12-S17", "S12–S17"},
		{"1023.e1-5", "", "", "1023.e1-1023.e5", "1023.e1–1023.e5"},
		{"1023.e1-e5", "", "", "1023.e1-1023.e5", "1023.e1–1023.e5"},
		{"126A-B", "", "", "126A-126B", "126A–126B"},
		{"126A-127A", "", "", "126A-127A", "126A–127A"},
		{"iv-x", "", "", "iv-x", "iv–x"},
		{"12-8", "", "", "12-18", "12–18"},
		{"98-2", "", "", "98-2", "98–2"},
		{"5-5", "", "", "5", "5"},
		{"e5807", "", "", "e5807", "e5807"},
		{"123-5, 130", "", "", "123-125, 130", "123–25, 130"},
		{"1-4; discussion 5-8", "", "", "1-4", "1–4"},
		{"96-101", "", "", "96-101", "96–101"},
		{"103-4", "", "", "103-104", "103–04"},
		{"1003-5", "", "", "1003-1005", "1003–05"},
		{"1608-1774", "", "", "1608-1774", "1608–774"},
		{"e1-e3, 123-5", "", "", "e1-e3, 123-125", "e1–e3, 123–25"},
		{"100-4", "", "", "100-104", "100–04"},
		{"99-101, 7-9, 210-12", "", "", "99-101, 7-9, 210-212", "99–101, 7–9, 210–12"},
		{"130-125", "", "", "130-125", "130–125"},
		{"125-130-2", "", "", "125-130-2", "125-130-2"},
		{"1471-2105-7-10", "", "", "1471-2105-7-10", "1471-2105-7-10"},
		{"", "H337", "H349", "H337-H349", "H337–H349"},
		{"rs.3.rs-1800050", "rs.3.rs-1800050", "", "rs.3.rs-1800050", "rs.3.rs-1800050"},
		{"", "", "", "", ""},
	} {
		t.Run(c.pgn, func(t *testing.T) {
			w := &work{Article: &pubmed.Article{Journal: pubmed.Journal{Pages: c.pgn, StartPage: c.start, EndPage: c.end}}}
			ranges := w.readPages()
			if full, mla := formatPages(ranges, "-"), mlaPages(ranges); full != c.full || mla != c.mla {
				t.Errorf("%q: %q and %q, want %q and %q", c.pgn, full, mla, c.full, c.mla)
			}
		})
	}
	// The same in a record of old, which has MedlinePgn alone.
	old := with(func(a *pubmed.Article) { a.Journal.StartPage, a.Journal.EndPage = "", "" })
	for style, part := range map[string]string{
		"ris": "SP  - 737\nEP  - 738\n", "bibtex": "{737--738}", "csl-json": `"page": "737-738"`, "apa": ", 737–738.", "mla": "pp. 737–38", "vancouver": ":737-8.", "nbib": "PG  - 737-8\n",
	} {
		t.Run(style, func(t *testing.T) {
			if got := must(t, style, old); !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		})
	}
	for page, want := range map[string]bool{"e5807": true, "031208": true, "1360006": true, "eabl6449": true, "121": false, "S172": false, "H337": false} {
		t.Run(page, func(t *testing.T) {
			w := &work{Article: &pubmed.Article{PubModel: "Print-Electronic"}, pages: []pageRange{{first: page}}}
			if w.articleNumber() != want {
				t.Errorf("%s as an article number: %v", page, !want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		author                      pubmed.Author
		apa, first, next, nlm, data string
	}{
		{pubmed.Author{LastName: "Rossi", ForeName: "Mario Andrea", Initials: "MA"}, "Rossi, M. A.", "Rossi, Mario Andrea", "Mario Andrea Rossi", "Rossi MA", "Rossi, Mario Andrea"},
		{pubmed.Author{LastName: "De Neve", ForeName: "Jan-Emmanuel", Initials: "JE"}, "De Neve, J.-E.", "De Neve, Jan-Emmanuel", "Jan-Emmanuel De Neve", "De Neve JE", "De Neve, Jan-Emmanuel"},
		{pubmed.Author{LastName: "Gates", ForeName: "H Louis", Initials: "HL", Suffix: "Jr"}, "Gates, H. L., Jr.", "Gates, H. Louis, Jr.", "H. Louis Gates, Jr.", "Gates HL Jr", "Gates, H Louis, Jr."},
		{pubmed.Author{LastName: "Ford", ForeName: "Al", Initials: "A", Suffix: "3rd"}, "Ford, A., III", "Ford, Al, III", "Al Ford III", "Ford A 3rd", "Ford, Al, III"},
		{pubmed.Author{LastName: "Ford", Initials: "AB", Suffix: "3ʳᵈ"}, "Ford, A. B., III", "Ford, A. B., III", "A. B. Ford III", "Ford AB 3rd", "Ford, AB, III"},
		{pubmed.Author{LastName: "Suharto"}, "Suharto", "Suharto", "Suharto", "Suharto", "Suharto"},
		{pubmed.Author{LastName: "Øre", ForeName: "åse (Liv)"}, "Øre, Å.", "Øre, åse (Liv)", "åse (Liv) Øre", "Øre Å", "Øre, åse (Liv)"},
		{pubmed.Author{CollectiveName: "WHO."}, "WHO", "WHO", "WHO", "WHO", "WHO"},
	} {
		t.Run(fmt.Sprint(c.author), func(t *testing.T) {
			p := people([]pubmed.Author{c.author})[0]
			got := []string{p.apa(), p.mlaFirst(), p.mlaNext(), p.nlm(), p.invertedName()}
			want := []string{c.apa, c.first, c.next, c.nlm, c.data}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%+v: %q, want %q", c.author, got[i], want[i])
				}
			}
		})
	}
	if got := bibtexNames(people([]pubmed.Author{{LastName: "Smith and Son", ForeName: "A, B"}, {CollectiveName: "This and That"}}), false); got != "{Smith and Son}, {A, B} and {This and That}" {
		t.Errorf("names that hold and: %s", got)
	}
}

func TestTitles(t *testing.T) {
	one := func(title, vernacular, language string) *pubmed.Article {
		a := group(1)
		a.Title, a.VernacularTitle, a.Language = title, vernacular, []string{language}
		return a
	}
	prose(t, "question", one("Why?", "", "eng"), "A1, B. C. (2020). Why? *J*.", `A1, B. C. "Why?" *J*, 2020.`, "A1 BC. Why? J. 2020. PMID: 1.")
	prose(t, "abbreviation", one("New species of Foo spp.", "", "eng"), "A1, B. C. (2020). New species of Foo spp. *J*.", "", "A1 BC. New species of Foo spp. J. 2020. PMID: 1.")
	prose(t, "country", one("Care in the U.S.", "", "eng"), "A1, B. C. (2020). Care in the U.S. *J*.", `A1, B. C. "Care in the U.S." *J*, 2020.`, "")
	prose(t, "quotation", one(`"So," he said: "why?"`, "", "eng"), `A1, B. C. (2020). "So," he said: "why?" *J*.`, `A1, B. C. "'So,' he said: 'why?'" *J*, 2020.`, `A1 BC. "So," he said: "why?" J. 2020. PMID: 1.`)
	prose(t, "translated", one("[On yeast].", "Über Hefe.", "ger"), "A1, B. C. (2020). Über Hefe [On yeast]. *J*.", `A1, B. C. "Über Hefe" [On yeast]. *J*, 2020.`, "A1 BC. Über Hefe [On yeast]. J. 2020. German. PMID: 1.")
	prose(t, "translated, original unknown", one("[On yeast].", "", "chi"), "A1, B. C. (2020). [On yeast]. *J*.", `A1, B. C. "[On yeast]." *J*, 2020.`, "A1 BC. [On yeast]. J. 2020. Chinese. PMID: 1.")
	prose(t, "only the original", one("[Not Available].", "Sur la levure.", "fre"), "A1, B. C. (2020). Sur la levure. *J*.", `A1, B. C. "Sur la levure." *J*, 2020.`, "A1 BC. Sur la levure. J. 2020. French. PMID: 1.")
	prose(t, "bilingual", one("On yeast.", "Om gjær.", "nor"), "A1, B. C. (2020). On yeast. *J*.", "", "")
	prose(t, "none", one("", "", "eng"), "A1, B. C. (2020). [Untitled]. *J*.", `A1, B. C. "[Untitled]." *J*, 2020.`, "A1 BC. [Untitled]. J. 2020. PMID: 1.")

	german := one("[On yeast].", "Über Hefe.", "ger")
	for style, parts := range map[string][]string{
		"ris": {"TI  - [On yeast]\n", "N1  - Original title: Über Hefe.\n", "LA  - ger\n"}, "bibtex": {"{{[On yeast]}}", "{Original title: Über Hefe.}", "language = {German}"},
		"nbib": {"TI  - [On yeast].\n", "TT  - Über Hefe.\n", "LA  - ger\n"}, "csl-json": {`"title": "[On yeast]"`, `"original-title": "Über Hefe"`, `"language": "de"`},
	} {
		t.Run(style, func(t *testing.T) {
			for _, part := range parts {
				if got := must(t, style, german); !strings.Contains(got, part) {
					t.Errorf("%s has no %q:\n%s", style, part, got)
				}
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	a := with(func(a *pubmed.Article) { a.DOI = `10.1002/(SICI)1097<1661::AID>3.0;2-#{}%` })
	if got := DOIURL(newWork(a).DOI); got != "https://doi.org/10.1002/(SICI)1097%3C1661::AID%3E3.0;2-%23%7B%7D%25" {
		t.Errorf("DOI as a link: %s", got)
	}
	if got := must(t, "vancouver", a); !strings.Contains(got, "doi: 10.1002/(SICI)1097<1661::AID>3.0;2-#{}%.") {
		t.Errorf("DOI as it is: %s", got)
	}
}
