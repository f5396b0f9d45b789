package study

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/store/study/stats"
)

// An Endpoint is a pair of clinical attributes, X_STATUS and X_MONTHS.
type Endpoint struct {
	ID            string // in lower case: os
	Name          string // Overall Survival (OS)
	status, month Attribute
}

type endpointName struct{ id, name, synonyms string }

// endpointNames lists the usual endpoints with their full names and synonyms, the most common
// first.
var endpointNames = []endpointName{
	{"os", "Overall Survival", "overall overall_survival"},
	{"dfs", "Disease-Free Survival", "disease_free disease_free_survival"},
	{"pfs", "Progression-Free Survival", "progression_free progression_free_survival"},
	{"dss", "Disease-Specific Survival", "disease_specific disease_specific_survival"},
	{"rfs", "Relapse-Free Survival", "relapse_free"},
	{"efs", "Event-Free Survival", "event_free"},
}

// Endpoints returns the endpoints for which the clinical files have both columns, the most
// common first. Pairs within one level, patient or sample, win over mixed pairs.
func (s *Study) Endpoints() ([]Endpoint, error) {
	attributes, err := s.Attributes()
	if err != nil {
		return nil, err
	}
	var list []Endpoint
	for _, mixed := range []bool{false, true} {
		for _, a := range attributes {
			prefix, ok := strings.CutSuffix(a.ID, "_STATUS")
			isListed := func(e Endpoint) bool { return strings.EqualFold(e.ID, prefix) }
			if !ok || prefix == "" || slices.ContainsFunc(list, isListed) {
				continue
			}
			i := slices.IndexFunc(attributes, func(m Attribute) bool {
				return m.ID == prefix+"_MONTHS" && (mixed || m.Data == a.Data)
			})
			if i < 0 {
				continue
			}
			e := Endpoint{ID: strings.ToLower(prefix), Name: prefix, status: a, month: attributes[i]}
			for _, n := range endpointNames {
				if n.id == e.ID {
					e.Name = n.name + " (" + prefix + ")"
				}
			}
			list = append(list, e)
		}
	}
	rank := func(e Endpoint) uint { // -1 becomes the greatest uint, so other endpoints sort last
		return uint(slices.IndexFunc(endpointNames, func(n endpointName) bool { return n.id == e.ID }))
	}
	slices.SortStableFunc(list, func(a, b Endpoint) int { return cmp.Compare(rank(a), rank(b)) })
	return list, nil
}

// Endpoint finds an endpoint by its ID or a synonym. The text of a NotFound error lists the
// available endpoints.
func (s *Study) Endpoint(word string) (Endpoint, error) {
	list, err := s.Endpoints()
	if err != nil {
		return Endpoint{}, err
	}
	id := strings.ToLower(strings.TrimSpace(word))
	for _, n := range endpointNames {
		if slices.Contains(strings.Fields(n.synonyms), strings.ReplaceAll(id, "-", "_")) {
			id = n.id
		}
	}
	var ids []string
	for _, e := range list {
		if e.ID == id {
			return e, cmp.Or(e.status.duplicateErr, e.month.duplicateErr)
		}
		ids = append(ids, e.ID)
	}
	for _, err := range s.ClinicalFaults() { // the endpoint may be in that file
		return Endpoint{}, err
	}
	if ids == nil {
		return Endpoint{}, newError(NoData, "study %s has no survival endpoint: "+
			"no pair of clinical attributes such as OS_STATUS and OS_MONTHS", s.ID)
	}
	return Endpoint{}, newError(NotFound, "no survival endpoint %q; available: %s", word, strings.Join(ids, ", "))
}

// FollowUp holds the follow-up of all patients for one endpoint.
type FollowUp struct {
	Obs       []stats.Obs // by patient; time in months
	Reason    []string    // by patient: BadTime or BadStatus if there is no follow-up, otherwise ""
	Conflicts int         // patients with follow-up whose samples have different values
}

// The reasons why a patient has no follow-up.
const (
	BadTime   = "time missing, negative or not finite"
	BadStatus = "status missing or not understood"
)

// FollowUp reads the follow-up for an endpoint. For sample attributes, a patient gets time and
// status of the first sample that has both.
func (s *Study) FollowUp(e Endpoint) (*FollowUp, error) {
	v, err := s.Values(e.month, e.status)
	if err != nil {
		return nil, err
	}
	f := &FollowUp{Obs: make([]stats.Obs, len(v[0].Patient)), Reason: make([]string, len(v[0].Patient))}
	for patient, of := range v[0].samples.ByPatient {
		o, reason := parseFollowUp(v[0].Patient[patient], v[1].Patient[patient])
		used := -1
		for _, i := range of {
			if next, why := parseFollowUp(v[0].Sample[i], v[1].Sample[i]); used < 0 || reason != "" && why != BadTime {
				o, reason, used = next, why, i
			}
		}
		f.Obs[patient], f.Reason[patient] = o, reason
		differs := func(sample int) bool {
			return slices.ContainsFunc(v, func(a Values) bool {
				return a.Sample[sample] != "" && a.Sample[sample] != a.Sample[used]
			})
		}
		if reason == "" && slices.ContainsFunc(of, differs) {
			f.Conflicts++
		}
	}
	return f, nil
}

// parseFollowUp parses a time and a status. The reason is "" if both are valid.
func parseFollowUp(months, word string) (o stats.Obs, reason string) {
	time, err := strconv.ParseFloat(months, 64)
	event, known := parseStatus(word)
	switch {
	case err != nil || !(time >= 0) || math.IsInf(time, 0):
		return stats.Obs{}, BadTime
	case !known:
		return stats.Obs{}, BadStatus
	}
	return stats.Obs{Time: time, Event: event}, ""
}

// parseStatus parses 1:DECEASED, 0:LIVING, 1 and 0, and the bare words used in older studies.
func parseStatus(s string) (event, known bool) {
	number, _, _ := strings.Cut(s, ":")
	switch strings.TrimSpace(number) {
	case "1":
		return true, true
	case "0":
		return false, true
	}
	switch strings.ToUpper(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(s)) {
	case "DECEASED", "DEAD", "DEADWITHTUMOR", "RECURRED", "RECURRENCE", "RELAPSED",
		"PROGRESSED", "PROGRESSION", "RECURRED/PROGRESSED", "EVENT":
		return true, true
	case "LIVING", "ALIVE", "ALIVEORDEADTUMORFREE", "DISEASEFREE", "NORECURRENCE",
		"PROGRESSIONFREE", "NOPROGRESSION", "CENSORED", "NOEVENT":
		return false, true
	}
	return false, false
}

// A Covariate is an adjustment variable of a Cox model, numeric or categorical.
type Covariate struct {
	Attribute Attribute
	Numbers   []float64 // by patient, NaN if missing; nil for categories
	Names     []string  // names of the categories
	Category  []int     // by patient: index in Names, negative if missing
	Source    Numbers   // source of Numbers
	conflict  string    // reason for patients whose samples are in several categories
}

// Covariate reads an attribute as a covariate, numeric if Numbers.Numeric is set, otherwise
// categorical.
func (s *Study) Covariate(a Attribute) (Covariate, error) {
	v, err := s.Values(a)
	if err != nil {
		return Covariate{}, err
	}
	if n := v[0].PatientNumbers(); n.Numeric {
		return Covariate{Attribute: a, Numbers: n.Values, Source: n}, nil
	}
	g, err := s.GroupByAttribute(a)
	return Covariate{Attribute: a, Names: g.Names, Category: g.Group, conflict: g.Conflict}, err
}

// exclusionReason returns the reason why a patient has no value, or "" if the patient has one.
func (v Covariate) exclusionReason(patient int) string {
	switch {
	case v.Numbers == nil && v.Category[patient] == -2:
		return v.conflict
	case v.Numbers == nil && v.Category[patient] < 0, v.Numbers != nil && math.IsNaN(v.Numbers[patient]):
		return "no value of " + v.Attribute.ID
	}
	return ""
}

// columns returns the model columns for some patients: the numbers, or an indicator for each of
// their categories except the largest, which is the reference.
func (v Covariate) columns(patients []int) (names []string, columns [][]float64) {
	if v.Numbers != nil {
		column := make([]float64, len(patients))
		for i, patient := range patients {
			column[i] = v.Numbers[patient]
		}
		return []string{v.Attribute.ID}, [][]float64{column}
	}
	size, of := make([]int, len(v.Names)), make([]int, len(patients))
	for i, patient := range patients {
		of[i] = v.Category[patient]
		size[of[i]]++
	}
	if len(patients) == 0 {
		return nil, nil
	}
	reference := slices.Index(size, slices.Max(size))
	all := Indicators(of, len(v.Names), reference)
	for k, name := range v.Names {
		if k == reference || size[k] == 0 {
			continue
		}
		at := k
		if k > reference {
			at--
		}
		names, columns = append(names, v.Attribute.ID+": "+name+" vs "+v.Names[reference]), append(columns, all[at])
	}
	return names, columns
}

// ExclusionCount counts the patients excluded for one reason.
type ExclusionCount struct {
	Reason string `json:"reason"`
	N      int    `json:"n"`
}

// A Cohort is the input of a survival analysis: the patients with a group, follow-up and every
// covariate.
type Cohort struct {
	Patients []int // indexes in Samples.Patients
	Obs      []stats.Obs
	Group    []int
	Strata   []int            // nil if not stratified
	Columns  [][]float64      // covariate columns, in order
	Names    []string         // names of Columns
	Terms    [][]int          // columns of each covariate
	Numeric  []bool           // whether each covariate is numeric
	Excluded []ExclusionCount // together with Patients they add up to all patients
}

// Join combines the inputs of a survival analysis. It counts an excluded patient once, for the
// first reason that applies: no group if groups.First; time; status; no group otherwise; a
// missing covariate or stratum. strata may be nil.
func Join(f *FollowUp, groups Grouping, covariates []Covariate, strata *Grouping) *Cohort {
	checks := []func(patient int) string{func(i int) string { return f.Reason[i] }, groups.exclusionReason}
	if groups.BeforeFollowUp {
		slices.Reverse(checks)
	}
	for _, v := range covariates {
		checks = append(checks, v.exclusionReason)
	}
	if strata != nil {
		checks = append(checks, strata.exclusionReason)
	}
	c, rank := &Cohort{}, map[string]int{} // rank orders the reasons as they are checked
	for i := range f.Obs {
		reason := ""
		for k := 0; k < len(checks) && reason == ""; k++ {
			reason = checks[k](i)
			rank[reason] = 2 * k
		}
		if reason != "" {
			at := slices.IndexFunc(c.Excluded, func(e ExclusionCount) bool { return e.Reason == reason })
			if at < 0 {
				at = len(c.Excluded)
				c.Excluded = append(c.Excluded, ExclusionCount{Reason: reason})
			}
			c.Excluded[at].N++
			continue
		}
		c.Patients, c.Obs, c.Group = append(c.Patients, i), append(c.Obs, f.Obs[i]), append(c.Group, groups.Group[i])
		if strata != nil {
			c.Strata = append(c.Strata, strata.Group[i])
		}
	}
	for _, v := range covariates {
		names, columns := v.columns(c.Patients)
		var term []int
		for i := range columns {
			term = append(term, len(c.Names)+i)
		}
		c.Names, c.Columns, c.Terms = append(c.Names, names...), append(c.Columns, columns...), append(c.Terms, term)
		c.Numeric = append(c.Numeric, v.Numbers != nil)
	}
	rank[BadStatus]++ // after BadTime
	slices.SortStableFunc(c.Excluded, func(a, b ExclusionCount) int { return rank[a.Reason] - rank[b.Reason] })
	return c
}
