// Package ctgovtest simulates ClinicalTrials.gov with a few fictitious studies. It evaluates the
// Essie expressions that package ctgov writes, sends a total only on the first page and a token on
// every page but the last, and returns only the requested fields.
//
//	s := sourcetest.New(t)
//	ctgovtest.AddTo(s)
package ctgovtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/sourcetest"
)

//go:embed studies.json
var studies []byte

// AddTo makes the server simulate ClinicalTrials.gov with the endpoints "studies" and "version".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &ctgov.Source, Path: "/ctgov/", Endpoints: []sourcetest.Endpoint{
		{Name: "studies", Path: "studies", Answer: answer},
		{Name: "version", Path: "version", Answer: func(*sourcetest.Call) sourcetest.Reply {
			return sourcetest.JSON(http.StatusOK, map[string]string{
				"apiVersion": "2.0.3", "dataTimestamp": "2026-11-20T09:00:05",
			})
		}},
	}})
}

// answer returns a page of studies, or an error in plain text if the request is invalid.
func answer(c *sourcetest.Call) sourcetest.Reply {
	page, err := pageOf(c)
	if err != nil {
		return sourcetest.Reply{Status: http.StatusBadRequest, Type: sourcetest.TextType, Body: []byte(err.Error())}
	}
	return sourcetest.JSON(http.StatusOK, page)
}

func pageOf(c *sourcetest.Call) (map[string]any, error) {
	fields := strings.Split(c.Get("fields"), ",")
	for _, f := range fields {
		if paths[f] == "" {
			return nil, fmt.Errorf("fields: %q is not a field", f)
		}
	}
	hits, err := find(c)
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(c.Get("pageSize"))
	if err != nil || size < 1 {
		return nil, fmt.Errorf("pageSize: %q", c.Get("pageSize"))
	}
	form := maps.Clone(c.Form) // parameters that every page must repeat
	form.Del("countTotal")
	form.Del("pageSize")
	form.Del("pageToken")
	sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(form.Encode())))
	from, first := 0, c.Get("pageToken") == ""
	if offset, tokenSum, _ := strings.Cut(c.Get("pageToken"), "."); !first {
		if from, err = strconv.Atoi(offset); err != nil || tokenSum != sum {
			return nil, fmt.Errorf("pageToken: the parameters differ from the first page")
		}
	}
	end := min(from+min(size, ctgov.MaxPage), len(hits))
	onPage := []any{}
	for _, s := range hits[min(from, end):end] {
		onPage = append(onPage, pick(map[string]any(s), "", fields))
	}
	page := map[string]any{"studies": onPage}
	if first && c.Get("countTotal") == "true" {
		page["totalCount"] = len(hits)
	}
	if end < len(hits) {
		page["nextPageToken"] = fmt.Sprintf("%d.%s", end, sum)
	}
	return page, nil
}

// areas lists the fields that each search area consists of.
var areas = map[string][]string{
	"query.cond":      {"Condition", "BriefTitle", "Keyword"},
	"query.intr":      {"InterventionName", "InterventionOtherName"},
	"query.spons":     {"LeadSponsorName"},
	"query.locn":      {"LocationFacility", "LocationCity", "LocationState", "LocationCountry"},
	"filter.advanced": {"BriefTitle"},
	"query.term": {
		"NCTId", "BriefTitle", "OfficialTitle", "Condition", "InterventionName", "BriefSummary", "Keyword",
	},
}

func find(c *sourcetest.Call) (hits []Study, err error) {
	if err := json.Unmarshal(studies, &hits); err != nil {
		panic(err) // an embedded file
	}
	keep := func(is func(Study) bool) { hits = slices.DeleteFunc(hits, func(s Study) bool { return !is(s) }) }
	for name, fields := range areas {
		if c.Get(name) == "" {
			continue
		}
		e, err := Parse(c.Get(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		keep(func(s Study) bool { return e.Matches(s, fields) })
	}
	for name, fields := range map[string][]string{
		"filter.ids": {"NCTId", "NCTIdAlias"}, "filter.overallStatus": {"OverallStatus"},
	} {
		if list := strings.Split(strings.ToUpper(c.Get(name)), ","); list[0] != "" {
			keep(func(s Study) bool {
				return slices.ContainsFunc(s.texts(fields...), func(v string) bool { return slices.Contains(list, v) })
			})
		}
	}
	switch filter := c.Get("aggFilters"); filter {
	case "":
	case "results:with":
		keep(func(s Study) bool { return slices.Contains(s.texts("HasResults"), "true") })
	default:
		return nil, fmt.Errorf("aggFilters: %s is not simulated", filter)
	}
	if geo := c.Get("filter.geo"); geo != "" {
		var lat, lon, distance, y, x float64
		var unit string
		if _, err := fmt.Sscanf(geo, "distance(%f,%f,%f%2s)", &lat, &lon, &distance, &unit); err != nil {
			return nil, fmt.Errorf("filter.geo: %w", err)
		}
		if unit == "km" {
			distance /= 1.609344
		}
		keep(func(s Study) bool {
			return slices.ContainsFunc(s.texts("LocationGeoPoint"), func(point string) bool {
				_, err := fmt.Sscanf(point, "map[lat:%f lon:%f]", &y, &x)
				miles := math.Hypot((y-lat)*69, (x-lon)*69*math.Cos(lat*math.Pi/180)) // about 69 miles per degree
				return err == nil && miles <= distance
			})
		})
	}
	return hits, nil
}

// A Study is a study in the API's JSON.
type Study map[string]any

// paths maps the fields that package ctgov and the searches above name to their paths in the JSON.
var paths = map[string]string{"HasResults": "hasResults"}

func init() {
	for module, fields := range map[string]string{
		"protocolSection.identificationModule.": "NCTId:nctId NCTIdAlias:nctIdAliases BriefTitle " +
			"OfficialTitle Acronym",
		"protocolSection.statusModule.": "OverallStatus LastKnownStatus WhyStopped " +
			"StartDate:startDateStruct.date StartDateType:startDateStruct.type " +
			"PrimaryCompletionDate:primaryCompletionDateStruct.date " +
			"PrimaryCompletionDateType:primaryCompletionDateStruct.type " +
			"CompletionDate:completionDateStruct.date CompletionDateType:completionDateStruct.type " +
			"LastUpdatePostDate:lastUpdatePostDateStruct.date",
		"protocolSection.sponsorCollaboratorsModule.": "LeadSponsorName:leadSponsor.name",
		"protocolSection.descriptionModule.":          "BriefSummary",
		"protocolSection.conditionsModule.":           "Condition:conditions Keyword:keywords",
		"protocolSection.designModule.": "StudyType Phase:phases " +
			"EnrollmentCount:enrollmentInfo.count EnrollmentType:enrollmentInfo.type",
		"protocolSection.armsInterventionsModule.": "InterventionType:interventions.type " +
			"InterventionName:interventions.name InterventionOtherName:interventions.otherNames ArmGroup:armGroups",
		"protocolSection.eligibilityModule.": "EligibilityCriteria Sex MinimumAge MaximumAge",
		"protocolSection.contactsLocationsModule.": "CentralContact:centralContacts " +
			"OverallOfficial:overallOfficials LocationFacility:locations.facility LocationStatus:locations.status " +
			"LocationCity:locations.city LocationState:locations.state LocationCountry:locations.country " +
			"LocationGeoPoint:locations.geoPoint LocationContactName:locations.contacts.name " +
			"LocationContactRole:locations.contacts.role LocationContactPhone:locations.contacts.phone " +
			"LocationContactPhoneExt:locations.contacts.phoneExt LocationContactEMail:locations.contacts.email",
		"protocolSection.":               "OutcomesModule ReferencesModule",
		"resultsSection.":                "OutcomeMeasuresModule AdverseEventsModule",
		"documentSection.":               "LargeDocumentModule",
		"derivedSection.miscInfoModule.": "VersionHolder",
	} {
		for f := range strings.FieldsSeq(fields) {
			name, path, ok := strings.Cut(f, ":")
			if !ok {
				path = strings.ToLower(name[:1]) + name[1:]
			}
			paths[name] = module + path
		}
	}
}

// pick returns the part of the value at path that belongs to some fields, or nil if there is none.
func pick(v any, path string, fields []string) any {
	isPicked := func(f string) bool { return path == paths[f] || strings.HasPrefix(path, paths[f]+".") }
	if slices.ContainsFunc(fields, isPicked) {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		v = maps.Clone(v)
		for name, value := range v {
			if v[name] = pick(value, strings.TrimPrefix(path+"."+name, "."), fields); v[name] == nil {
				delete(v, name)
			}
		}
		if len(v) > 0 {
			return v
		}
	case []any:
		v = slices.Clone(v)
		for i := range v {
			v[i] = pick(v[i], path, fields)
		}
		if v = slices.DeleteFunc(v, func(item any) bool { return item == nil }); len(v) > 0 {
			return v
		}
	}
	return nil
}

// texts returns the values of fields as strings.
func (s Study) texts(fields ...string) (out []string) {
	var walk func(v any, path []string)
	walk = func(v any, path []string) {
		list, isList := v.([]any)
		object, _ := v.(map[string]any)
		switch {
		case isList:
			for _, item := range list {
				walk(item, path)
			}
		case len(path) > 0 && object != nil:
			walk(object[path[0]], path[1:])
		case v != nil:
			out = append(out, fmt.Sprint(v))
		}
	}
	for _, f := range fields {
		walk(map[string]any(s), strings.Split(paths[f], "."))
	}
	return out
}

// sites returns a copy of the study for each location, with only that one.
func (s Study) sites() (out []Study) {
	protocol, _ := s["protocolSection"].(map[string]any)
	module, _ := protocol["contactsLocationsModule"].(map[string]any)
	list, _ := module["locations"].([]any)
	for _, site := range list {
		module := map[string]any{"locations": []any{site}}
		out = append(out, Study{"protocolSection": map[string]any{"contactsLocationsModule": module}})
	}
	return out
}
