// Package rxnav is a client of RxNav, the National Library of Medicine's services for RxNorm
// (https://lhncbc.nlm.nih.gov/RxNav/APIs/). It finds the RxNorm concept of a name, its related
// concepts, its identifiers in other systems and its classes. Brand, ingredient and salt are
// separate concepts. RxNorm does not contain research codes. RxNav's drug interactions ended in
// January 2024; labels list them (package dailymed).
//
//	ids, err := rxnav.New(client).Find(ctx, "imatinib") // ["282388"]
package rxnav

import (
	"context"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source describes RxNav. Its terms allow at most 20 requests a second from an address and require
// naming the National Library of Medicine.
var Source = httpclient.Source{
	Name: "rxnav", Label: "RxNav", Address: "https://rxnav.nlm.nih.gov/REST/",
	Rate: httpclient.Rate{Group: "rxnav", PerSecond: 20},
	Ping: httpclient.NewCall(endpoint("version", "version.json", "version")),
	Dependencies: []httpclient.Dependency{
		{Path: "version.json", Reply: "version", Evidence: manual},
		{Path: "rxcui.json", Params: "name search", Reply: "idGroup.rxnormId", Evidence: manual},
		{Path: "rxcui/*/allrelated.json", Reply: "allRelatedGroup.conceptGroup.tty " +
			"allRelatedGroup.conceptGroup.conceptProperties.{rxcui,name}", Evidence: manual},
		{Path: "rxcui/*/allProperties.json", Params: "prop",
			Reply: "propConceptGroup.propConcept.{propName,propValue}", Evidence: manual},
		{Path: "approximateTerm.json", Params: "term maxEntries", Reply: "approximateGroup.candidate.{rxcui,name}",
			Evidence: "captures 2026-10-06: the first candidates may have no name"},
		{Path: "rxclass/class/byDrugName.json", Params: "drugName",
			Reply: "rxclassDrugInfoList.rxclassDrugInfo.{rela,relaSource} " +
				"rxclassDrugInfoList.rxclassDrugInfo.minConcept.{name,tty} " +
				"rxclassDrugInfoList.rxclassDrugInfo.rxclassMinConceptItem.{classId,className,classType}",
			Evidence: "captures of rxclass, 2023 and 2026-10-06"},
		{Path: "rxclass/class/byName.json", Params: "className", Reply: classes, Evidence: manual},
		{Path: "rxclass/class/byId.json", Params: "classId", Reply: classes, Evidence: manual},
		{Path: "rxclass/classMembers.json", Params: "classId relaSource rela ttys",
			Reply: "drugMemberGroup.drugMember.minConcept.{rxcui,name,tty}", Evidence: manual},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{
			{Call: httpclient.NewCall(endpoint("rxcui", "rxcui.json", "idGroup"), "name", "imatinib", "search", "2"),
				Facts: []httpclient.Fact{{Path: "idGroup.rxnormId.0", Value: "282388"}}, Evidence: "document"},
			{
				Call: httpclient.NewCall(endpoint("allrelated", "rxcui/282388/allrelated.json",
					"allRelatedGroup.conceptGroup")),
				Facts: []httpclient.Fact{{Path: `allRelatedGroup.conceptGroup.#(tty=="IN").conceptProperties.0.name`,
					Value: "imatinib"}, {Path: `allRelatedGroup.conceptGroup.#(tty=="SBDF").conceptProperties.0.name`}},
				Evidence: "not seen",
			},
			{Call: httpclient.NewCall(endpoint("RxClass", "rxclass/class/byDrugName.json", "rxclassDrugInfoList"),
				"drugName", "aspirin"),
				Facts: []httpclient.Fact{
					{Path: "rxclassDrugInfoList.rxclassDrugInfo.0.rxclassMinConceptItem.classId"},
					{Path: `rxclassDrugInfoList.rxclassDrugInfo.#(minConcept.tty=="MIN").minConcept.name`},
				},
				Evidence: "capture 2026-10-06"},
			{Call: httpclient.NewCall(endpoint("RxClass", "rxclass/class/byDrugName.json", "rxclassDrugInfoList {}"),
				"drugName", "nosuchdrug"),
				Facts: []httpclient.Fact{{Path: "@keys|#", Value: "0"}}, Evidence: "captures of 2026-10-06; this answer not seen"},
			{Call: httpclient.NewCall(endpoint("approximateTerm", "approximateTerm.json", "approximateGroup"), "term",
				"fluoxetin", "maxEntries", "50"),
				Facts:    []httpclient.Fact{{Path: `approximateGroup.candidate.#(name=="fluoxetine").rxcui`, Value: "4493"}},
				Evidence: "capture 2026-10-06"},
		}
	},
}

// classes lists the parts that are read of the classes found by name or ID.
const classes = "rxclassMinConceptList.rxclassMinConcept.{classId,className,classType}"

const manual = "document, https://lhncbc.nlm.nih.gov/RxNav/APIs/"

// Concept is a concept of RxNorm. TTY is its term type: IN ingredient, PIN salt, MIN several
// ingredients, BN brand, DFG group of dose forms.
type Concept struct{ RxCUI, Name, TTY string }

// Class is a class of drugs. Relation is the drug's relation to it: has_epc, may_treat, ci_with for
// a contraindication. Sources lists the sources of the relation. Combinations lists the
// combinations that the class describes; it is empty for a class of the drug itself.
type Class struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Type         string   `json:"type"` // EPC, MOA, PE, ATC1-4, VA, DISEASE
	Relation     string   `json:"relation"`
	Sources      []string `json:"source"`
	Combinations []string `json:"combinations"`
}

// Client makes calls to RxNav. It is safe for concurrent use. Its errors are *httpclient.Error.
type Client struct{ service *httpclient.Service }

// New returns a client that sends its requests through c.
func New(c *httpclient.Client) *Client { return &Client{c.Service(&Source)} }

// endpoint returns an endpoint whose replies need one of the members in needs, separated by spaces.
// RxNorm is updated monthly. If RxClass finds nothing, its reply is {} without the list; public
// clients read that as an unknown drug.
func endpoint(op, path, needs string) httpclient.Endpoint {
	return httpclient.Endpoint{Op: op, Path: path, Form: httpclient.JSON, TTL: 7 * 24 * time.Hour, Needs: strings.Fields(needs)}
}

// get makes a call and parses its reply.
func (c *Client) get(ctx context.Context, op, path, needs string, params ...string) (ncbi.Object, error) {
	return ncbi.GetJSON(ctx, c.service, httpclient.NewCall(endpoint(op, path, needs), params...))
}

// Find returns the IDs of the concepts with a name, compared exactly or else in normalized form.
func (c *Client) Find(ctx context.Context, name string) ([]string, error) {
	reply, err := c.get(ctx, "rxcui", "rxcui.json", "idGroup", "name", name, "search", "2")
	return reply.Texts("idGroup.rxnormId"), err // absent if there is none
}

// RelatedConcepts returns the concepts related to one, including itself.
func (c *Client) RelatedConcepts(ctx context.Context, rxcui string) (all []Concept, err error) {
	reply, err := c.get(ctx, "allrelated", "rxcui/"+rxcui+"/allrelated.json", "allRelatedGroup.conceptGroup")
	for _, group := range reply.Each("allRelatedGroup.conceptGroup") {
		for _, p := range group.Each("conceptProperties") {
			all = append(all, Concept{p.Text("rxcui"), p.Text("name"), group.Text("tty")})
		}
	}
	return all, err
}

// Codes returns the identifiers of a concept in other systems by their kind: UNII_CODE, ATC.
func (c *Client) Codes(ctx context.Context, rxcui string) (map[string]string, error) {
	reply, err := c.get(ctx, "allProperties", "rxcui/"+rxcui+"/allProperties.json", "propConceptGroup", "prop", "codes")
	codes := map[string]string{}
	for _, p := range reply.Each("propConceptGroup.propConcept") {
		if name := p.Text("propName"); codes[name] == "" {
			codes[name] = p.Text("propValue")
		}
	}
	return codes, err
}

// Classes returns the classes of a drug by its name. Each is listed once for all salts and
// products, with all its sources. RxClass also sends the classes of combinations that contain the
// drug; Classes returns them separately. Classes of SNOMED CT are omitted, since it has a licence
// of its own.
func (c *Client) Classes(ctx context.Context, drug string) (own, ofCombinations []Class, err error) {
	reply, err := c.get(ctx, "RxClass", "rxclass/class/byDrugName.json", "rxclassDrugInfoList {}", "drugName", drug)
	own, ofCombinations = []Class{}, []Class{}
	for _, info := range reply.Each("rxclassDrugInfoList.rxclassDrugInfo") {
		item, source := info.Member("rxclassMinConceptItem"), info.Text("relaSource")
		if strings.Contains(source, "SNOMED") || strings.Contains(item.Text("classType"), "SNOMED") {
			continue
		}
		list, concept := &own, info.Member("minConcept")
		combination := ingredients(concept.Text("name"), concept.Text("tty")) > ingredients(drug, "")
		if combination {
			list = &ofCombinations
		}
		class := Class{ID: item.Text("classId"), Name: item.Text("className"), Type: item.Text("classType"),
			Relation: strings.TrimSuffix(info.Text("rela"), "_extended"), Combinations: []string{}}
		at := slices.IndexFunc(*list, func(o Class) bool { return o.ID == class.ID && o.Relation == class.Relation })
		if at < 0 {
			at, *list = len(*list), append(*list, class)
		}
		listed := &(*list)[at]
		listed.Sources = appendNew(listed.Sources, strings.TrimSuffix(source, "PROD"))
		if combination {
			listed.Combinations = appendNew(listed.Combinations, concept.Text("name"))
		}
	}
	return own, ofCombinations, err
}

// ingredients returns the number of ingredients of a concept. RxNorm separates them by a slash
// with blanks: "aspirin 325 MG / codeine 30 MG Oral Tablet". A MIN has at least two.
func ingredients(name, tty string) int {
	n := strings.Count(name, " / ") + 1
	if tty == "MIN" {
		n = max(n, 2)
	}
	return n
}

// appendNew appends text to list unless list contains it.
func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// memberships lists the relation and source by which each kind of class lists its drugs, the most
// used kinds first (https://lhncbc.nlm.nih.gov/RxNav/APIs/api-RxClass.getClassMembers.html).
var memberships = []struct{ kind, source, relation string }{
	{"EPC", "DAILYMED", "has_EPC"}, {"MOA", "DAILYMED", "has_MoA"}, {"PE", "DAILYMED", "has_PE"},
	{"ATC1-4", "ATC", ""}, {"DISEASE", "MEDRT", "may_treat"},
}

// Class returns the class with a name or an ID (N0000175605 of MED-RT, L01EA of ATC), or nil if
// none has a list of drugs. If several classes share the name, it returns the most used kind.
func (c *Client) Class(ctx context.Context, name string) (*Class, error) {
	op, path, param := "class/byName", "rxclass/class/byName.json", "className"
	if classID().MatchString(name) {
		op, path, param, name = "class/byId", "rxclass/class/byId.json", "classId", strings.ToUpper(name)
	}
	reply, err := c.get(ctx, op, path, "rxclassMinConceptList {}", param, name)
	if err != nil {
		return nil, err
	}
	all := reply.Each("rxclassMinConceptList.rxclassMinConcept")
	for _, m := range memberships {
		for _, r := range all {
			if r.Text("classType") == m.kind {
				return &Class{ID: r.Text("classId"), Name: r.Text("className"), Type: m.kind, Relation: m.relation,
					Sources: []string{m.source}, Combinations: []string{}}, nil
			}
		}
	}
	return nil, nil
}

var classID = pattern.Lazy(`(?i)^([A-V][0-9]{2}([A-Z]{1,2})?|[NDM][0-9]{6,12})$`)

// Members returns the substances of a class returned by Class, sorted by name.
func (c *Client) Members(ctx context.Context, of *Class) (all []Concept, err error) {
	reply, err := c.get(ctx, "classMembers", "rxclass/classMembers.json", "drugMemberGroup {}", "classId", of.ID,
		"relaSource", of.Sources[0], "rela", of.Relation, "ttys", "IN MIN")
	for _, m := range reply.Each("drugMemberGroup.drugMember") {
		p := m.Member("minConcept")
		all = append(all, Concept{p.Text("rxcui"), p.Text("name"), p.Text("tty")})
	}
	slices.SortFunc(all, func(a, b Concept) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return slices.CompactFunc(all, func(a, b Concept) bool { return a.RxCUI == b.RxCUI }), err
}

// SimilarConcepts returns at most limit concepts whose name is similar to a term, the best match first.
func (c *Client) SimilarConcepts(ctx context.Context, term string, limit int) (all []Concept, err error) {
	reply, err := c.get(ctx, "approximateTerm", "approximateTerm.json", "approximateGroup", "term", term,
		"maxEntries", "50")
	for _, r := range reply.Each("approximateGroup.candidate") {
		one := Concept{RxCUI: r.Text("rxcui"), Name: r.Text("name")}
		listed := slices.ContainsFunc(all, func(o Concept) bool { return o.RxCUI == one.RxCUI })
		if one.Name != "" && len(all) < limit && !listed {
			all = append(all, one)
		}
	}
	return all, err
}
