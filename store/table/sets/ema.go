package sets

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/store/table"
)

// Medicine is a medicine of the European Medicines Agency, or a procedure about one. Fields that do
// not apply to its kind are empty.
type Medicine struct {
	Kind      string `json:"kind"` // one of the kinds below
	Name      string `json:"name"` // name of the medicine or title of the procedure
	Substance string `json:"active_substance"`
	INN       string `json:"inn"`
	Number    string `json:"number"` // number of the product or procedure
	Category  string `json:"category"`
	Status    string `json:"status"`
	Type      string `json:"type"` // type of the procedure
	Area      string `json:"therapeutic_area"`
	ATC       string `json:"atc"`
	Holder    string `json:"holder"` // holder of the marketing authorisation
	Date      string `json:"date"`   // YYYY-MM-DD, or as EMA wrote it
	URL       string `json:"url"`
}

// The kinds of EMA records.
const (
	MedicineKind      = "medicine"
	PostAuthorisation = "post-authorisation"
	Referral          = "referral"
	SafetyUpdate      = "psusa" // periodic safety update report, single assessment
	SafetyNotice      = "dhpc"  // direct healthcare professional communication
	Shortage          = "shortage"
)

// ATC is the filter field for the code of the Anatomical Therapeutic Chemical classification. Class
// is the filter field for the class of a medicine: [Vaccine] if its code begins with J07
// (https://atcddd.fhi.no).
const (
	ATC   = "atc"
	Class = "class"
)

// VeterinaryLast selects veterinary medicines, to sort them after human ones.
var VeterinaryLast = table.SortLast{Member: "category", Value: "Veterinary"}

// readEMA reads EMA's reports: JSON files {"data":[{…}]} whose values are strings or lists
// (https://www.ema.europa.eu/en/about-us/about-website/download-website-data-json-data-format).
func readEMA(r *reader) {
	for _, f := range []struct{ file, kind string }{
		{"medicines.json", MedicineKind}, {"post-authorisation.json", PostAuthorisation}, {"referrals.json", Referral},
		{"psusa.json", SafetyUpdate}, {"dhpc.json", SafetyNotice}, {"shortages.json", Shortage},
	} {
		readObjects(r, f.file, func(o object) error {
			m := Medicine{
				Kind: f.kind,
				Name: o.first("name_of_medicine", "medicine_name", "medicine_affected", "referral_name",
					"title", "medicinal_product"),
				Substance: o.first("active_substance", "active_substances", "active_substances_in_scope_of_procedure"),
				INN: o.first("international_non_proprietary_name_common_name",
					"international_non_proprietary_name_inn_common_name",
					"international_non_proprietary_name_inn_or_common_name",
					"international_non_proprietary_name"),
				Number:   o.first("ema_product_number", "procedure_number", "reference_number"),
				Category: o.first("category"),
				Status: o.first("medicine_status", "current_status", "supply_shortage_status",
					"regulatory_outcome", "post_authorisation_procedure_status", "status"),
				Type: o.first("referral_type", "dhpc_type", "procedure_type", "title"),
				Area: o.first("therapeutic_area_mesh", "therapeutic_area", "therapeutic_indication"),
				ATC:  o.first("atc_code_human", "atc_code", "atcvet_code_veterinary"),
				Holder: o.first("marketing_authorisation_developer_applicant_holder",
					"marketing_authorisation_holder", "marketing_authorisation_holder_company_name"),
				Date: isoDate(o.first("marketing_authorisation_date", "opinion_date", "procedure_start_date",
					"dissemination_date", "start_of_shortage_date", "first_published_date")),
				URL: o.first("medicine_url", "referral_url", "psusa_url", "dhpc_url", "shortage_url", "url"),
			}
			if m.Name = cmp.Or(m.Name, m.Substance, m.INN); m.Name == "" {
				return skip("an entry without a name")
			}
			row := &table.Row{ID: m.Number, Kind: m.Kind, Name: m.Name, Body: m, ExtraText: m.Area}
			row.Add(Name, m.Name, m.Substance, m.INN)
			row.Add(Manufacturer, m.Holder)
			row.Add(ATC, m.ATC)
			if strings.HasPrefix(m.ATC, "J07") {
				row.Add(Class, Vaccine)
			}
			return r.put(row)
		})
	}
}

// object is an entry of a report: its values by name.
type object map[string]gjson.Result

// first returns the text of the first member that has one. A list becomes one text.
func (o object) first(names ...string) string {
	for _, n := range names {
		if s := member(o[n]); s != "" {
			return s
		}
	}
	return ""
}

// member returns the text of a text, a number or a list of them, and "" for any other value.
func member(value gjson.Result) string {
	switch {
	case value.Type == gjson.String:
		return text(value.Str)
	case value.Type == gjson.Number:
		return value.Raw
	case value.IsArray():
		return strings.Join(members(value), "; ")
	}
	return ""
}

// members returns the texts of the items of a list that are not empty.
func members(list gjson.Result) []string {
	texts := []string{}
	for _, item := range list.Array() {
		if t := member(item); t != "" {
			texts = append(texts, t)
		}
	}
	return texts
}

// readObjects calls f with every object of the list "data" of a JSON file, or of the file's top-level list.
func readObjects(r *reader, file string, f func(object) error) {
	whole, err := io.ReadAll(r.open(file))
	list, before := gjson.ParseBytes(whole), *r.report
	data := list.Get("data")
	notJSON := json.Unmarshal(whole, new(json.RawMessage))
	switch {
	case r.err != nil:
		return
	case err != nil:
		r.err = err
	case notJSON != nil:
		r.err = formatError(file, "it is not JSON, or is cut off (%s)", notJSON)
	case list.IsArray():
		data = list
	case !list.IsObject():
		r.err = formatError(file, "it is neither an object nor a list")
	case !data.Exists():
		r.err = formatError(file, "it has no list \"data\"")
	case !data.IsArray(): // null is not a list
		r.err = formatError(file, "its \"data\" is not a list")
	}
	for i, item := range data.Array() {
		if r.err != nil {
			return
		}
		r.report.Read++
		err := skip("an entry that is not an object")
		if item.IsObject() {
			err = f(item.Map())
		}
		if errors.As(err, new(skippedRow)) {
			r.report.Read--
			r.report.skip("%s, row %d: %s", file, i+1, err)
			err = nil
		}
		r.err = err
	}
	if err := r.report.check(file, before, false); r.err == nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
}
