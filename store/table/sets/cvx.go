package sets

import (
	"cmp"
	"strings"

	"biomcp/store/table"
)

// VaccineCode is a vaccine of CDC's CVX code set, with its products.
type VaccineCode struct {
	CVX      string         `json:"cvx" column:"cvx"`
	Name     string         `json:"name" column:"short"` // short name
	FullName string         `json:"full_name" column:"full"`
	Notes    string         `json:"notes" column:"notes"`
	Status   string         `json:"status" column:"status"`
	Updated  string         `json:"updated" column:"date"` // YYYY-MM-DD
	Products []VaccineBrand `json:"products"`
}

// VaccineBrand is a product, identified by its trade name.
type VaccineBrand struct {
	Name         string `json:"name" column:"product"`
	Manufacturer string `json:"manufacturer" column:"manufacturer"`
	MVX          string `json:"mvx" column:"mvx"`
	Status       string `json:"status" column:"product status"`
}

// Filter fields of vaccines.
const (
	CVXCode = "cvx"
	MVXCode = "mvx"
)

// readCVX reads CDC's code sets of vaccines, trade names and manufacturers. Their fields are
// separated by "|" and there is no header row
// (https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx).
func readCVX(r *reader) {
	makers := map[string][2]string{} // name and notes by MVX
	readSheet(r, "mvx.txt", func(s *Sheet, _ *struct{}) error {
		makers[s.Text("mvx")] = [2]string{s.Text("name"), s.Text("notes")}
		return nil
	})
	brands := map[string][]VaccineBrand{}
	readSheet(r, "TRADENAME.txt", func(s *Sheet, b *VaccineBrand) error {
		b.Manufacturer = cmp.Or(b.Manufacturer, makers[b.MVX][0])
		brands[s.Text("cvx")] = append(brands[s.Text("cvx")], *b)
		return nil
	})
	readSheet(r, "cvx.txt", func(s *Sheet, v *VaccineCode) error {
		switch {
		case strings.EqualFold(s.Text("nonvaccine"), "true"):
			return nil
		case v.CVX == "" || v.Name == "":
			return skip("a vaccine without a code or a name")
		}
		v.Updated, v.Products = isoDate(v.Updated), append([]VaccineBrand{}, brands[v.CVX]...)
		row := &table.Row{ID: v.CVX, Kind: Vaccine, Name: v.Name, Body: v, ExtraText: v.Notes}
		row.Add(Name, v.Name, v.FullName)
		row.Add(CVXCode, v.CVX)
		for _, b := range v.Products {
			row.Add(Name, b.Name)
			row.Add(Manufacturer, b.Manufacturer, b.MVX)
			row.Add(MVXCode, b.MVX)
			row.ExtraText += "\n" + makers[b.MVX][1]
		}
		return r.put(row)
	})
}
