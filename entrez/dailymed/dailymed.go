// Package dailymed is a client of DailyMed
// (https://dailymed.nlm.nih.gov/dailymed/app-support-web-services.cfm), which publishes the labels
// of drugs on the United States market. A label is a document in HL7's Structured Product Labeling.
// Its sections have LOINC codes.
package dailymed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// Source describes DailyMed, which states no rate limit.
var Source = httpclient.Source{
	Name: "dailymed", Label: "DailyMed", Address: "https://dailymed.nlm.nih.gov/dailymed/services/v2/",
	Rate: httpclient.Rate{Group: "dailymed", PerSecond: 3}, CheckReply: httpclient.NotFoundOn404("has no such label"),
	Ping: httpclient.NewCall(list, "pagesize", "1"),
	Dependencies: []httpclient.Dependency{
		{Path: "spls.json", Params: "drug_name doctype pagesize",
			Reply: "metadata.total_elements data.{setid,title}",
			Evidence: "document, https://dailymed.nlm.nih.gov/dailymed/app-support-web-services.cfm; the codes of " +
				"doctype in HL7's guide of FHIR for SPL"},
		{Path: "spls/*.xml", Decoded: (*document)(nil), Evidence: "document, " +
			"https://dailymed.nlm.nih.gov/dailymed/app-support-web-services.cfm; capture of labels of openfda"},
		{Path: "spls/*.xml", Decoded: (*ingredient)(nil), Evidence: "document, " +
			"https://dailymed.nlm.nih.gov/dailymed/app-support-web-services.cfm; capture of labels of openfda"},
		{Path: "spls/*.xml", Reply: "subject manufacturedProduct part partProduct",
			Evidence: "capture of labels of openfda"},
	},
	Expectations: func() []httpclient.Expectation {
		all := []httpclient.Expectation{{
			Call:     httpclient.NewCall(list, "drug_name", "gleevec", "doctype", "34391-3", "pagesize", "1"),
			Facts:    []httpclient.Fact{{Path: "metadata.total_elements"}, {Path: "data.0.setid"}, {Path: "data.0.title"}},
			Evidence: "document; the code of doctype in HL7's guide of FHIR for SPL",
		}}
		for _, k := range Kinds[1:] {
			all = append(all, httpclient.Expectation{
				Call:  httpclient.NewCall(list, "doctype", k.LOINC, "pagesize", "1"),
				Facts: []httpclient.Fact{{Path: "data.0.setid"}}, TagParam: "doctype", Tag: k.LOINC,
				Evidence: "HL7's guide of FHIR for SPL",
			})
		}
		return all
	},
}

// list is the endpoint for lists of labels: {"data":[…],"metadata":{"total_elements":…}}, even if
// there are none.
var list = httpclient.Endpoint{Op: "spls", Path: "spls.json", Form: httpclient.JSON, TTL: 24 * time.Hour,
	Needs: []string{"metadata.total_elements"}}

// Kind is a kind of label for human drugs, with its LOINC code.
type Kind struct{ LOINC, Name string }

// Kinds lists the kinds of labels to search, in this order. Labels of animal drugs, bulk
// ingredients and foods are not included.
var Kinds = []Kind{
	{"34391-3", "prescription"}, {"34390-5", "over-the-counter"}, {"53404-0", "vaccine"},
	{"60683-0", "plasma derivative"}, {"60684-8", "cellular therapy"},
}

// LabelHead is an entry in a list of labels.
type LabelHead struct{ SetID, Title string }

// Labels returns the newest hundred labels of a kind with the name of a brand or substance, and
// their total number. They include products in which the substance is one of several.
func Labels(ctx context.Context, c *httpclient.Client, name string, kind Kind) ([]LabelHead, int, error) {
	call := httpclient.NewCall(list, "drug_name", name, "doctype", kind.LOINC, "pagesize", "100")
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	var all []LabelHead
	for _, l := range reply.Each("data") {
		all = append(all, LabelHead{l.Text("setid"), l.Text("title")})
	}
	total := int(reply.Get("metadata.total_elements").Int())
	if err == nil && len(all) == 0 && total > 0 {
		err = call.UnreadableError(errors.New("it has no labels"))
	}
	return all, max(len(all), total), err
}

// Label is a parsed label: its manufacturer, date (YYYYMMDD), the active ingredients of its
// products, and its sections, nested as in the document.
type Label struct {
	SetID, Title, Maker, Effective string
	Actives                        []Active
	sections                       []section
}

// Active is an active ingredient, often a salt, and its active moieties.
type Active struct {
	Substance
	Moieties []Substance `xml:"activeMoiety>activeMoiety"`
}

type ingredient struct {
	XMLName struct{} `xml:"ingredient"`
	Class   string   `xml:"classCode,attr"`
	Active  Active   `xml:"ingredientSubstance"`
}

// Substance is a substance and its UNII, the FDA's identifier.
type Substance struct {
	Name string `xml:"name"`
	Code struct {
		UNII string `xml:"code,attr"`
	} `xml:"code"`
}

// Section is a section of a label in plain text, one line per paragraph.
type Section struct {
	LOINC string `json:"loinc"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Get returns the label with a set ID.
func Get(ctx context.Context, c *httpclient.Client, setid string) (*Label, error) {
	call := httpclient.NewCall(httpclient.Endpoint{Op: "label", Path: "spls/" + setid + ".xml", Form: httpclient.XML,
		MaxBytes: 32 << 20, TTL: 24 * time.Hour, Needs: []string{"setId"}})
	body, err := c.Service(&Source).Do(ctx, call)
	if err != nil {
		return nil, err
	}
	l, err := Parse(body)
	if err != nil {
		return nil, call.UnreadableError(err)
	}
	return l, nil
}

// section is a section as nested in the document.
type section struct {
	Code struct {
		Code string `xml:"code,attr"`
		Name string `xml:"displayName,attr"`
	} `xml:"code"`
	Title inner     `xml:"title"`
	Text  inner     `xml:"text"`
	Parts []section `xml:"component>section"`
}

type inner struct {
	XML string `xml:",innerxml"`
}

// document holds the parts of a label that are read.
type document struct {
	XMLName xml.Name `xml:"urn:hl7-org:v3 document"`
	SetID   struct {
		Root string `xml:"root,attr"`
	} `xml:"setId"`
	Title     inner `xml:"title"`
	Effective struct {
		Value string `xml:"value,attr"`
	} `xml:"effectiveTime"`
	Maker    string    `xml:"author>assignedEntity>representedOrganization>name"`
	Sections []section `xml:"component>structuredBody>component>section"`
}

// Parse parses a label.
func Parse(body []byte) (*Label, error) {
	var doc document
	if err := xml.Unmarshal(body, &doc); err != nil {
		return nil, errors.New("it is not a label in XML")
	}
	if doc.SetID.Root == "" {
		return nil, errors.New("the label has no set id")
	}
	return &Label{
		doc.SetID.Root, strings.ReplaceAll(record.Plain(doc.Title.XML), "\n", " "), strings.TrimSpace(doc.Maker),
		doc.Effective.Value, actives(body), doc.Sections,
	}, nil
}

// actives returns the active ingredients of a label's products and of the parts of kits. Their
// class codes begin with ACTI (ACTIB, ACTIM, ACTIR). body must be well-formed XML.
func actives(body []byte) (all []Active) {
	for d := xml.NewDecoder(bytes.NewReader(body)); ; {
		t, err := d.Token()
		if err != nil {
			return all
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "ingredient" {
			continue
		}
		var i ingredient
		if d.DecodeElement(&i, &start) == nil && strings.HasPrefix(i.Class, "ACTI") {
			all = append(all, i.Active)
		}
	}
}

// Section returns the first section with a LOINC code, at any depth, including its subsections. A
// section without a title gets the name of its code, such as "Boxed Warning section".
func (l *Label) Section(loinc string) (Section, bool) {
	all := l.Sections(loinc)
	if len(all) == 0 {
		return Section{}, false
	}
	return all[0], true
}

// Sections returns the sections with some LOINC codes as Section does. One within another is not
// repeated in it: old labels have their interactions within the precautions.
func (l *Label) Sections(codes ...string) (all []Section) {
	found := l.shown(codes)
	for i, s := range found {
		if s != nil {
			all = append(all, Section{codes[i], s.title(), s.text(found)})
		}
	}
	return all
}

// Every returns all sections with a LOINC code. The label of a kit may have one for each part.
func (l *Label) Every(loinc string) []Section { return every(nil, l.sections, loinc) }

func every(dst []Section, all []section, loinc string) []Section {
	for i := range all {
		if s := &all[i]; s.Code.Code == loinc {
			dst = append(dst, Section{loinc, s.title(), s.text(nil)})
		} else {
			dst = every(dst, s.Parts, loinc)
		}
	}
	return dst
}

// shown returns the section that [Label.Sections] shows for each code, nil if there is none.
func (l *Label) shown(codes []string) []*section {
	found := make([]*section, len(codes))
	for i, loinc := range codes {
		found[i] = find(l.sections, loinc)
	}
	return found
}

// OtherTitles returns the titles of the outermost sections that [Label.Sections] does not return for some LOINC codes.
// A further section with one of these codes is among them.
func (l *Label) OtherTitles(codes ...string) []string {
	return otherTitles(nil, l.sections, codes, l.shown(codes))
}

func otherTitles(titles []string, all []section, codes []string, shown []*section) []string {
	for i := range all {
		switch s := &all[i]; {
		case slices.Contains(shown, s):
		case record.Plain(s.Title.XML) != "", slices.Contains(codes, s.Code.Code) && s.Code.Name != "":
			titles = append(titles, s.title())
		default:
			titles = otherTitles(titles, s.Parts, codes, shown)
		}
	}
	return titles
}

// title returns the title in one line, or the name of the code.
func (s *section) title() string {
	return cmp.Or(strings.ReplaceAll(record.Plain(s.Title.XML), "\n", " "), s.Code.Name)
}

// unclassified is the code of a section that has no type of its own.
const unclassified = "42229-5"

// Passages returns the text of every section of the label, each without its subsections. An
// unclassified section gets the code of the section around it.
func (l *Label) Passages() []Section { return passages(nil, l.sections, "") }

func passages(dst []Section, all []section, outer string) []Section {
	for _, s := range all {
		code := s.Code.Code
		if code == unclassified || code == "" {
			code = outer
		}
		dst = passages(append(dst, Section{code, s.title(), record.Plain(s.Text.XML)}), s.Parts, code)
	}
	return dst
}

func find(all []section, loinc string) *section {
	for i := range all {
		if all[i].Code.Code == loinc {
			return &all[i]
		}
		if s := find(all[i].Parts, loinc); s != nil {
			return s
		}
	}
	return nil
}

// text returns the text of a section and its subsections, without those in apart.
func (s *section) text(apart []*section) string {
	all := record.Plain(s.Text.XML)
	for i := range s.Parts {
		if p := &s.Parts[i]; !slices.Contains(apart, p) {
			all += "\n" + record.Plain(p.Title.XML) + "\n" + p.text(apart)
		}
	}
	return record.Lines(all)
}
