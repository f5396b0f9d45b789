package ctgov

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Study is a study as ClinicalTrials.gov describes it
// (https://clinicaltrials.gov/data-api/about-api/study-data-structure). A part that
// was not asked for is absent. Texts are in markdown, which [Plain] reads.
type Study struct{ ncbi.Object }

// ID is the NCT number.
func (s Study) ID() string { return s.Text("protocolSection.identificationModule.nctId") }

// Title is the brief title.
func (s Study) Title() string { return s.Text("protocolSection.identificationModule.briefTitle") }

// Status is the overall status: RECRUITING.
func (s Study) Status() string { return s.Text("protocolSection.statusModule.overallStatus") }

// URL is the study's page.
func (s Study) URL() string { return "https://clinicaltrials.gov/study/" + s.ID() }

// Former are the numbers that the study had before.
func (s Study) Former() []string {
	return s.Texts("protocolSection.identificationModule.nctIdAliases")
}

// Is reports whether an NCT number is the study's, today or formerly.
func (s Study) Is(id string) bool {
	return slices.ContainsFunc(append(s.Former(), s.ID()), func(n string) bool { return strings.EqualFold(id, n) })
}

// Criteria are the criteria of eligibility, divided.
func (s Study) Criteria() Criteria {
	return SplitCriteria(s.Text("protocolSection.eligibilityModule.eligibilityCriteria"))
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
