package sets_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/bulk"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// all returns the sets that the package reads.
func all() []*bulk.Set {
	return slices.DeleteFunc(bulk.Sets(), func(s *bulk.Set) bool { return s == bulk.ClinVar || s == bulk.ClinVarSubmissions })
}

// texts returns the synthetic files of a set.
func texts(set *bulk.Set) map[string][]byte {
	sites, out := bulktest.New(), map[string][]byte{}
	for _, f := range set.Files {
		out[f.Name] = sites.Text(set, f.Name)
	}
	return out
}

func rows(set *bulk.Set, texts map[string][]byte) (out []*table.Row, report sets.Report, err error) {
	files := sets.Files{}
	for name, text := range texts {
		files[name] = bytes.NewReader(text)
	}
	err = sets.Read(set.Name, set.Layouts(), files, func(r *table.Row) error {
		out = append(out, r)
		return nil
	}, &report)
	return out, report, err
}

func TestRecords(t *testing.T) {
	of := func(set *bulk.Set, n int) any {
		got, report, err := rows(set, texts(set))
		if err != nil || report.Skipped > 0 || len(got) <= n {
			t.Fatalf("%s: %d rows, %+v, %v", set.Name, len(got), report, err)
		}
		return got[n].Body
	}
	for _, c := range []struct{ got, want any }{
		{of(bulk.HGNC, 5), sets.GeneNames{HGNC: "HGNC:7133", Symbol: "KMT2D", Name: "synthetic row of KMT2D", Entrez: "8085", Previous: []string{"TNRC21", "MLL2"}, Aliases: []string{"ALR", "MLL4"}}},
		{of(bulk.GTR, 1), sets.Test{
			Accession: "GTR000900002", Version: 1, Name: "Synthetic hereditary cancer panel", Type: "Clinical", Genes: []string{"BRCA1", "BRCA2", "TP53"},
			Conditions: []sets.Condition{{Name: "Breast cancer", CUI: "C0006142"}, {Name: "Li-Fraumeni syndrome", CUI: "C0085390"}},
			Methods:    []string{"Sequence analysis of the entire coding region"}, Lab: "Invented Genomics", Institution: "University of Nowhere", Country: "United States", Status: "Current",
		}},
		{of(bulk.WHOIVD, 0), sets.Assay{
			Code: "SYN-001", Name: `Synthetic HIV Duo "Rapid"`, Target: "HIV", Manufacturer: "Invented Diagnostics, Inc", Format: "RDT", Regulatory: "Rest-of-World", Year: "2019",
		}},
		{of(bulk.EMA, 1), sets.Medicine{
			Kind: "medicine", Name: "Fictivax", Substance: "human papillomavirus vaccine (synthetic)", Number: "EMEA/H/C/900002", Category: "Human", Status: "Authorised",
			Area: "Papillomavirus Infections; Immunization", ATC: "J07BM99", Holder: "Made-up Vaccines", Date: "2015-06-10",
		}},
		{of(bulk.EMA, 6), sets.Medicine{
			Kind: "referral", Name: "Imaginib-containing medicines", INN: "imaginib", Category: "Human", Status: "European Commission final decision", Type: "Article 31 referrals",
		}},
		{of(bulk.WHOMedicines, 0), sets.PrequalifiedProduct{
			Kind: "product", Reference: "SYN-HA-001", Name: "Imaginavir (sulfate) Tablet, Film-coated 300mg", Type: "Finished Pharmaceutical Product", Area: "HIV/AIDS",
			Applicant: "Invented Generics Ltd", Form: "Tablet, Film-coated", Basis: "Prequalification", Date: "2019-12-18",
		}},
		{of(bulk.WHOMedicines, 4), sets.PrequalifiedProduct{
			Kind: "vaccine", Name: "Fictivax", Type: "Human Papillomavirus (Nonavalent)", Applicant: "Made-up Vaccines", Form: "Vial", Doses: "1", Basis: "European Medicines Agency", Date: "2020-03-01",
		}},
		{of(bulk.CVX, 1), &sets.VaccineCode{
			CVX: "902", Name: "MMR (synthetic)", FullName: "measles, mumps and rubella virus vaccine, synthetic", Status: "Active", Updated: "2020-06-02",
			Products: []sets.VaccineBrand{{Name: "Inventovac", Manufacturer: "Imaginary Institute, Inc.", MVX: "IMI", Status: "Active"}, {Name: "Inventovac Plus", Manufacturer: "Imaginary Institute, Inc.", MVX: "IMI", Status: "Inactive"}},
		}},
		{of(bulk.MeSH, 0), sets.Heading{
			UI: "D990001", Name: "Synthetic Infarction", EntryTerms: []string{"Invented Attack", "Attack, Invented", "Attack, Invented (narrower)"},
			TreeNumbers: []string{"C14.990.001", "C23.990.002"}, ScopeNote: "A made-up disease of a made-up organ.", Class: "topical",
		}},
	} {
		t.Run(fmt.Sprint(c.got), func(t *testing.T) {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("got  %+v\nwant %+v", c.got, c.want)
			}
		})
	}
	if got, _, _ := rows(bulk.GTR, texts(bulk.GTR)); len(got) != 5 {
		t.Errorf("%d tests, want the current ones", len(got))
	}
}

func TestOtherEncodingIsRead(t *testing.T) {
	files := texts(bulk.WHOIVD)
	files["in-vitro-diagnostics.csv"] = append(files["in-vitro-diagnostics.csv"], "\"M\xe9nard\x92s kit\",X-9,HIV,Soci\xe9t\xe9\n"...)
	got, report, err := rows(bulk.WHOIVD, files)
	if a := got[len(got)-1].Body.(sets.Assay); err != nil || report.Skipped > 0 || a.Name != "Ménard’s kit" || a.Manufacturer != "Société" {
		t.Errorf("%+v, %+v, %v", a, report, err)
	}
}

// Rows that cannot be read are counted. A file with many of them is rejected, with an error that
// names the file and the fault.
func TestDamagedFiles(t *testing.T) {
	const ivd, cvx, version, medicines = "in-vitro-diagnostics.csv", "cvx.txt", "test_version.gz", "medicines.json"
	change := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	add := func(line string, times int) func(string) string {
		return func(s string) string { return s + strings.Repeat(line, times) }
	}
	for _, c := range []struct {
		set     *bulk.Set
		file    string
		spoil   func(string) string
		skipped int
		want    string // text in the error or the report
	}{
		{bulk.WHOIVD, ivd, change("Product Code", "Code"), 0, `in-vitro-diagnostics.csv is not in the expected format: it has no column "product code"; its columns are "Product name", "Code", `},
		{bulk.WHOIVD, ivd, change(`"Synthetic Malaria Ag"`, `"Synthetic Malaria Ag`), 1, `row 3: extraneous or missing " in quoted-field`},
		{bulk.WHOIVD, ivd, change(`"SYN-003"`, `"SYN"-003"`), 1, `extraneous or missing " in quoted-field`},
		{bulk.WHOIVD, ivd, add(`"one"x,two,three,four`+"\n", 1), 1, `extraneous or missing " in quoted-field`},
		{bulk.WHOIVD, ivd, add(`"one"x,two,three,four`+"\r\n\r\n", 1), 1, `extraneous or missing " in quoted-field`},
		{bulk.WHOIVD, ivd, add(`one,two,three,"four"x`, 1), 1, `extraneous or missing " in quoted-field`},
		{bulk.WHOIVD, ivd, add(`"one,two,three,four`, 1), 0, "a quotation mark is not closed"},
		{bulk.WHOIVD, ivd, add(`"one,two,three,four`+"\n", 1), 0, "a quotation mark is not closed"},
		{bulk.WHOIVD, ivd, add(`one,two,three,"four`+"\r\nfive\r\n\r\n", 1), 0, "a quotation mark is not closed"},
		{bulk.WHOIVD, ivd, add("+,two\n", 1), 1, "in-vitro-diagnostics.csv, row 5: 2 fields"},
		{bulk.WHOIVD, ivd, change(`"Synthetic Malaria Ag"`, `Synthetic "Malaria" Ag`), 1, `in-vitro-diagnostics.csv, row 3: bare "`},
		{bulk.WHOIVD, ivd, add("one,two\n", 3), 3, "in-vitro-diagnostics.csv, row 5: 2 fields"},
		{bulk.WHOIVD, ivd, add("one,two\n", 30), 0, "30 of 33 rows cannot be read (in-vitro-diagnostics.csv, row 5: 2 fields)"},
		{bulk.WHOIVD, ivd, func(string) string { return "" }, 0, "it is empty"},
		{bulk.WHOIVD, ivd, func(string) string { return `{"error":"none"}` }, 0, "its first line cannot be read"},
		{bulk.WHOIVD, ivd, add("one,two,three,four", 1), 0, "it is cut off in its last row"},
		{bulk.CVX, cvx, add("900|x", 1), 0, "it is cut off in its last row"},
		{bulk.CVX, cvx, add("900|x\n", 1), 1, "cvx.txt, row 4: 2 fields"},
		{bulk.CVX, cvx, add("   |x|||Active|False|\n", 1), 1, "without a code or a name"},
		{bulk.GTR, version, change("now_current", "current"), 0, `no column "now_current"`},
		{bulk.GTR, version, add("900\t\t\t\t\t\t\t\t\t\t\t\t1\n", 1), 1, `"900" is not an accession`},
		{bulk.EMA, medicines, func(s string) string { return s[:len(s)/2] }, 0, "medicines.json is not in the expected format: it is not JSON, or is cut off"},
		{bulk.EMA, medicines, func(string) string { return `{"rows":[]}` }, 0, `it has no list "data"`},
		{bulk.EMA, medicines, func(string) string { return `{"data":{}}` }, 0, `its "data" is not a list`},
		{bulk.EMA, medicines, func(string) string { return `{"data":null}` }, 0, `its "data" is not a list`},
		{bulk.EMA, medicines, func(string) string { return `"data"` }, 0, "neither an object nor a list"},
		{bulk.EMA, medicines, func(string) string { return `{"data":[{"category":"Human"},{"name_of_medicine":7}, 5]}` }, 2, "without a name"},
		{bulk.MeSH, "desc.gz", func(s string) string { return s[:len(s)/2] }, 0, "cut off"},
		{bulk.MeSH, "desc.gz", func(string) string { return "<html><body/></html>" }, 0, "it begins with <html>"},
		{bulk.MeSH, "desc.gz", func(string) string { return "" }, 0, "cut off"},
		{bulk.MeSH, "desc.gz", change("<DescriptorUI>D990002</DescriptorUI>", ""), 1, "without a name or an identifier"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.file), func(t *testing.T) {
			files := texts(c.set)
			files[c.file] = []byte(c.spoil(string(files[c.file])))
			_, report, err := rows(c.set, files)
			said := report.Problem
			if err != nil {
				said = err.Error()
				if !errors.As(err, new(*sets.FormatError)) {
					t.Errorf("%s: %T", said, err)
				}
			}
			if (err == nil) != (c.skipped > 0) || err == nil && report.Skipped != c.skipped || !strings.Contains(said, c.want) {
				t.Errorf("%q: skipped %d, want %d; %v, %s", c.want, report.Skipped, c.skipped, err, said)
			}
		})
	}
	for _, set := range all() {
		if err := sets.Read(set.Name, set.Layouts(), sets.Files{}, nil, &sets.Report{}); !errors.As(err, new(*sets.FormatError)) {
			t.Errorf("%s without its files: %v", set.Name, err)
		}
	}
}

// Errors of the disk, and of the function that receives the rows, are returned unchanged.
func TestErrorsOfOthers(t *testing.T) {
	own := errors.New("own")
	for _, set := range all() {
		files, broken := sets.Files{}, sets.Files{}
		for name, text := range texts(set) {
			files[name] = bytes.NewReader(text)
			broken[name] = io.MultiReader(bytes.NewReader(text[:min(40, len(text))]), failing{own})
		}
		if err := sets.Read(set.Name, set.Layouts(), files, func(*table.Row) error { return own }, &sets.Report{}); !errors.Is(err, own) {
			t.Errorf("%s: %v", set.Name, err)
		}
		if err := sets.Read(set.Name, set.Layouts(), broken, func(*table.Row) error { return nil }, &sets.Report{}); !errors.Is(err, own) {
			t.Errorf("%s: %v", set.Name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// fuzz reads arbitrary contents of a file of a set. It checks that rows have a text and that
// reading again gives the same rows.
func fuzz(f *testing.F, set *bulk.Set, file string) {
	all := texts(set)
	f.Add(all[file])
	f.Add([]byte("\ufeff" + strings.ToUpper(string(all[file][:len(all[file])/2]))))
	f.Fuzz(func(t *testing.T, body []byte) {
		files := map[string][]byte{}
		for name, text := range all {
			files[name] = text
		}
		files[file] = body
		got, report, err := rows(set, files)
		again, _, _ := rows(set, files)
		if fmt.Sprint(len(got), report.Skipped) != fmt.Sprint(len(again), report.Skipped) {
			t.Error("read twice, and not the same")
		}
		for _, r := range got {
			if r.Name == "" || r.Kind == "" && set != bulk.MeSH || r.Body == nil {
				t.Errorf("%+v, %v", r, err)
			}
		}
	})
}

func FuzzGTR(f *testing.F)          { fuzz(f, bulk.GTR, "test_version.gz") }
func FuzzGTRCondition(f *testing.F) { fuzz(f, bulk.GTR, "test_condition_gene.txt") }
func FuzzWHOIVD(f *testing.F)       { fuzz(f, bulk.WHOIVD, "in-vitro-diagnostics.csv") }
func FuzzEMA(f *testing.F)          { fuzz(f, bulk.EMA, "medicines.json") }
func FuzzWHO(f *testing.F)          { fuzz(f, bulk.WHOMedicines, "vaccines.csv") }
func FuzzCVX(f *testing.F)          { fuzz(f, bulk.CVX, "TRADENAME.txt") }
func FuzzCPIC(f *testing.F)         { fuzz(f, bulk.CPIC, "diplotype.json") }
func FuzzMeSH(f *testing.F)         { fuzz(f, bulk.MeSH, "desc.gz") }
