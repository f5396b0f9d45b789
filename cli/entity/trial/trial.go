// Package trial defines the entity of clinical trials as registered at ClinicalTrials.gov.
// They are searched by condition, treatment, mutation, phase, status and location, and
// read by NCT number. Inclusion and exclusion criteria are printed separately, because
// a search finds a mutation in either.
package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/ncbi"
)

const source = "ClinicalTrials.gov"

// head holds the members that search rows and full records share.
type head struct {
	NCTID         string         `json:"nct_id"`
	Former        []string       `json:"former_ids"`
	Title         string         `json:"title"`
	Status        string         `json:"status"`
	LastKnown     *string        `json:"last_known_status"` // before UNKNOWN, which means not verified for two years
	Phases        []string       `json:"phases"`            // empty, or NA, if phases do not apply
	StudyType     *string        `json:"study_type"`
	Conditions    []string       `json:"conditions"`
	Interventions []intervention `json:"interventions"`
	Sponsor       *string        `json:"sponsor"`
	Enrollment    *int           `json:"enrollment"`
	// EnrollmentType and the types of dates are ESTIMATED or ACTUAL; null in old records.
	EnrollmentType *string `json:"enrollment_type"`
	Start          *string `json:"start_date"`
	StartType      *string `json:"start_date_type"`
	Primary        *string `json:"primary_completion_date"` // last data for the primary outcome
	PrimaryType    *string `json:"primary_completion_date_type"`
	Completion     *string `json:"completion_date"`
	CompletionType *string `json:"completion_date_type"`
	HasResults     bool    `json:"has_results"`
	URL            string  `json:"url"`
	LastUpdate     *string `json:"last_update"` // date of the record
	AsOf           *string `json:"as_of"`       // date of the registry's data
}

type intervention struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// joinedFields lists the lists of a trial that are one column of a table: DRUG imatinib.
var joinedFields = []string{"interventions type name"}

// trial is a record with the requested sections.
type trial struct {
	head
	OfficialTitle *string              `json:"official_title"`
	WhyStopped    *string              `json:"why_stopped"`
	Summary       string               `json:"summary"`
	Eligibility   eligibility          `json:"eligibility"`
	Results       entity.Part[results] `json:"results,omitzero"`
	entity.Parts

	study ctgov.Study
}

type eligibility struct {
	Text string `json:"text"`
	ctgov.Criteria
	Sex        *string `json:"sex"`
	MinimumAge *string `json:"minimum_age"` // such as "18 Years"; null means no limit
	MaximumAge *string `json:"maximum_age"`
}

type results struct {
	Outcomes  []json.RawMessage `json:"outcomes"`
	Events    []json.RawMessage `json:"adverse_events"`
	TimeFrame *string           `json:"adverse_events_time_frame"`
}

// Fields requested for every record, for a search row, and for a full card.
var (
	identity = []string{
		"NCTId", "NCTIdAlias", "BriefTitle", "OverallStatus", "HasResults", "LastUpdatePostDate",
		"VersionHolder",
	}
	rowFields = append(slices.Clone(identity), "Phase", "StudyType", "Condition", "InterventionType",
		"InterventionName", "LeadSponsorName", "LastKnownStatus", "EnrollmentCount", "EnrollmentType",
		"StartDate", "StartDateType", "PrimaryCompletionDate", "PrimaryCompletionDateType",
		"CompletionDate", "CompletionDateType")
	criteria = []string{"EligibilityCriteria", "Sex", "MinimumAge", "MaximumAge"}
	whole    = slices.Concat(rowFields, criteria, []string{"OfficialTitle", "WhyStopped", "BriefSummary"})
)

// Entity returns the definition of the trial entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[trial]{
		Name: "trial",
		Synonyms: []string{
			"nct", "clinical-trial", "clinicaltrials", "clinicaltrial", "ctgov", "clinicaltrials.gov", "nctid",
		},
		Plural: "trials",
		IDs: entity.IDs{
			Placeholder: "<nct>...", Max: 20, Match: ctgov.ID().MatchString, MatchExclusive: ctgov.ID().MatchString, Listed: true,
		},
		Label: "Trials", Sources: []string{source},
		Identity: []string{"nct_id", "former_ids", "title", "status", "has_results", "url", "last_update", "as_of"},
		Search:   search(), Rows: entity.Rows[trial]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read clinical trials: eligibility, locations, results",
			Help: command.Help{
				Input: "Up to 20 NCT numbers, former ones too.",
				Output: "A card; with sections a short head and those. In JSON the criteria of eligibility " +
					"are inclusion[], exclusion[] and other[], by the headings of the record.",
				Surprises: "A record is the sponsor's own statement, with the date of its last update. For a " +
					"former number the answer is today's record, with a notice.",
			},
			Flags: func(f *command.Flags) { f.Page(1000, 1000) },
			Examples: []command.Example{
				{Line: "biomcp get trial NCT02576665", Explanation: "one trial"},
				{Line: "biomcp get trial NCT02576665 eligibility locations", Explanation: "eligibility and locations"},
				{Line: "biomcp get trial NCT04280705 results", Explanation: "the outcomes that were measured"},
			},
		},
		Fetch: fetch,
		Card:  card, ID: func(t *trial) string { return t.NCTID }, Sections: sections(),
		Next: func(t *trial) []result.Argv {
			return []result.Argv{
				{"get", "trial", t.NCTID, "eligibility"}, {"get", "trial", t.NCTID, "locations"},
				{"search", "article", t.NCTID + "[si]"},
			}
		},
	})
}

// fetch gets all records in one request, with the fields that the requested sections need.
func fetch(
	ctx context.Context, in *command.Input, ids []string, sectionNames entity.Sections,
) (*entity.Found[trial], error) {
	fields := slices.Clone(identity)
	if sectionNames.Whole(len(parts)) {
		fields = slices.Clone(whole)
	}
	for _, p := range parts {
		if sectionNames.Has(p.name) {
			fields = append(fields, p.fields...)
		}
	}
	slices.Sort(fields)
	wanted := strings.Split(strings.ToUpper(strings.Join(ids, " ")), " ")
	studies, err := ctgov.Studies(ctx, in.App.Network(), wanted, slices.Compact(fields))
	if err != nil {
		return nil, err
	}
	found, records := &entity.Found[trial]{}, make([]*trial, len(studies))
	for i, s := range studies {
		records[i] = newTrial(s, sectionNames)
	}
	for n, id := range wanted {
		at := slices.IndexFunc(studies, func(s ctgov.Study) bool { return s.HasID(id) })
		if at < 0 {
			found.Missing = append(found.Missing, ids[n])
			continue
		}
		if now := studies[at].ID(); now != id {
			found.Notices = append(found.Notices, formerNotice(id, now))
		}
		found.Add(ids[n], records[at])
	}
	return found, nil
}

func formerNotice(id, now string) string { return fmt.Sprintf("%s is a former number of %s", id, now) }

func newHead(s ctgov.Study) head {
	p := s.Member("protocolSection")
	h := head{
		NCTID: s.ID(), Former: s.FormerIDs(), Title: s.Title(), Status: s.Status(),
		Phases: p.Texts("designModule.phases"), StudyType: p.TextOrNil("designModule.studyType"),
		Conditions: p.Texts("conditionsModule.conditions"),
		Sponsor:    p.TextOrNil("sponsorCollaboratorsModule.leadSponsor.name"),
		LastKnown:  p.TextOrNil("statusModule.lastKnownStatus"),
		HasResults: s.Get("hasResults").Bool(),
		URL:        s.URL(),
		LastUpdate: p.TextOrNil("statusModule.lastUpdatePostDateStruct.date"),
		AsOf:       s.TextOrNil("derivedSection.miscInfoModule.versionHolder"),
	}
	h.Start, h.StartType = dateAndType(p, "statusModule.startDateStruct")
	h.Primary, h.PrimaryType = dateAndType(p, "statusModule.primaryCompletionDateStruct")
	h.Completion, h.CompletionType = dateAndType(p, "statusModule.completionDateStruct")
	if n := p.Get("designModule.enrollmentInfo.count"); n.Exists() {
		h.Enrollment, h.EnrollmentType = new(int(n.Int())), p.TextOrNil("designModule.enrollmentInfo.type")
	}
	h.Interventions = result.Map(p.Each("armsInterventionsModule.interventions"), func(v ncbi.Object) intervention {
		return intervention{v.Text("type"), v.Text("name")}
	})
	return h
}

func dateAndType(p ncbi.Object, path string) (date, kind *string) {
	return p.TextOrNil(path + ".date"), p.TextOrNil(path + ".type")
}

// statusText returns the status, and the last known one if the status is UNKNOWN.
func (h *head) statusText() string {
	if h.LastKnown == nil || h.Status != "UNKNOWN" {
		return h.Status
	}
	return h.Status + " (last known: " + *h.LastKnown + ")"
}

// withType adds to a value whether it is estimated or actual, if the record says so.
func withType(value string, kind *string) string {
	if value == "" || kind == nil {
		return value
	}
	return value + " (" + strings.ToLower(*kind) + ")"
}

func newTrial(s ctgov.Study, sectionNames entity.Sections) *trial {
	p, e := s.Member("protocolSection"), s.Member("protocolSection.eligibilityModule")
	t := &trial{
		head: newHead(s), OfficialTitle: p.TextOrNil("identificationModule.officialTitle"),
		WhyStopped: p.TextOrNil("statusModule.whyStopped"),
		Summary:    ctgov.Plain(p.Text("descriptionModule.briefSummary")),
		Eligibility: eligibility{
			ctgov.Unescape(e.Text("eligibilityCriteria")), s.Criteria(), e.TextOrNil("sex"), e.TextOrNil("minimumAge"),
			e.TextOrNil("maximumAge"),
		},
		study: s,
	}
	if sectionNames.Has("results") {
		r := s.Member("resultsSection")
		t.Results.Requested = true
		t.Results.Value = results{
			objects(r.Get("outcomeMeasuresModule.outcomeMeasures")),
			objects(r.Get("adverseEventsModule.eventGroups")), r.TextOrNil("adverseEventsModule.timeFrame"),
		}
	}
	return t
}

func objects(array gjson.Result) []json.RawMessage {
	return result.Map(array.Array(), ctgov.SnakeCase)
}

// card renders the head of a record. If no section is requested, it adds a summary that
// fits one screen, with a shortened text and the number of criteria.
func card(t *trial, sectionNames entity.Sections) result.Doc {
	f := result.Fields{
		{Name: "NCT number", Value: t.NCTID}, {Name: "Former numbers", Value: strings.Join(t.Former, ", ")},
	}
	if !sectionNames.Whole(len(parts)) { // identifies the trial above its sections
		return result.Doc{result.Heading{Level: 1, Text: t.Title}, f}
	}
	treatments := result.Map(t.Interventions, func(v intervention) string {
		return v.Name + " (" + strings.ToLower(strings.ReplaceAll(v.Type, "_", " ")) + ")"
	})
	e := t.Eligibility
	eligible := fmt.Sprintf("%s, sex %s; criteria: %d include, %d exclude", e.ages(),
		cmp.Or(entity.Deref(e.Sex), "not given"), len(e.Inclusion), len(e.Exclusion))
	if len(e.Other) > 0 {
		eligible += fmt.Sprintf(", %d not divided", len(e.Other))
	}
	updated := "record of " + cmp.Or(entity.Deref(t.LastUpdate), "unknown date")
	if t.AsOf != nil {
		updated += ", registry of " + *t.AsOf
	}
	f = append(f, result.Fields{
		{Name: "Status", Value: t.statusText()},
		{Name: "Phase", Value: strings.Join(t.Phases, "/")}, {Name: "Type", Value: entity.Deref(t.StudyType)},
		{Name: "Conditions", Value: entity.EtAl(t.Conditions, 8)},
		{Name: "Interventions", Value: entity.EtAl(treatments, 8)},
		{Name: "Sponsor", Value: entity.Deref(t.Sponsor)},
		{Name: "People", Value: withType(entity.FormatNumber(t.Enrollment), t.EnrollmentType)},
		{Name: "Dates", Value: t.dates()},
		{Name: "Primary completion", Value: withType(entity.Deref(t.Primary), t.PrimaryType)},
		{Name: "Eligible", Value: eligible + ": section eligibility"},
		{Name: "Results", Value: map[bool]string{true: "posted: section results", false: "none posted"}[t.HasResults]},
		{Name: "Updated", Value: updated}, {Name: "Link", Value: t.URL},
	}...)
	doc := result.Doc{result.Heading{Level: 1, Text: t.Title}, f}
	if why := entity.Deref(t.WhyStopped); why != "" {
		doc = append(doc, result.Passage{Block: result.Fields{{Name: "Why stopped", Value: why}}})
	}
	if t.Summary != "" {
		doc = append(doc, result.Heading{Level: 2, Text: "Summary"})
		doc = append(doc, result.PassageOf(entity.Truncate(t.Summary, 600))...)
	}
	return doc
}

// dates formats the start and the completion of the trial. Either may be missing.
func (t *trial) dates() string {
	start, end := withType(entity.Deref(t.Start), t.StartType), withType(entity.Deref(t.Completion), t.CompletionType)
	switch {
	case start == "" && end == "":
		return ""
	case end == "":
		return start + " to an unknown date"
	}
	return cmp.Or(start, "unknown date") + " to " + end
}

func (e eligibility) ages() string {
	if e.MinimumAge == nil && e.MaximumAge == nil {
		return "no limits"
	}
	return cmp.Or(entity.Deref(e.MinimumAge), "no limit") + " to " + cmp.Or(entity.Deref(e.MaximumAge), "no limit")
}
