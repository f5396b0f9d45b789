package sets

import (
	"strings"
	"time"

	"biomcp/store/table"
)

// Assay is an in vitro diagnostic that WHO has prequalified.
type Assay struct {
	Code         string `json:"code"`
	Name         string `json:"name"`
	Target       string `json:"target"` // pathogen, disease or marker
	Manufacturer string `json:"manufacturer"`
	Format       string `json:"format"`
	Regulatory   string `json:"regulatory_version"`
	Year         string `json:"year"`
}

// ReadWHOIVD reads WHO's export of prequalified in vitro diagnostics, a CSV file.
func ReadWHOIVD(files Files, put PutRow, report *Report) error {
	s := sheet{file: "in-vitro-diagnostics.csv", comma: ',',
		required: []string{"product name", "product code", "pathogen/disease/marker", "manufacturer name"}}
	return s.each(files, report, func(r record) error {
		a := Assay{
			Code:         r.get("product code"),
			Name:         r.get("product name"),
			Target:       r.get("pathogen/disease/marker"),
			Manufacturer: r.get("manufacturer name"),
			Format:       r.get("assay format"),
			Regulatory:   r.get("regulatory version"),
			Year:         r.get("year prequalification"),
		}
		if a.Name == "" {
			report.skip("in-vitro-diagnostics.csv: a product without a name")
			return nil
		}
		row := &table.Row{ID: a.Code, Kind: "assay", Name: a.Name, Body: a, ExtraText: a.Regulatory}
		row.Add(ConditionField, a.Target)
		row.Add(Lab, a.Manufacturer)
		row.Add(Method, a.Format)
		return put(row)
	})
}

// The kinds of products that WHO has prequalified.
const (
	Product    = "product"    // a finished pharmaceutical product
	Ingredient = "ingredient" // an active pharmaceutical ingredient
	Vaccine    = "vaccine"
)

// PrequalifiedProduct is a medicine, ingredient or vaccine that WHO has prequalified.
type PrequalifiedProduct struct {
	Kind      string `json:"kind"`
	Reference string `json:"reference"` // WHO's number; "" for a vaccine
	Name      string `json:"name"`      // INN with form and strength, INN, or commercial name
	Type      string `json:"type"`
	Area      string `json:"therapeutic_area"`
	Applicant string `json:"applicant"` // applicant or manufacturer
	Form      string `json:"form"`      // dosage form, grade or presentation
	Doses     string `json:"doses"`     // doses in a container of a vaccine; else ""
	Basis     string `json:"basis"`     // basis of the listing, or the responsible regulator of a vaccine
	Date      string `json:"date"`      // YYYY-MM-DD, or as WHO wrote it
}

// Presentation describes the container of a vaccine, by which products with one name differ.
func (p *PrequalifiedProduct) Presentation() string {
	doses := p.Doses
	switch doses {
	case "":
	case "1":
		doses += " dose"
	default:
		doses += " doses"
	}
	return strings.Trim(p.Form+", "+doses, ", ")
}

// whoPages maps a kind to the path of WHO's list of it.
var whoPages = map[string]string{
	Product:    "medicines/prequalified/finished-pharmaceutical-products",
	Ingredient: "medicines/prequalified/active-pharmaceutical-ingredients",
	Vaccine:    "vaccines/prequalified-vaccines",
}

// Page returns the address of WHO's list that has the product.
func (p *PrequalifiedProduct) Page() string {
	return "https://extranet.who.int/prequal/" + whoPages[p.Kind]
}

// ReadWHO reads WHO's exports of prequalified medicines, ingredients and vaccines, CSV files.
func ReadWHO(files Files, put PutRow, report *Report) error {
	for _, s := range []struct {
		sheet
		kind                                               string
		reference, name, sort, area, applicant, form, base string
		doses, date                                        string
	}{
		{sheet{file: "finished-pharmaceutical-products.csv",
			required: []string{"who reference number", "inn, dosage form and strength", "applicant"}}, Product,
			"who reference number", "inn, dosage form and strength", "product type", "therapeutic area", "applicant",
			"dosage form", "basis of listing", "", "date of prequalification"},
		{sheet{file: "active-pharmaceutical-ingredients.csv", required: []string{"who product id", "inn"}}, Ingredient,
			"who product id", "inn", "", "therapeutic area", "applicant organization",
			"grade", "", "", "date of prequalification"},
		{sheet{file: "vaccines.csv", required: []string{"vaccine type", "commercial name", "manufacturer"}}, Vaccine,
			"", "commercial name", "vaccine type", "", "manufacturer",
			"presentation", "responsible nra", "no. of doses", "date of prequalification"},
	} {
		s.comma = ','
		err := s.each(files, report, func(r record) error {
			p := PrequalifiedProduct{
				Kind: s.kind, Reference: r.get(s.reference), Name: r.get(s.name), Type: r.get(s.sort),
				Area: r.get(s.area), Applicant: r.get(s.applicant), Form: r.get(s.form), Basis: r.get(s.base),
				Doses: r.get(s.doses), Date: isoDate(r.get(s.date)),
			}
			if p.Name == "" {
				report.skip("%s: a row without a name", s.file)
				return nil
			}
			if other := r.get("basis of alternative listing"); p.Basis == "" {
				p.Basis = other
			}
			row := &table.Row{ID: p.Reference, Kind: p.Kind, Name: p.Name, Body: p,
				ExtraText: p.Type + "\n" + p.Area + "\n" + p.Form}
			row.Add(Name, p.Name, p.Type)
			row.Add(Manufacturer, p.Applicant)
			return put(row)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Name is the filter field for the name of a product.
const Name = "name"

// isoDate converts a date such as "18  Dec,  2019", "17/07/2015" (day first) or "2019/12/18" to
// YYYY-MM-DD. It returns other texts unchanged.
func isoDate(s string) string {
	plain := strings.Join(strings.Fields(strings.ReplaceAll(s, ",", " ")), " ")
	for _, layout := range []string{"2 Jan 2006", "02/01/2006", "2006/01/02", "2006-01-02", "2 January 2006"} {
		if t, err := time.Parse(layout, plain); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return s
}
