package sets

import (
	"strings"

	"biomcp/store/table"
)

// VaccineCode is a vaccine of CDC's CVX code set, with its products.
type VaccineCode struct {
	CVX      string         `json:"cvx"`
	Name     string         `json:"name"` // short name
	FullName string         `json:"full_name"`
	Notes    string         `json:"notes"`
	Status   string         `json:"status"`
	Updated  string         `json:"updated"` // YYYY-MM-DD
	Products []VaccineBrand `json:"products"`
}

// VaccineBrand is a product, identified by its trade name.
type VaccineBrand struct {
	Name         string `json:"name"`
	Manufacturer string `json:"manufacturer"`
	MVX          string `json:"mvx"`
	Status       string `json:"status"`
}

// Filter fields of vaccines.
const (
	CVXCode = "cvx"
	MVXCode = "mvx"
)

// ReadCVX reads CDC's code sets of vaccines, trade names and manufacturers. Their fields are
// separated by "|" and there is no header row
// (https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx).
func ReadCVX(files Files, put PutRow, report *Report) error {
	makers := map[string][2]string{} // name and notes by MVX
	mvx := sheet{file: "mvx.txt", comma: '|', names: []string{"mvx", "name", "notes", "status", "date"}, minFields: 4}
	err := mvx.each(files, report, func(r record) error {
		makers[r.get("mvx")] = [2]string{r.get("name"), r.get("notes")}
		return nil
	})
	if err != nil {
		return err
	}
	brands := map[string][]VaccineBrand{}
	trade := sheet{file: "TRADENAME.txt", comma: '|',
		names:     []string{"product", "short", "cvx", "manufacturer", "mvx", "status", "product status", "date"},
		minFields: 7}
	err = trade.each(files, report, func(r record) error {
		b := VaccineBrand{r.get("product"), r.get("manufacturer"), r.get("mvx"), r.get("product status")}
		if known := makers[b.MVX][0]; b.Manufacturer == "" {
			b.Manufacturer = known
		}
		brands[r.get("cvx")] = append(brands[r.get("cvx")], b)
		return nil
	})
	if err != nil {
		return err
	}
	cvx := sheet{file: "cvx.txt", comma: '|',
		names: []string{"cvx", "short", "full", "notes", "status", "nonvaccine", "date"}, minFields: 5}
	return cvx.each(files, report, func(r record) error {
		if strings.EqualFold(r.get("nonvaccine"), "true") {
			return nil
		}
		v := VaccineCode{r.get("cvx"), r.get("short"), r.get("full"), r.get("notes"), r.get("status"),
			isoDate(r.get("date")), brands[r.get("cvx")]}
		if v.CVX == "" || v.Name == "" {
			report.skip("cvx.txt: a vaccine without a code or a name")
			return nil
		}
		row := &table.Row{ID: v.CVX, Kind: Vaccine, Name: v.Name, Body: &v, ExtraText: v.Notes}
		row.Add(Name, v.Name, v.FullName)
		row.Add(CVXCode, v.CVX)
		if v.Products == nil {
			v.Products = []VaccineBrand{}
		}
		for _, b := range v.Products {
			row.Add(Name, b.Name)
			row.Add(Manufacturer, b.Manufacturer, b.MVX)
			row.Add(MVXCode, b.MVX)
			row.ExtraText += "\n" + makers[b.MVX][1]
		}
		return put(row)
	})
}
