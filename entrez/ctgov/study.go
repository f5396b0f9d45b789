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

// A Study is a study as ClinicalTrials.gov describes it
// (https://clinicaltrials.gov/data-api/about-api/study-data-structure). Fields that were not
// requested are absent. Texts are in markdown, which [Plain] unescapes.
type Study struct{ ncbi.Object }

// ID returns the NCT number.
func (s Study) ID() string { return s.Text("protocolSection.identificationModule.nctId") }

// Title returns the brief title.
func (s Study) Title() string { return s.Text("protocolSection.identificationModule.briefTitle") }

// Status returns the overall status, such as RECRUITING.
func (s Study) Status() string { return s.Text("protocolSection.statusModule.overallStatus") }

// URL returns the address of the study's page.
func (s Study) URL() string { return "https://clinicaltrials.gov/study/" + s.ID() }

// FormerIDs returns the study's former NCT numbers.
func (s Study) FormerIDs() []string {
	return s.Texts("protocolSection.identificationModule.nctIdAliases")
}

// HasID reports whether id is the study's current NCT number or a former one.
func (s Study) HasID(id string) bool {
	return slices.ContainsFunc(append(s.FormerIDs(), s.ID()), func(n string) bool { return strings.EqualFold(id, n) })
}

// Criteria returns the eligibility criteria, split by [SplitCriteria].
func (s Study) Criteria() Criteria {
	return SplitCriteria(s.Text("protocolSection.eligibilityModule.eligibilityCriteria"))
}

// SnakeCase returns JSON with its names in snake case: timeFrame becomes time_frame. A name is a quoted word
// before a colon. Quotes within a string have a backslash, so that its text is not changed.
func SnakeCase(v gjson.Result) json.RawMessage {
	return name().ReplaceAllFunc([]byte(v.Raw), func(n []byte) []byte {
		return bytes.ToLower(capital().ReplaceAll(n, []byte("_$0")))
	})
}

var (
	name    = pattern.Lazy(`"[a-z][a-zA-Z]*"\s*:`)
	capital = pattern.Lazy(`[A-Z]`)
)
