package ctgov

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/pattern"
)

// Study is a study as ClinicalTrials.gov describes it
// (https://clinicaltrials.gov/data-api/about-api/study-data-structure). A part that
// was not asked for is absent. Texts are in markdown, which [Plain] reads.
type Study struct{ gjson.Result }

// ID is the NCT number.
func (s Study) ID() string { return s.Get("protocolSection.identificationModule.nctId").String() }

// Former are the numbers that the study had before.
func (s Study) Former() []string {
	return Texts(s.Get("protocolSection.identificationModule.nctIdAliases"))
}

// Is reports whether an NCT number is the study's, today or formerly.
func (s Study) Is(id string) bool {
	return slices.ContainsFunc(append(s.Former(), s.ID()), func(n string) bool { return strings.EqualFold(id, n) })
}

// Criteria are the criteria of eligibility, divided.
func (s Study) Criteria() Criteria {
	return SplitCriteria(s.Get("protocolSection.eligibilityModule.eligibilityCriteria").String())
}

// Texts are the texts of an array, never nil.
func Texts(array gjson.Result) []string {
	out := []string{}
	for _, one := range array.Array() {
		out = append(out, one.String())
	}
	return out
}

// Known is the text of a value, nil where there is none.
func Known(v gjson.Result) *string {
	if v.String() == "" {
		return nil
	}
	return new(v.String())
}

// Snake is JSON with time_frame for the name timeFrame. A name is what is in quotes
// before a colon: in a text a quote has a backslash.
func Snake(v gjson.Result) json.RawMessage {
	return name().ReplaceAllFunc([]byte(v.Raw), func(n []byte) []byte {
		return bytes.ToLower(capital().ReplaceAll(n, []byte("_$0")))
	})
}

var (
	name    = pattern.Lazy(`"[a-z][a-zA-Z]*"\s*:`)
	capital = pattern.Lazy(`[A-Z]`)
)
