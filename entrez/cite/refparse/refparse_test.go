package refparse

import "testing"

// noPlace removes the fields that an article ahead of print lacks.
func noPlace(r *Reference) { r.Volume, r.Issue, r.Page = "", "", "" }

// ofBook removes the fields that a book and its chapters lack.
func ofBook(r *Reference) {
	noPlace(r)
	r.Journal = ""
}

// The references are synthetic.
func TestParse(t *testing.T) {
	want := Reference{Author: "Muster CC", Title: "Fungi of a made-up wood: a study", Journal: "J Synth Nutr", Year: "2018", Volume: "75", Issue: "2", Page: "79"}
	for name, c := range map[string]struct {
		line   string
		change func(r *Reference)
	}{
		"NLM":       {line: "3. Muster CC, Beispiel LE, et al. Fungi of a made-up wood: a study. J Synth Nutr. 2018 Feb 3;75(2):79-89. Epub 2017 Dec 1."},
		"AMA":       {line: "Muster CC, Beispiel LE, et al. Fungi of a made-up wood: a study. *J Synth Nutr*. 2018;75(2):79-89. doi:10.9999/x(1).2", change: func(r *Reference) { r.DOI = "10.9999/x(1).2" }},
		"APA":       {line: "Muster, C. C., & Beispiel, L. E. (2018). Fungi of a made-up wood: a study. J Synth Nutr, 75(2), 79–89. https://doi.org/10.9999/y.", change: func(r *Reference) { r.DOI = "10.9999/y" }},
		"MLA":       {line: "Muster, Carla Chris, et al. “Fungi of a made-up wood: a study.” J Synth Nutr, vol. 75, no. 2, Feb. 2018, pp. 79–89."},
		"Nature":    {line: "Muster, C. C. & Beispiel, L. Fungi of a made-up wood: a study. J. Synth. Nutr. 75, 79–89 (2018).", change: func(r *Reference) { r.Issue, r.Journal = "", "J. Synth. Nutr" }},
		"Elsevier":  {line: "[12] C.C. Muster, L. Beispiel, Fungi of a made-up wood: a study, J Synth Nutr 75 (2018) 79–89.", change: func(r *Reference) { r.Issue = "" }},
		"IEEE":      {line: "C. C. Muster, L. Beispiel et al., \"Fungi of a made-up wood: a study,\" J Synth Nutr, vol. 75, no. 2, pp. 79-89, 2018."},
		"Science":   {line: "C. C. Muster, L. Beispiel, Fungi of a made-up wood: a study. J Synth Nutr 75, 79 (2018).", change: func(r *Reference) { r.Issue = "" }},
		"one quote": {line: "Muster, C.C. et al. (2018) ‘Fungi of a made-up wood: a study’, J Synth Nutr, 75(2), pp. 79–89."},
		"St.":       {line: "St. Muster, C. C., & Beispiel, L. E. (2018). Fungi of a made-up wood: a study. J Synth Nutr, 75(2), 79-89.", change: func(r *Reference) { r.Author = "St. Muster CC" }},
		"quotes":    {line: "Muster CC. The ‘hidden wood’, a history of it. J Synth Nutr. 2018;75(2):79-89.", change: func(r *Reference) { r.Title = "The 'hidden wood', a history of it" }},
		"two years": {line: "Muster CC. Fungi of 1918 and 2020. J Synth Nutr. 2018;75(2):79.", change: func(r *Reference) { r.Title = "Fungi of 1918 and 2020" }},
		"no page": {line: "Muster, C. C. et al. Fungi of a made-up wood: a study. J Synth Nutr 75, (2018).", change: func(r *Reference) {
			r.Volume, r.Issue, r.Page, r.Year, r.Journal = "", "", "", "", "J Synth Nutr 75, (2018)"
		}},
		"ACS":                 {line: "Muster CC; Beispiel LE. Fungi of a made-up wood: a study. J Synth Nutr 2018, 75, 79-89.", change: func(r *Reference) { r.Issue = "" }},
		"Harvard":             {line: "Muster CC (2018) Fungi of a made-up wood: a study. J Synth Nutr 75(2):79-89"},
		"ids":                 {line: "PMID: 90100001; pmc99900001 https://example.org/doi/10.9999/synth.1", change: func(r *Reference) { *r = Reference{PMID: "90100001", PMCID: "PMC99900001", DOI: "10.9999/synth.1"} }},
		"short":               {line: "J Synth Nutr 2018;75:79", change: func(r *Reference) { r.Author, r.Title, r.Issue = "", "", "" }},
		"typed":               {line: "J Synth Nutr 2018 75 e1079", change: func(r *Reference) { r.Author, r.Title, r.Issue, r.Page = "", "", "", "e1079" }},
		"typed whole":         {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr 2018 75(2) 79-89"},
		"shorter":             {line: "Nature 2019", change: func(r *Reference) { *r = Reference{Journal: "Nature", Year: "2019"} }},
		"supplement":          {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr. 2018;75 Suppl 1:S79-S89.", change: func(r *Reference) { r.Volume, r.Issue, r.Page = "75 Suppl 1", "", "S79" }},
		"Chicago":             {line: "Muster, Carla Chris, and Lee Beispiel. “Fungi of a made-up wood: a study.” J Synth Nutr 75, no. 2 (February 2018): 79–89."},
		"ACS dots":            {line: "Muster, C. C.; Beispiel, L. E.; Other, A. Fungi of a made-up wood: a study. J Synth Nutr 2018, 75 (2), 79-89."},
		"MDPI":                {line: "Muster, C.C.; Beispiel, L.E.; et al. Fungi of a made-up wood: a study. J Synth Nutr 2018, 75, 79–89.", change: func(r *Reference) { r.Issue = "" }},
		"NLM early":           {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr. 2018 Feb 3:S0140-6736(18)30001-2. Online ahead of print.", change: noPlace},
		"preprint":            {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr [Preprint]. 2018 Feb 3:2018.02.03.000001.", change: func(r *Reference) { noPlace(r); r.Page = "2018.02.03.000001" }},
		"AMA early":           {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr. Published online February 3, 2018.", change: noPlace},
		"Epub day":            {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr. Published online 3 Feb 2018.", change: noPlace},
		"place":               {line: "Muster CC. Fungi of a made-up wood: a study. J Synth Nutr (Wood, D.C. : 1983). 2018;75(2):79.", change: func(r *Reference) { r.Journal += " (Wood, D.C. : 1983)" }},
		"APA without authors": {line: "Fungi of a made-up wood: a study. (2018). J Synth Nutr, 75(2), 79–85, 90, 95–99.", change: func(r *Reference) { r.Author = "" }},
		"APA pages":           {line: "Muster, C. C. (2018). Fungi of a made-up wood: a study. J Synth Nutr, 75(2), 79–85, 90.", change: func(r *Reference) {}},
		"retracted":           {line: "Muster CC. RETRACTED ARTICLE: Fungi of a made-up wood: a study. J Synth Nutr. 2018;75(2):79."},
		"untitled":            {line: "Muster CC. [Untitled]. J Synth Nutr. 2018;75(2):79.", change: func(r *Reference) { r.Title = "" }},
		"chapter": {line: "Muster CC. Fungi of a made-up wood: a study. 2018 Feb 3 [updated 2023 Jun 7]. In: Beispiel LE, Other A, editors. " +
			"WoodReviews [Internet]. 2nd ed. Woodville (WA): University of Wood; 1993-2024.", change: ofBook},
		"chapter APA": {line: "Muster, C. C. (2018). Fungi of a made-up wood: a study. In L. E. Beispiel & A. Other (Eds.), WoodReviews (2nd ed.). University of Wood.", change: ofBook},
		"book":        {line: "Wood Society (UK). Fungi of a made-up wood: a study [Internet]. London: Wood Press; 2018.", change: func(r *Reference) { ofBook(r); r.Author = "Wood Society (UK)" }},
		"title alone": {line: "Fungi of a made-up wood and of a second one", change: func(r *Reference) { *r = Reference{Title: "Fungi of a made-up wood and of a second one"} }},
	} {
		t.Run(name, func(t *testing.T) {
			w := want
			if c.change != nil {
				c.change(&w)
			}
			got := Parse(c.line)
			if got.Text == "" {
				t.Error("the text is lost")
			}
			if got.Text = ""; got != w {
				t.Errorf("%s:\n%+v, want\n%+v", c.line, got, w)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	want := Reference{Author: "Muster CC", Title: "Fungi & a made-up wood", Journal: "J Synth Nutr", Year: "2018", Volume: "75", Page: "79", DOI: "10.9999/x"}
	for name, text := range map[string]string{
		"BibTeX": "@string{j = \"x\"}\n@article{m18,\n author = {Muster, Carla C. and B{\\\"o}rner, L},\n title = {{Fungi} \\& a made-up wood},\n journal=\"J Synth Nutr\", year = 2018,\n volume = 75, pages = {79--89}, doi = {https://doi.org/10.9999/x}\n}\n@Article{two, title={Another one}}\n",
		"RIS":    "TY  - JOUR\r\nAU  - Muster, C. C.\r\nAU  - Other, A\r\nTI  - Fungi & a made-up\r\nwood.\r\nJO  - J Synth Nutr\r\nPY  - 2018/02/03\r\nVL  - 75\r\nSP  - 79\r\nDO  - 10.9999/x\r\nAN  - WOS:1\r\nER  - \r\n\r\nTY  - JOUR\r\nTI  - Another one\r\nER  - \r\n",
		"nbib":   "PMID- 90100001\nAU  - Muster CC\nTI  - Fungi & a made-up\n      wood.\nTA  - J Synth Nutr\nDP  - 2018 Feb\nVI  - 75\nPG  - 79-89\nLID - 10.9999/x [doi]\n\nPMID- 90100002\nTI  - Another one\n",
		"lines":  "\ufeff1. Muster CC. Fungi & a made-up wood. J Synth Nutr. 2018;75:79. doi: 10.9999/x\r\n\r\n2. Another one\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := Split(text)
			if len(got) != 2 || got[1].Title != "Another one" || got[0].Text == "" {
				t.Fatalf("%d: %+v", len(got), got)
			}
			w := want
			if name == "nbib" {
				w.PMID = "90100001"
			}
			if got[0].Text = ""; name == "BibTeX" {
				w.Title = "Fungi & a made-up wood"
			}
			if got[0] != w {
				t.Errorf("%+v, want\n%+v", got[0], w)
			}
		})
	}
}

// A line is split if it can be read as several references. A semicolon may also precede a volume,
// an author or an identifier of the same reference.
func TestReferencesOfALine(t *testing.T) {
	for line, want := range map[string]int{
		"10.9999/synth.1; 10.9999/synth.2":                                                         2,
		"doi: 10.9999/synth.1, doi: 10.9999/synth.2 and https://doi.org/10.9999/synth.3":           3,
		"PMIDs: 90100001, 90100002":                                                                2,
		"PMC99900001 PMC99900002":                                                                  2,
		"PMID: 90100001; PMCID: PMC99900001; doi: 10.9999/synth.1":                                 1,
		"10.9999/a(1):2/3<1::AID>3.0.CO;2-2":                                                       1,
		"muster cc, et al. J Synth. 2018;75:79-89; Beispiel LE. Wood. J Synth. 2019; 76(2):1.":     2,
		"Muster CC. Fungi. J Synth. 2018;75:79; PMID: 90100001; Beispiel LE. J Synth. 2019;76:12.": 2,
		"J Synth. 2018;75:79; J Wood. 2019;1:2":                                                    2,
		"J Synth. 2018;75:79-89; discussion 90":                                                    1,
		"J Synth. 2018;75:79-89; and 2019;76:1":                                                    1,
		"Muster CC; Beispiel LE. Fungi of a wood. J Synth 2018, 75, 79-89.":                        1,
		"Muster CC. Fungi of a wood. J Synth. 2018; 75: 79-89.":                                    1,
		"1. Muster CC. Fungi. J Synth. 2018;75:79. 2. Beispiel LE. Wood. J Synth. 2019;76:12.":     2,
		"[9] Muster CC. Fungi. J Synth. 2018;75:79. [10] Beispiel LE. Wood. J Synth. 2019;76:12.":  2,
		"1. Muster CC. Part 2. Fungi in wood. J Synth. 2018;75:79.":                                1,
		"; ;": 1,
	} {
		if got := Split(line); len(got) != want {
			t.Errorf("%s: %d, want %d: %+v", line, len(got), want, got)
		}
	}
	got := Split("Muster CC. Fungi. J Synth. 2018;75:79; PMID: 90100001; 2. Beispiel LE. Wood. J Synth. 2019;76:12.")
	if got[0].PMID != "90100001" || got[1].Author != "Beispiel LE" || got[1].PMID != "" {
		t.Errorf("%+v", got)
	}
}

// Parsing ends for any input, and loses none of its text.
func FuzzSplit(f *testing.F) {
	f.Add("Muster CC. A title. J Synth. 2018;1:2.")
	f.Add("@article{a, title={x}, author=")
	f.Add("TY  - JOUR\nTI  - \nER  -")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range Split(text) {
			if r.Text == "" {
				t.Errorf("%q: a reference without a text", text)
			}
		}
	})
}

// A remark or a number is removed from the end of a reference, and the same words are kept in a title.
func TestTitlesKeepTheirWords(t *testing.T) {
	const place = ". J Synth Nutr. 2018;75:79-89."
	for _, title := range []string{
		"Effects of Online 2020 learning on students", "Print 2020 and the readers of wood", "Effects of print 2019",
		"Services accessed by patients with fungi", "Update on: fungi of a made-up wood", "Comment on: fungi in wood",
		"Sequence of a made-up strain (123456)",
		"Services accessed in 2020 by patients", "Drugs accessed 3 times",
	} {
		for form, text := range map[string]string{
			"NLM": "Muster CC. " + title + place, "a remark": "Muster CC. " + title + place + " Online 2020.",
			"a month":   "Muster CC. " + title + place + " Print 2019 Jan-Feb.",
			"a notice":  "Muster CC. " + title + place + " Epub 2017 Dec 3. Comment in: J Wood. 2019;1:2.",
			"a visit":   "Muster CC. " + title + place + " Accessed May 3, 2020.",
			"a DOI too": "Muster CC. " + title + place + " doi: 10.9999/x. Online 2020. PMID: 90100001",
			"a file":    "TY  - JOUR\nAU  - Muster CC\nTI  - " + title + "\nJO  - J Synth Nutr\nPY  - 2018\nVL  - 75\nSP  - 79\nER  - \n",
		} {
			got := Split(text)
			if len(got) != 1 || got[0].Title != title || got[0].Journal != "J Synth Nutr" || got[0].Page != "79" {
				t.Errorf("%s: got %+v, want the title %q and page 79", form, got, title)
			}
		}
	}
	for text, want := range map[string]string{
		"Muster, C. C. (2018). Fungi of a wood (2018.02.03.000001v2). bioRxiv. https://doi.org/10.9999/x":   "Fungi of a wood",
		"Muster, C. C. (2018). Fungi of a wood (9010001). medRxiv.":                                         "Fungi of a wood",
		"TY  - JOUR\nTI  - Fungi of a wood (9010001)\nAU  - Muster CC\nJO  - bioRxiv\nPY  - 2018\nER  - \n": "Fungi of a wood",
	} {
		if got := Split(text); len(got) != 1 || got[0].Title != want {
			t.Errorf("%s: got %+v, want the title %q", text, got, want)
		}
	}
}
