package sets

import (
	"strings"
	"time"

	"biomcp/store/table"
)

// Assay is an in vitro diagnostic that WHO has prequalified.
type Assay struct {
	Code         string `json:"code" column:"product code"`
	Name         string `json:"name" column:"product name"`
	Target       string `json:"target" column:"pathogen/disease/marker"`
	Manufacturer string `json:"manufacturer" column:"manufacturer name"`
	Format       string `json:"format" column:"assay format"`
	Regulatory   string `json:"regulatory_version" column:"regulatory version"`
	Year         string `json:"year" column:"year prequalification"`
}

// readWHOIVD reads WHO's export of prequalified in vitro diagnostics, a CSV file.
func readWHOIVD(r *reader) {
	readSheet(r, "in-vitro-diagnostics.csv", func(_ *Sheet, a *Assay) error {
		if a.Name == "" {
			return skip("a product without a name")
		}
		row := &table.Row{ID: a.Code, Kind: "assay", Name: a.Name, Body: *a, ExtraText: a.Regulatory}
		row.Add(ConditionField, a.Target)
		row.Add(Lab, a.Manufacturer)
		row.Add(Method, a.Format)
		return r.put(row)
	})
}

// The kinds of products that WHO has prequalified.
const (
	Product    = "product"    // a finished pharmaceutical product
	Ingredient = "ingredient" // an active pharmaceutical ingredient
	Vaccine    = "vaccine"
)

// PrequalifiedProduct is a medicine, ingredient or vaccine that WHO has prequalified. Reference is "" for a vaccine.
// Name is the INN with form and strength, the INN, or a commercial name. Basis is the basis of the listing, or the
// responsible regulator of a vaccine.
type PrequalifiedProduct struct {
	Kind      string `json:"kind"`
	Reference string `json:"reference" column:"who reference number|who product id"`
	Name      string `json:"name" column:"inn, dosage form and strength|inn|commercial name"`
	Type      string `json:"type" column:"product type|vaccine type"`
	Area      string `json:"therapeutic_area" column:"therapeutic area"`
	Applicant string `json:"applicant" column:"applicant|applicant organization|manufacturer"`
	Form      string `json:"form" column:"dosage form|grade|presentation"`
	Doses     string `json:"doses" column:"no. of doses"` // doses in a container of a vaccine; else ""
	Basis     string `json:"basis" column:"basis of listing|basis of alternative listing|responsible nra"`
	Date      string `json:"date" column:"date of prequalification"` // YYYY-MM-DD, or as WHO wrote it
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

// readWHO reads WHO's exports of prequalified medicines, ingredients and vaccines, CSV files.
func readWHO(r *reader) {
	for _, f := range []struct{ file, kind string }{
		{"finished-pharmaceutical-products.csv", Product}, {"active-pharmaceutical-ingredients.csv", Ingredient},
		{"vaccines.csv", Vaccine},
	} {
		readSheet(r, f.file, func(_ *Sheet, p *PrequalifiedProduct) error {
			if p.Name == "" {
				return skip("a row without a name")
			}
			p.Kind, p.Date = f.kind, isoDate(p.Date)
			row := &table.Row{ID: p.Reference, Kind: f.kind, Name: p.Name, Body: *p,
				ExtraText: p.Type + "\n" + p.Area + "\n" + p.Form}
			row.Add(Name, p.Name, p.Type)
			row.Add(Manufacturer, p.Applicant)
			return r.put(row)
		})
	}
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
