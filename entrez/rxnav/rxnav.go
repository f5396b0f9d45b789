// Package rxnav asks RxNav, the National Library of Medicine's services over RxNorm
// (https://lhncbc.nlm.nih.gov/RxNav/APIs/): which concept of RxNorm a name is, what is
// related to it, its identifiers elsewhere, and its classes. Brand, ingredient and salt
// are separate concepts. Research codes are not in RxNorm. Its interactions of drugs
// ended in January 2024; a label has them (package dailymed).
//
//	ids, err := rxnav.New(client).Find(ctx, "imatinib") // ["282388"]
package rxnav

import (
	"context"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
)

// Source is RxNav. Its terms ask for at most 20 requests a second from an address,
// and to name the National Library of Medicine.
var Source = polite.Source{
	Name: "rxnav", Label: "RxNav", Address: "https://rxnav.nlm.nih.gov/REST/",
	Rate: polite.Rate{Lane: "rxnav", PerSecond: 20},
	Ping: polite.NewCall(endpoint("version", "version.json", "version")),
	Uses: []polite.Use{
		{Path: "version.json", Reply: "version", Seen: manual},
		{Path: "rxcui.json", Params: "name search", Reply: "idGroup.rxnormId", Seen: manual},
		{Path: "rxcui/*/allrelated.json", Reply: "allRelatedGroup.conceptGroup.tty " +
			"allRelatedGroup.conceptGroup.conceptProperties.{rxcui,name}", Seen: manual},
		{Path: "rxcui/*/allProperties.json", Params: "prop",
			Reply: "propConceptGroup.propConcept.{propName,propValue}", Seen: manual},
		{Path: "approximateTerm.json", Params: "term maxEntries", Reply: "approximateGroup.candidate.{rxcui,name}",
			Seen: manual},
		{Path: "rxclass/class/byDrugName.json", Params: "drugName",
			Reply: "rxclassDrugInfoList.rxclassDrugInfo.{rela,relaSource} " +
				"rxclassDrugInfoList.rxclassDrugInfo.rxclassMinConceptItem.{classId,className,classType}",
			Seen: "capture of rxclass, 2023"},
		{Path: "rxclass/class/byName.json", Params: "className", Reply: classes, Seen: manual},
		{Path: "rxclass/class/byId.json", Params: "classId", Reply: classes, Seen: manual},
		{Path: "rxclass/classMembers.json", Params: "classId relaSource rela ttys",
			Reply: "drugMemberGroup.drugMember.minConcept.{rxcui,name,tty}", Seen: manual},
	},
	Knowns: []polite.Known{
		{Call: polite.NewCall(endpoint("rxcui", "rxcui.json", "idGroup"), "name", "imatinib", "search", "2"),
			Facts: []polite.Fact{{Path: "idGroup.rxnormId.0", Value: "282388"}}, Seen: "document"},
		{
			Call: polite.NewCall(endpoint("allrelated", "rxcui/282388/allrelated.json",
				"allRelatedGroup.conceptGroup")),
			Facts: []polite.Fact{{Path: `allRelatedGroup.conceptGroup.#(tty=="IN").conceptProperties.0.name`,
				Value: "imatinib"}, {Path: `allRelatedGroup.conceptGroup.#(tty=="SBDF").conceptProperties.0.name`}},
			Seen: "not seen",
		},
		{Call: polite.NewCall(endpoint("RxClass", "rxclass/class/byDrugName.json", "rxclassDrugInfoList"),
			"drugName", "imatinib"), Facts: []polite.Fact{{Path: "rxclassDrugInfoList.rxclassDrugInfo.0.rxclassMinConceptItem.classId"}}, Seen: "capture of its origin 2023"},
	},
}

// classes are what is read of the classes with a name or an id.
const classes = "rxclassMinConceptList.rxclassMinConcept.{classId,className,classType}"

const manual = "document, https://lhncbc.nlm.nih.gov/RxNav/APIs/"

// Concept is a concept of RxNorm; TTY is its kind: IN ingredient, PIN salt, MIN
// several ingredients, BN brand, DFG group of dose forms.
type Concept struct{ RxCUI, Name, TTY string }

// Class is a class of drugs. Relation says how the drug has it: has_epc, may_treat,
// ci_with for a contraindication. Sources name who says so.
type Class struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Type     string   `json:"type"` // EPC, MOA, PE, ATC1-4, VA, DISEASE
	Relation string   `json:"relation"`
	Sources  []string `json:"source"`
}

// Client asks RxNav. It is safe for use by many goroutines. Its errors are
// *polite.Error.
type Client struct{ service *polite.Service }

// New is a client that asks through c.
func New(c *polite.Client) *Client { return &Client{c.To(&Source)} }

// endpoint is an address with what its replies need, separated by blanks; RxNorm is updated
// each month. Where RxClass has nothing, it leaves the list out, as public clients of it
// read, which take a word for no drug then: the reply is {}.
func endpoint(op, path, needs string) polite.Endpoint {
	return polite.Endpoint{Op: op, Path: path, Form: polite.JSON, TTL: 7 * 24 * time.Hour, Needs: strings.Fields(needs)}
}

// get asks at an address.
func (c *Client) get(ctx context.Context, op, path, needs string, params ...string) (ncbi.Object, error) {
	return ncbi.Ask(ctx, c.service, polite.NewCall(endpoint(op, path, needs), params...))
}

// Find are the concepts with a name: exactly, or else in a normalised form.
func (c *Client) Find(ctx context.Context, name string) ([]string, error) {
	reply, err := c.get(ctx, "rxcui", "rxcui.json", "idGroup", "name", name, "search", "2")
	return reply.Texts("idGroup.rxnormId"), err // absent if there is none
}

// Related are the concepts that are related to one, itself included.
func (c *Client) Related(ctx context.Context, rxcui string) (all []Concept, err error) {
	reply, err := c.get(ctx, "allrelated", "rxcui/"+rxcui+"/allrelated.json", "allRelatedGroup.conceptGroup")
	for _, group := range reply.Each("allRelatedGroup.conceptGroup") {
		for _, p := range group.Each("conceptProperties") {
			all = append(all, Concept{p.Text("rxcui"), p.Text("name"), group.Text("tty")})
		}
	}
	return all, err
}

// Codes are the identifiers of a concept elsewhere by their kind: UNII_CODE, ATC.
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

// Classes are the classes of a drug by its name, each once for all its salts and
// products, with every source that says so. Those of SNOMED CT, which has a licence of
// its own, are left out.
func (c *Client) Classes(ctx context.Context, drug string) ([]Class, error) {
	reply, err := c.get(ctx, "RxClass", "rxclass/class/byDrugName.json", "rxclassDrugInfoList {}", "drugName", drug)
	all := []Class{}
	for _, info := range reply.Each("rxclassDrugInfoList.rxclassDrugInfo") {
		item, source := info.At("rxclassMinConceptItem"), info.Text("relaSource")
		if strings.Contains(source, "SNOMED") || strings.Contains(item.Text("classType"), "SNOMED") {
			continue
		}
		class := Class{item.Text("classId"), item.Text("className"), item.Text("classType"),
			strings.TrimSuffix(info.Text("rela"), "_extended"), nil}
		at := slices.IndexFunc(all, func(o Class) bool { return o.ID == class.ID && o.Relation == class.Relation })
		if at < 0 {
			at, all = len(all), append(all, class)
		}
		if source = strings.TrimSuffix(source, "PROD"); !slices.Contains(all[at].Sources, source) {
			all[at].Sources = append(all[at].Sources, source)
		}
	}
	return all, err
}

// memberships say by which relation of which source the drugs of a class are listed, the
// most used kinds of class first (https://lhncbc.nlm.nih.gov/RxNav/APIs/api-RxClass.getClassMembers.html).
var memberships = []struct{ kind, source, relation string }{
	{"EPC", "DAILYMED", "has_EPC"}, {"MOA", "DAILYMED", "has_MoA"}, {"PE", "DAILYMED", "has_PE"},
	{"ATC1-4", "ATC", ""}, {"DISEASE", "MEDRT", "may_treat"},
}

// Class returns the class of a name or an id (N0000175605 of MED-RT, L01EA of ATC), nil if
// none has a list of drugs. Of several with one name it takes the kind used most.
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
					Sources: []string{m.source}}, nil
			}
		}
	}
	return nil, nil
}

var classID = pattern.Lazy(`(?i)^([A-V][0-9]{2}([A-Z]{1,2})?|[NDM][0-9]{6,12})$`)

// Members are the substances of a class that Class answered, by name.
func (c *Client) Members(ctx context.Context, of *Class) (all []Concept, err error) {
	reply, err := c.get(ctx, "classMembers", "rxclass/classMembers.json", "drugMemberGroup {}", "classId", of.ID,
		"relaSource", of.Sources[0], "rela", of.Relation, "ttys", "IN MIN")
	for _, m := range reply.Each("drugMemberGroup.drugMember") {
		p := m.At("minConcept")
		all = append(all, Concept{p.Text("rxcui"), p.Text("name"), p.Text("tty")})
	}
	slices.SortFunc(all, func(a, b Concept) int {
		return strings.Compare(strings.ToLower(a.Name),
			strings.ToLower(b.Name))
	})
	return slices.CompactFunc(all, func(a, b Concept) bool { return a.RxCUI == b.RxCUI }), err
}

// Near are concepts with a name that is like a term, the best first.
func (c *Client) Near(ctx context.Context, term string, most int) (all []Concept, err error) {
	reply, err := c.get(ctx, "approximateTerm", "approximateTerm.json", "approximateGroup", "term", term,
		"maxEntries", "50")
	for _, r := range reply.Each("approximateGroup.candidate") {
		one := Concept{RxCUI: r.Text("rxcui"), Name: r.Text("name")}
		if one.Name == "" || len(all) >= most || slices.ContainsFunc(all, func(o Concept) bool { return o.RxCUI == one.RxCUI }) {
			continue
		}
		all = append(all, one)
	}
	return all, err
}
