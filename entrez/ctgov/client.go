package ctgov

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source is ClinicalTrials.gov. It states no rate limit, but accepts about 50 requests a minute.
var Source = httpclient.Source{
	Name: "ctgov", Label: "ClinicalTrials.gov", Address: "https://clinicaltrials.gov/api/v2/",
	Rate:   httpclient.Rate{Group: "ctgov", PerSecond: 1},
	TagsOf: tagsOf, Advice: advise,
	Ping: httpclient.NewCall(httpclient.Endpoint{
		Op: "version", Path: "version", Form: httpclient.JSON, Needs: []string{"apiVersion"},
	}),
	Dependencies: []httpclient.Dependency{
		{Path: "version", Reply: "apiVersion", Evidence: described},
		{
			Path: "studies", Evidence: "capture of ctgov, 2026-08-11",
			Params: "query.cond query.intr query.term fields pageSize pageToken countTotal filter.ids " +
				"filter.overallStatus",
			Tags: "NCTId,NCTIdAlias,BriefTitle,OverallStatus,HasResults,LastUpdatePostDate,VersionHolder,Phase," +
				"StudyType,Condition,InterventionType,InterventionName,LeadSponsorName,EnrollmentCount,StartDate," +
				"CompletionDate,EligibilityCriteria,Sex,MinimumAge,MaximumAge,OfficialTitle,WhyStopped,BriefSummary",
			Reply: "totalCount nextPageToken studies.hasResults " +
				"studies.protocolSection.identificationModule.{nctId,nctIdAliases,briefTitle,officialTitle} " +
				"studies.derivedSection.miscInfoModule.versionHolder " +
				"studies.protocolSection.statusModule.{overallStatus,whyStopped} " +
				"studies.protocolSection.statusModule.startDateStruct.date " +
				"studies.protocolSection.statusModule.completionDateStruct.date " +
				"studies.protocolSection.statusModule.lastUpdatePostDateStruct.date " +
				"studies.protocolSection.sponsorCollaboratorsModule.leadSponsor.name " +
				"studies.protocolSection.descriptionModule.briefSummary " +
				"studies.protocolSection.conditionsModule.conditions " +
				"studies.protocolSection.designModule.{phases,studyType} " +
				"studies.protocolSection.designModule.enrollmentInfo.count " +
				"studies.protocolSection.armsInterventionsModule.interventions.{type,name} " +
				"studies.protocolSection.eligibilityModule.{eligibilityCriteria,sex,minimumAge,maximumAge}",
		},
		{ // fields whose values are passed on unchanged
			Path: "studies", Evidence: described,
			Tags: "Keyword,Location,LocationFacility,LocationStatus,LocationCity,LocationState,LocationCountry," +
				"LocationGeoPoint,CentralContact,OverallOfficial,OutcomesModule,ArmGroup,ReferencesModule," +
				"OutcomeMeasuresModule,AdverseEventsModule,LargeDocumentModule,@relevance,LocationContactName," +
				"LocationContactRole,LocationContactPhone,LocationContactPhoneExt,LocationContactEMail,LastKnownStatus," +
				"EnrollmentType,StartDateType,PrimaryCompletionDate,PrimaryCompletionDateType,CompletionDateType",
			Reply: "studies.protocolSection.contactsLocationsModule.{locations,centralContacts,overallOfficials} " +
				"studies.protocolSection.statusModule.lastKnownStatus " +
				"studies.protocolSection.statusModule.primaryCompletionDateStruct.{date,type} " +
				"studies.protocolSection.statusModule.startDateStruct.type " +
				"studies.protocolSection.statusModule.completionDateStruct.type " +
				"studies.protocolSection.designModule.enrollmentInfo.type " +
				"studies.protocolSection.outcomesModule.{primaryOutcomes,secondaryOutcomes,otherOutcomes} " +
				"studies.protocolSection.armsInterventionsModule.armGroups " +
				"studies.protocolSection.referencesModule.references " +
				"studies.documentSection.largeDocumentModule.largeDocs " +
				"studies.resultsSection.outcomeMeasuresModule.outcomeMeasures " +
				"studies.resultsSection.adverseEventsModule.{eventGroups,timeFrame}",
		},
		{Path: "studies", Params: "query.spons query.locn filter.advanced filter.geo sort", Evidence: described},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(search, "filter.ids", "NCT02576665", "query.term", "AREA[NCTId]NCT02576665",
				"fields", "NCTId,OverallStatus", "countTotal", "true", "pageSize", "1"),
			Facts: []httpclient.Fact{
				{Path: "studies.0.protocolSection.identificationModule.nctId", Value: "NCT02576665"},
				{Path: "studies.0.protocolSection.statusModule.overallStatus"},
				{Path: "totalCount", Value: "1"},
			},
			Evidence: "captures 2026-08-11 and of aact, 2026; the area in a document", TagParam: "query.term", Tag: "NCTId",
		}}
	},
}

// advise explains status 403. Several clients got it on some networks only (genomoncology/biomcp issue
// 87, 2025-10-29; kg-registry, 2026-03-30).
func advise(e *httpclient.Error) string {
	if e.Status != http.StatusForbidden {
		return ""
	}
	return "its firewall refuses some networks and programs: try another network, or read https://clinicaltrials.gov"
}

// tagsOf returns the search areas and fields that a request names, including the field to sort by.
func tagsOf(params url.Values) (tags []string) {
	for name, values := range params {
		text := strings.Join(values, " ")
		switch {
		case name == "fields":
			tags = append(tags, strings.Split(text, ",")...)
		case name == "sort":
			field, _, _ := strings.Cut(text, ":")
			tags = append(tags, field)
		default:
			for _, m := range area().FindAllStringSubmatch(quoted().ReplaceAllString(text, ""), -1) {
				tags = append(tags, m[1])
			}
		}
	}
	return tags
}

var (
	quoted = pattern.Lazy(`"[^"]*"`)
	area   = pattern.Lazy(`(?:AREA|SEARCH)\[(\w+)\]`)
)

const described = "document, https://clinicaltrials.gov/data-api/api (OpenAPI 2.0.3)"

// The endpoints. Replies are cached for hours, since the registry is updated on working days.
var (
	search = httpclient.Endpoint{
		Op: "studies", Path: "studies", Form: httpclient.JSON, MaxBytes: 64 << 20, TTL: time.Hour,
		Needs: []string{"studies.#.protocolSection.identificationModule.nctId"},
	}
	lookup = httpclient.Endpoint{
		Op: "studies", Path: "studies", Form: httpclient.JSON, MaxBytes: 64 << 20, TTL: 24 * time.Hour,
		Needs: search.Needs,
	}
)

// MaxPage is the maximum number of studies in a page.
const MaxPage = 1000

// A Query is a search. Condition, Intervention, Term, Sponsor and Location are expressions, each in
// the search area of that name. Advanced is an expression that does not affect the ranking. An
// empty field does not restrict the search.
type Query struct {
	Condition, Intervention, Term, Sponsor, Location, Advanced string

	IDs        []string // current or former NCT numbers
	Status     []string // overall statuses, any of them
	GeoFilter  string   // location of a site: "distance(48.2,16.4,50mi)"
	AggFilters string   // "results:with" keeps the studies with posted results
	Sort       string   // "@relevance", "LastUpdatePostDate:desc"
	Fields     []string // names in the study data structure: "NCTId", "ConditionsModule"
}

// Params returns the parameters of the query as alternating names and values.
func (q Query) Params() []string {
	return []string{
		"query.cond", q.Condition, "query.intr", q.Intervention, "query.term", q.Term, "query.spons", q.Sponsor,
		"query.locn", q.Location, "filter.advanced", q.Advanced,
		"filter.ids", strings.Join(q.IDs, ","), "filter.overallStatus", strings.Join(q.Status, ","),
		"filter.geo", q.GeoFilter, "aggFilters", q.AggFilters, "sort", q.Sort,
	}
}

// Text formats the query, as it is sent, for display.
func (q Query) Text() string {
	var parts []string
	for p := q.Params(); len(p) > 1; p = p[2:] {
		if p[1] != "" && p[0] != "sort" {
			parts = append(parts, p[0]+"="+p[1])
		}
	}
	return strings.Join(parts, "; ")
}

// A Page is one page of a search. Total is set only on the first page, and nil on the others. Next
// is the token of the next page, or "" on the last one.
type Page struct {
	Studies []Study
	Total   *int
	Next    string
}

// Search fetches a page of at most size studies: the first page, or with token the next page of the
// same query. It returns a *httpclient.Error if the request fails.
func Search(ctx context.Context, c *httpclient.Client, q Query, token string, size int) (*Page, error) {
	call := httpclient.NewCall(search, q.Params()...)
	call.Set("fields", strings.Join(q.Fields, ","))
	call.Set("pageSize", strconv.Itoa(min(size, MaxPage)))
	if call.Set("pageToken", token); token == "" {
		call.Set("countTotal", "true")
	}
	return fetchPage(ctx, c, call)
}

// Studies fetches studies by their NCT numbers in one request. It returns those that exist, in no
// particular order. A former number returns the current study.
func Studies(ctx context.Context, c *httpclient.Client, ids, fields []string) ([]Study, error) {
	call := httpclient.NewCall(lookup, "filter.ids", strings.Join(ids, ","), "fields", strings.Join(fields, ","))
	call.Set("pageSize", strconv.Itoa(len(ids)))
	call.Cacheable = func(body []byte) bool { // do not cache a missing study, which may be registered by tomorrow
		return int(gjson.GetBytes(body, "studies.#").Int()) >= len(ids)
	}
	p, err := fetchPage(ctx, c, call)
	if err != nil {
		return nil, err
	}
	return p.Studies, nil
}

func fetchPage(ctx context.Context, c *httpclient.Client, call *httpclient.Call) (*Page, error) {
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	if err != nil {
		return nil, err
	}
	p := &Page{Next: reply.Text("nextPageToken")}
	if total := reply.Get("totalCount"); total.Type == gjson.Number {
		p.Total = new(int(total.Int()))
	}
	for _, study := range reply.Each("studies") {
		s := Study{study}
		if !ID().MatchString(s.ID()) {
			return nil, call.UnreadableError(errors.New("a study without an NCT number"))
		}
		p.Studies = append(p.Studies, s)
	}
	return p, nil
}

// ID matches an NCT number.
var ID = pattern.Lazy(`^(?i)NCT[0-9]{8}$`)
