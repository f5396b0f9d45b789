package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// part describes a section: the fields to request and, if it is a table, the lists in the
// record that hold its rows, and the path of each column's value.
type part struct {
	name, short, synonyms string // also: synonyms
	fields                []string
	lists                 []string
	columns               []string // such as "Place=facility"
	keys                  string   // members of a row (https://clinicaltrials.gov/data-api/about-api/study-data-structure)
}

const (
	contactsModule = "protocolSection.contactsLocationsModule."
	// siteContacts is the path of the contacts of all sites, each with its site.
	siteContacts = contactsModule + "locations.#.contacts"
)

var parts = []part{
	{
		name: "eligibility", short: "inclusion and exclusion criteria",
		synonyms: "criteria inclusion exclusion eligible inclusion-criteria exclusion-criteria eligibility-criteria",
		fields:   criteria,
	},
	{
		"locations", "the sites, and which of them recruit", "sites where places countries centers location",
		[]string{
			"LocationFacility", "LocationStatus", "LocationCity", "LocationState", "LocationCountry",
			"LocationGeoPoint",
		},
		[]string{contactsModule + "locations"},
		[]string{
			"Place=facility", "City=city", "State=state", "Country=country", "Status=status",
			"Latitude=geo_point.lat", "Longitude=geo_point.lon",
		},
		"facility city state country status geo_point.lat geo_point.lon",
	},
	{
		"contacts", "contact persons", "contact investigators officials",
		[]string{
			"CentralContact", "OverallOfficial", "LocationFacility", "LocationCity", "LocationCountry",
			"LocationContactName", "LocationContactRole", "LocationContactPhone", "LocationContactPhoneExt",
			"LocationContactEMail",
		},
		[]string{contactsModule + "centralContacts", contactsModule + "overallOfficials", siteContacts},
		[]string{
			"Name=name", "Role=role", "Phone=phone", "E-mail=email", "Affiliation=affiliation", "Site=site",
		},
		"name role phone phone_ext email affiliation site",
	},
	{
		"outcomes", "the outcomes measured, and when", "endpoint endpoints primary-outcome measures",
		[]string{"OutcomesModule"},
		[]string{
			"protocolSection.outcomesModule.primaryOutcomes", "protocolSection.outcomesModule.secondaryOutcomes",
			"protocolSection.outcomesModule.otherOutcomes",
		},
		[]string{"Type=type", "Outcome=measure", "Time=time_frame"},
		"type measure description time_frame",
	},
	{
		"arms", "groups and their treatment", "interventions groups treatment",
		[]string{"ArmGroup"}, []string{"protocolSection.armsInterventionsModule.armGroups"},
		[]string{"Arm=label", "Type=type", "Treatment=intervention_names", "Description=description"},
		"label type description intervention_names",
	},
	{
		"references", "publications, with PMIDs", "publications articles papers",
		[]string{"ReferencesModule"}, []string{"protocolSection.referencesModule.references"},
		[]string{"PMID=pmid", "Type=type", "Citation=citation"},
		"pmid type citation retractions.pmid retractions.source retracted preprint",
	},
	{
		name: "results", short: "outcomes, deaths, serious adverse events", synonyms: "adverse-events",
		fields: []string{"OutcomeMeasuresModule", "AdverseEventsModule"},
	},
	{
		"documents", "protocol, analysis plan, consent form", "protocol document",
		[]string{"LargeDocumentModule"}, []string{"documentSection.largeDocumentModule.largeDocs"},
		[]string{"Document=label", "Date=date", ">Bytes=size", "Link=url"},
		"url type_abbrev has_protocol has_sap has_icf label date upload_date filename size",
	},
}

// rows returns the rows of a record as JSON objects with keys in snake case. It adds the
// type to each outcome and the URL to each document.
func (p part) rows(t *trial) (all []json.RawMessage, err error) {
	for _, list := range p.lists {
		if list == siteContacts {
			all = append(all, contactsOfSites(t.study)...)
			continue
		}
		for _, v := range t.study.Get(list).Array() {
			extra := ""
			switch p.name {
			case "outcomes":
				kind, _, _ := strings.Cut(list[strings.LastIndexByte(list, '.')+1:], "Outcomes")
				extra = fmt.Sprintf(`"type":%q,`, strings.ToUpper(kind))
			case "documents":
				extra = fmt.Sprintf(`"url":%q,`,
					"https://cdn.clinicaltrials.gov/large-docs/"+t.NCTID[len(t.NCTID)-2:]+"/"+t.NCTID+"/"+
						url.PathEscape(v.Get("filename").String()))
			}
			if v.IsObject() && len(v.Map()) > 0 {
				all = append(all, slices.Concat([]byte("{"+extra), ctgov.SnakeCase(v)[1:]))
			}
		}
	}
	return all, nil
}

// contactsOfSites returns the contacts of each site as rows with the site's facility, city and country.
func contactsOfSites(s ctgov.Study) (rows []json.RawMessage) {
	for _, site := range s.Each(contactsModule + "locations") {
		place := joinComma(joinComma(site.Text("facility"), site.Text("city")), site.Text("country"))
		for _, c := range site.Each("contacts") {
			if len(c.Map()) > 0 {
				rows = append(rows, slices.Concat(fmt.Appendf(nil, `{"site":%s,`, gjson.AppendJSONString(nil, place)),
					ctgov.SnakeCase(c.Result)[1:]))
			}
		}
	}
	return rows
}

func sections() (all []entity.Section[trial]) {
	for _, p := range parts {
		s := entity.Section[trial]{
			Name: p.name, Synonyms: strings.Fields(p.synonyms), Label: strings.ToUpper(p.name[:1]) + p.name[1:],
			Short: p.short, Source: source,
		}
		switch p.name {
		case "eligibility":
			s.Has, s.Doc = func(t *trial) bool { return t.Eligibility.Text != "" }, eligibilityDoc
		case "results":
			s.Lists = func(t *trial) []any { return []any{&t.Results.Value.Outcomes, &t.Results.Value.Events} }
			s.Has, s.Doc = func(t *trial) bool { return len(t.Results.Value.Outcomes)+len(t.Results.Value.Events) > 0 },
				resultsDoc
		default:
			t := p.table(s.Label)
			if p.name == "references" {
				t.Source, t.Complete, t.Row = source+", PubMed", markReferences, referenceRow
			}
			s = t.Section()
		}
		all = append(all, s)
	}
	return all
}

// table returns a section whose columns are values of the rows.
func (p part) table(label string) entity.RelatedSection[trial, json.RawMessage] {
	var columns, paths []string
	for _, c := range p.columns {
		name, path, _ := strings.Cut(c, "=")
		columns, paths = append(columns, name), append(paths, path)
	}
	return entity.RelatedSection[trial, json.RawMessage]{
		Name: p.name, Synonyms: strings.Fields(p.synonyms), Label: label, Short: p.short, Source: source,
		Embedded: p.rows, Columns: columns, Keys: strings.Fields(p.keys),
		Row: func(o *json.RawMessage) []string {
			object := ncbi.Object{Result: gjson.ParseBytes(*o)}
			return result.Map(paths, func(path string) string {
				text := strings.Join(object.Texts(path), "; ")
				if extension := object.Text("phone_ext"); path == "phone" && extension != "" {
					text += " ext. " + extension
				}
				return ctgov.Plain(text)
			})
		},
	}
}

func eligibilityDoc(t *trial) result.Doc {
	e := t.Eligibility
	doc := result.Doc{result.Fields{{Name: "Ages", Value: e.ages()}, {Name: "Sex", Value: entity.Deref(e.Sex)}}}
	for i, items := range [][]string{e.Inclusion, e.Exclusion, e.Other} {
		if len(items) > 0 {
			title := []string{"Inclusion criteria", "Exclusion criteria", "Criteria not divided into these"}[i]
			doc = append(doc, result.Heading{Level: 3, Text: title},
				result.Passage{Block: result.List{Items: items, Ordered: true}})
		}
	}
	return doc
}

// resultsDoc renders each value of each outcome with its measure and the number analysed,
// the comparisons between groups, and the deaths and serious adverse events by group.
func resultsDoc(t *trial) result.Doc {
	tab := result.Table{Columns: result.Columns("Outcome", "Group", ">Value", "Unit", "Measure", ">Of"), Main: true}
	compared := result.List{}
	for _, o := range t.Results.Value.Outcomes {
		outcome := gjson.ParseBytes(o)
		groups := map[string]string{}
		posted := outcome.Get("groups").Array()
		for i, title := range groupTitles(posted) {
			groups[posted[i].Get("id").String()] = title
		}
		tab.Rows = append(tab.Rows, outcomeRows(outcome, groups)...)
		compared.Items = append(compared.Items, comparisons(outcome, groups)...)
	}
	doc := result.Doc{tab}
	if len(compared.Items) > 0 {
		doc = append(doc, result.Heading{Level: 3, Text: "Comparisons"}, result.Passage{Block: compared})
	}
	return append(doc, eventsDoc(t)...)
}

// outcomeRows returns a row for each value of an outcome, or one row that reports that no value was
// posted. groups maps the IDs of groups to titles.
func outcomeRows(outcome gjson.Result, groups map[string]string) (rows [][]string) {
	unit := outcome.Get("unit_of_measure").String()
	measure := strings.ToLower(strings.ReplaceAll(joinComma(outcome.Get("param_type").String(),
		outcome.Get("dispersion_type").String()),
		"_", " "))
	name := outcome.Get("title").String() + " (" + joinComma(strings.ToLower(outcome.Get("type").String()),
		entity.Truncate(outcome.Get("time_frame").String(), 80)) + ")"
	for _, class := range outcome.Get("classes").Array() {
		of := analysedCounts(outcome, class)
		for _, c := range class.Get("categories").Array() {
			title := strings.Trim(name+": "+joinComma(class.Get("title").String(), c.Get("title").String()), ": ")
			for _, v := range c.Get("measurements").Array() {
				number := v.Get("value").String() + limits(v, "", "lower_limit", "upper_limit")
				if s := v.Get("spread").String(); s != "" {
					number += " ± " + s
				}
				if s := v.Get("comment").String(); s != "" {
					number += " (" + ctgov.Plain(s) + ")"
				}
				group := v.Get("group_id").String()
				rows = append(rows, []string{ctgov.Plain(title), groups[group], number, unit, measure, of[group]})
			}
		}
	}
	if len(rows) == 0 {
		rows = [][]string{{ctgov.Plain(name), "", "no values posted", unit, measure, ""}}
	}
	return rows
}

// comparisons returns the analyses of an outcome as text: the groups, the estimate and the p-value.
func comparisons(outcome gjson.Result, groups map[string]string) (items []string) {
	for _, a := range outcome.Get("analyses").Array() {
		sides := result.Map(a.Get("group_ids").Array(), func(g gjson.Result) string {
			return cmp.Or(groups[g.String()], g.String())
		})
		estimate := strings.TrimSpace(a.Get("param_type").String()+" "+a.Get("param_value").String()) +
			limits(a, confidence(a), "ci_lower_limit", "ci_upper_limit")
		if s := a.Get("dispersion_value").String(); s != "" {
			estimate = joinComma(estimate, strings.ToLower(strings.ReplaceAll(a.Get("dispersion_type").String(), "_", " "))+
				" "+s)
		}
		test := joinComma(joinComma(a.Get("statistical_method").String(), estimate),
			"p "+cmp.Or(a.Get("p_value").String(), "not given")+hypothesis(a))
		item := outcome.Get("title").String() + ": " + strings.TrimPrefix(strings.Join(sides, " and ")+": "+test, ": ")
		if s := a.Get("group_description").String(); s != "" {
			item += ". " + s
		}
		items = append(items, ctgov.Plain(item))
	}
	return items
}

// hypothesis names the hypothesis of an analysis unless it is superiority, to which readers relate a p-value.
func hypothesis(a gjson.Result) string {
	kind := a.Get("non_inferiority_type").String()
	if !strings.Contains(kind, "NON_INFERIORITY") && !strings.Contains(kind, "EQUIVALENCE") {
		return ""
	}
	kind = strings.ReplaceAll(strings.TrimSuffix(kind, "_LEGACY"), "NON_INFERIORITY", "non-inferiority")
	return " for " + strings.ToLower(strings.ReplaceAll(kind, "_", " "))
}

// eventsDoc renders the deaths and serious adverse events by group, if any were posted.
func eventsDoc(t *trial) result.Doc {
	harm := result.Table{Columns: result.Columns("Group", ">Deaths", ">Serious adverse events")}
	posted := result.Map(t.Results.Value.Events, func(o json.RawMessage) gjson.Result { return gjson.ParseBytes(o) })
	for i, title := range groupTitles(posted) {
		of := func(prefix string) string {
			affected, atRisk := posted[i].Get(prefix+"_num_affected"), posted[i].Get(prefix+"_num_at_risk")
			return proportion(affected.String(), atRisk.String())
		}
		harm.Rows = append(harm.Rows, []string{title, of("deaths"), of("serious")})
	}
	if len(harm.Rows) == 0 {
		return nil
	}
	doc := result.Doc{result.Heading{Level: 3, Text: "Adverse events"}, harm}
	if frame := ctgov.Plain(entity.Deref(t.Results.Value.TimeFrame)); frame != "" {
		doc = append(doc, result.PassageOf("Time frame: "+frame)...)
	}
	return doc
}

// joinComma joins two texts with a comma; either may be empty.
func joinComma(a, b string) string { return strings.Trim(a+", "+b, ", ") }

// analysedCounts returns how many participants, or other units, of each group were analysed. It
// prefers the counts of the class to those of the whole outcome.
func analysedCounts(outcome, class gjson.Result) map[string]string {
	of := map[string]string{}
	for _, d := range append(class.Get("denoms").Array(), outcome.Get("denoms").Array()...) {
		units, want := d.Get("units").String(), outcome.Get("type_units_analyzed").String()
		if want != "" && !strings.EqualFold(units, want) {
			continue
		}
		for _, c := range d.Get("counts").Array() {
			if group := c.Get("group_id").String(); of[group] == "" {
				if of[group] = c.Get("value").String(); !strings.EqualFold(units, "participants") {
					of[group] += " " + units
				}
			}
		}
	}
	return of
}

// groupTitles returns the titles of groups. Titles that are equal get the ID of the group and the
// beginning of its description.
func groupTitles(groups []gjson.Result) []string {
	count := map[string]int{}
	for _, g := range groups {
		count[g.Get("title").String()]++
	}
	titles := make([]string, len(groups))
	for i, g := range groups {
		if titles[i] = g.Get("title").String(); count[titles[i]] > 1 {
			id := cmp.Or(g.Get("id").String(), fmt.Sprintf("group %d", i+1))
			about := entity.Truncate(ctgov.Plain(g.Get("description").String()), 60)
			titles[i] += " (" + strings.TrimSuffix(id+": "+about, ": ") + ")"
		}
	}
	return titles
}

// proportion formats a number of people among those at risk. Either may be missing.
func proportion(affected, atRisk string) string {
	switch {
	case atRisk == "":
		return affected
	case affected == "":
		return "not given, of " + atRisk
	}
	return affected + " of " + atRisk
}

// confidence describes the confidence interval of an analysis.
func confidence(a gjson.Result) string {
	text := "CI"
	if percent := a.Get("ci_pct_value").String(); percent != "" {
		text = percent + " % CI"
	}
	if a.Get("ci_num_sides").String() == "ONE_SIDED" {
		text = "one-sided " + text
	}
	return text + " "
}

// limits formats an interval. A one-sided one has a single limit.
func limits(v gjson.Result, prefix, low, high string) string {
	from, to := v.Get(low).String(), v.Get(high).String()
	switch {
	case from == "" && to == "":
		return ""
	case to == "":
		return " (" + prefix + "from " + from + ")"
	case from == "":
		return " (" + prefix + "up to " + to + ")"
	}
	return fmt.Sprintf(" (%s%s to %s)", prefix, from, to)
}

// markReferences adds to each reference with a PMID whether it is retracted or a preprint. It asks
// PubMed in one request.
func markReferences(ctx context.Context, in *command.Input, rows []*json.RawMessage) (notice string) {
	var ids []string
	for _, r := range rows {
		if pmid := gjson.GetBytes(*r, "pmid").String(); pmid != "" && !slices.Contains(ids, pmid) {
			ids = append(ids, pmid)
		}
	}
	known := map[string]entrez.Summary{}
	if len(ids) > 0 {
		sums, err := in.App.Entrez().Summaries(ctx, ids)
		if err != nil {
			notice = "whether the references are retracted is not known: " + err.Error()
		} else {
			for _, s := range sums.Items {
				known[s.UID] = s
			}
		}
	}
	for _, r := range rows {
		retracted, preprint := "null", "null"
		if s, is := known[gjson.GetBytes(*r, "pmid").String()]; is {
			retracted, preprint = fmt.Sprint(s.Retracted), fmt.Sprint(s.Preprint)
		}
		*r = slices.Concat((*r)[:len(*r)-1], []byte(`,"retracted":`+retracted+`,"preprint":`+preprint+"}"))
	}
	return notice
}

func referenceRow(o *json.RawMessage) []string {
	r := gjson.ParseBytes(*o)
	text := ctgov.Plain(r.Get("citation").String())
	return []string{
		r.Get("pmid").String(), r.Get("type").String(),
		record.ListLabel(r.Get("retracted").Bool(), r.Get("preprint").Bool(), text),
	}
}
