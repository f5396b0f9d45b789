package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

type overview struct {
	Study      string           `json:"study_id"`
	Name       string           `json:"name"`
	Cancer     string           `json:"cancer_type"`
	Citation   string           `json:"citation"`
	Samples    int              `json:"samples"`
	Patients   int              `json:"patients"`
	Profiles   []profile        `json:"profiles"`
	Attributes []attribute      `json:"attributes"`
	Total      int              `json:"attribute_count"`
	Endpoints  []endpoint       `json:"endpoints"`
	Panels     []study.PanelUse `json:"panels"`

	unread bool // a clinical file cannot be read
}

// noneText replaces an empty table of clinical data.
func (a overview) noneText() result.Para {
	if a.unread {
		return result.Para{Text: "Unknown: a clinical file cannot be read."}
	}
	return result.Para{Text: "None."}
}

type profile struct {
	study.Profile
	Profiled *int   `json:"profiled_samples"` // null for data that is not by gene
	Basis    string `json:"basis"`
}

type attribute struct {
	study.Attribute
	N          int     `json:"n"` // patients or samples with a value
	Missing    int     `json:"missing"`
	Categories []tally `json:"categories"` // most common first; empty for numbers
	Mean       *num    `json:"mean"`       // this and the following are for numbers
	Min        *num    `json:"min"`
	Median     *num    `json:"median"`
	Max        *num    `json:"max"`
}

type endpoint struct {
	ID             string `json:"id"`
	Name           string `json:"name"`
	Events         int    `json:"events"`
	N              int    `json:"n"`
	MedianFollowUp num    `json:"median_follow_up"` // months, reverse Kaplan-Meier
}

func summary() *command.Command {
	return &command.Command{
		Use: "summary --study <id>", Short: "Show samples, data and endpoints",
		Effect: command.Reads,
		Help: command.Help{
			Output: "Samples and patients, data files with the samples profiled, endpoints with events and " +
				"median follow-up (reverse Kaplan-Meier), clinical attributes with their distributions.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			f.Limit(30, 10000, "maximum number of attributes")
			f.String("attribute", "", "clinical attributes to show, with commas; TMB also finds TMB_NONSYNONYMOUS")
			f.AddSynonyms("attribute", "attributes")
			f.Rare("attribute")
		},
		Examples: []command.Example{{Line: "biomcp study summary -s synthetic_demo", Explanation: "the data of a study"}},
		Run:      runSummary, Check: checkSummary,
		Variants: []command.Variant{{Names: []string{"tmb"}, Flags: []string{"--attribute", "tmb"}}},
		Synonyms: []string{"info", "get", "show", "describe", "overview", "study", "attributes",
			"clinical-attributes", "clinical", "cancer-types"},
		ArgFlags: studyPlaces(),
	}
}

// checkSummary implements Command.Check. It requires a study and attributes that it has.
func checkSummary(in *command.Input) error {
	if err := requireFlags("study")(in); err != nil || !in.Given("attribute") {
		return err
	}
	s, err := open(in)
	if err != nil {
		return err
	}
	var absent *result.Failure
	if _, err = attributesOf(in, s); errors.As(err, &absent) {
		return &command.Refusal{Failure: absent}
	}
	return nil // the command reports the error
}

// attributesOf returns the attributes of --attribute, or all. A word that is not an ID means the
// attributes whose IDs begin with it: the portal's studies have TMB_NONSYNONYMOUS.
func attributesOf(in *command.Input, s *study.Study) ([]study.Attribute, error) {
	all, err := s.Attributes()
	if err != nil || !in.Given("attribute") {
		return all, err
	}
	var chosen []study.Attribute
	for _, word := range words(in.String("attribute")) {
		family := slices.DeleteFunc(slices.Clone(all), func(a study.Attribute) bool {
			return !strings.HasPrefix(a.ID, strings.ToUpper(word)+"_")
		})
		if a, err := s.Attribute(word); err == nil {
			family = []study.Attribute{a}
		}
		if len(family) == 0 {
			_, err := attributeOf(in, s, "attribute", word)
			return nil, err
		}
		for _, a := range family {
			if !slices.ContainsFunc(chosen, func(c study.Attribute) bool { return c.ID == a.ID }) {
				chosen = append(chosen, a)
			}
		}
	}
	return chosen, nil
}

// geneData lists the kinds of data with values by gene.
var geneData = []study.Data{study.Mutations, study.CopyNumber, study.Expression, study.StructuralVariants}

func runSummary(_ context.Context, in *command.Input) (*result.Result, error) {
	s, limit, r, err := openLimited(in)
	if err != nil {
		return nil, err
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	a := overview{
		Study: s.ID, Name: s.Name, Cancer: s.CancerType, Citation: s.Citation, Samples: len(samples.IDs),
		Patients: len(samples.Patients),
	}
	a.addPanels(in, s, r)
	a.addProfiles(s, r)
	if err := a.addAttributes(in, s, r, limit); err != nil {
		return nil, err
	}
	a.addEndpoints(s, r)
	a.unread = len(s.ClinicalFaults()) > 0
	addNotices(r, s)
	r.Payload = a
	r.Next = []result.Argv{{"study", "top-mutated", "--study", s.ID}}
	return r, nil
}

// addProfiles adds the data files of a study with the samples profiled in each.
func (a *overview) addProfiles(s *study.Study, r *result.Result) {
	for _, p := range s.Profiles() {
		one := profile{Profile: p}
		if !p.Present {
			r.Notice(p.File + " is named by the study but does not exist or cannot be opened")
		} else if slices.Contains(geneData, p.Data) {
			if on, err := s.ProfiledSamples(p, ""); err != nil {
				r.Notice(p.File + ": the profiled samples are unknown: " + err.Error())
			} else {
				if one.Basis = on.Basis; !on.Unlisted {
					one.Profiled = &on.N
				}
				addNotices(r, s, on.Notices)
			}
		}
		a.Profiles = append(a.Profiles, one)
	}
}

// addAttributes adds at most limit clinical attributes, and notices about the others and about those that cannot
// be read. It returns an error if an attribute of --attribute cannot be read.
func (a *overview) addAttributes(in *command.Input, s *study.Study, r *result.Result, limit int) error {
	attributes, err := attributesOf(in, s)
	if err != nil && in.Given("attribute") {
		return err
	}
	if err != nil {
		r.Notice("clinical attributes cannot be read: " + err.Error())
	}
	for _, one := range attributes {
		if err := one.DuplicateError(); err != nil {
			r.Notice(err.Error())
		}
	}
	a.Total = len(attributes)
	attributes = attributes[:min(limit, len(attributes))]
	if err := a.describe(s, r, attributes); err != nil {
		r.Notice("clinical attributes cannot be read: " + err.Error())
	}
	if more := a.Total - len(attributes); more > 0 {
		r.Notice(fmt.Sprintf("%d more attributes: %s", more,
			in.KeepFiles(in.LineWith("--limit", count(min(a.Total, 10000))))[0]))
		r.Smaller = func(share float64) result.Argv {
			return in.LineWith("--limit", count(max(1, int(share*float64(limit)))))
		}
	}
	return nil
}

// addEndpoints adds the endpoints of a study that can be read.
func (a *overview) addEndpoints(s *study.Study, r *result.Result) {
	endpoints, err := s.Endpoints()
	if err != nil {
		endpoints = nil // the error is reported above
	}
	for _, e := range endpoints {
		f, err := s.FollowUp(e)
		if err != nil {
			r.Notice(e.Name + " cannot be read: " + err.Error())
			continue
		}
		noteFollowUp(r, e, f)
		a.Endpoints = append(a.Endpoints, summarizeEndpoint(e, f))
	}
}

// addPanels adds the gene panels that the study names.
func (a *overview) addPanels(in *command.Input, s *study.Study, r *result.Result) {
	panels, err := s.Panels()
	if err != nil {
		r.Notice("the gene panels cannot be read: " + err.Error())
	}
	a.Panels = append(a.Panels, panels...)
	missing, _ := s.MissingPanels() // the error is reported above
	noteMissing(in, r, missing, "biomcp study download "+s.ID+" fetches them from cBioPortal, "+
		"biomcp study panels add FILE reads them from files")
}

func summarizeEndpoint(e study.Endpoint, f *study.FollowUp) endpoint {
	out := endpoint{ID: e.ID, Name: e.Name, MedianFollowUp: nan}
	var obs []stats.Obs
	for i, o := range f.Obs {
		if f.Reason[i] == "" {
			obs = append(obs, o)
			if o.Event {
				out.Events++
			}
		}
	}
	out.N = len(obs)
	if m, err := stats.MedianFollowUp(obs); err == nil {
		out.MedianFollowUp = num(m.Estimate)
	}
	return out
}

// describe adds attributes with their distributions.
func (a *overview) describe(s *study.Study, r *result.Result, attributes []study.Attribute) error {
	values, err := s.Values(attributes...)
	if err != nil {
		return err
	}
	for _, v := range values {
		list, n := v.OwnLevel(), v.Numbers()
		one := attribute{Attribute: v.Attribute}
		for _, text := range list {
			if text == "" {
				one.Missing++
			}
		}
		if n.Numeric {
			one.Missing += n.NonNumeric
		}
		one.N = len(list) - one.Missing
		if n.Numeric && one.N > 0 {
			noteNumbers(r, one.ID, n)
			d := stats.Describe(n.Values)
			one.Mean, one.Median = new(num(d.Mean)), new(num(d.Median))
			one.Min, one.Max = new(num(d.Min)), new(num(d.Max))
		} else {
			one.Categories = categories(list)
		}
		a.Attributes = append(a.Attributes, one)
	}
	return nil
}

const shownCategories = 20

// categories counts values and returns the most common ones, at most shownCategories.
func categories(list []string) []tally {
	names, of := study.Categories(list)
	counts := make([]tally, len(names))
	for i, name := range names {
		counts[i].name = name
	}
	for _, i := range of {
		if i >= 0 {
			counts[i].n++
		}
	}
	slices.SortStableFunc(counts, func(a, b tally) int { return cmp.Compare(b.n, a.n) })
	return counts[:min(shownCategories, len(counts))]
}

func (a overview) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Summary: " + a.Study},
		result.Fields{
			{Name: "Name", Value: a.Name}, {Name: "Cancer type", Value: a.Cancer}, {Name: "Citation", Value: a.Citation},
			{Name: "Samples", Value: count(a.Samples)}, {Name: "Patients", Value: count(a.Patients)},
		},
		result.Heading{Level: 2, Text: "Data"},
	}
	t := result.Table{Columns: result.Columns("File", "Data", ">Profiled Samples", "Basis")}
	for _, p := range a.Profiles {
		data := string(p.Data)
		if p.Data == study.CopyNumber || p.Data == study.Expression { // exist with several datatypes
			data += ", " + strings.ToLower(p.Datatype)
		}
		t.Rows = append(t.Rows, []string{p.File, data, entity.FormatNumber(p.Profiled), p.Basis})
	}
	doc = append(doc, t)
	if len(a.Panels) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Gene Panels"}, panelTable(a.Panels))
	}
	doc = append(doc, result.Heading{Level: 2, Text: "Endpoints"})
	t = result.Table{Columns: result.Columns("Endpoint", "Name", ">Patients", ">Events", ">Median Follow-up (months)")}
	for _, e := range a.Endpoints {
		t.Rows = append(t.Rows, []string{e.ID, e.Name, count(e.N), count(e.Events), e.MedianFollowUp.fixed(1)})
	}
	if len(t.Rows) == 0 {
		doc = append(doc, a.noneText())
	} else {
		doc = append(doc, t)
	}
	doc = append(doc, result.Heading{Level: 2, Text: "Attributes"})
	t = result.Table{Columns: result.Columns("Attribute", "Of", ">Values", ">Missing", "Distribution")}
	for _, c := range a.Attributes {
		t.Rows = append(t.Rows, []string{c.ID, c.Level, count(c.N), count(c.Missing), c.text()})
	}
	if len(t.Rows) == 0 {
		return append(doc, a.noneText())
	}
	return append(doc, t)
}

func panelTable(panels []study.PanelUse) result.Table {
	t := result.Table{Columns: result.Columns("Panel", ">Samples", ">Genes")}
	for _, p := range panels {
		genes := count(p.Genes)
		switch {
		case p.All:
			genes = "all"
		case !p.Known:
			genes = "unknown"
		}
		t.Rows = append(t.Rows, []string{p.ID, count(p.Samples), genes})
	}
	return t
}

// text summarizes the distribution in one line.
func (c attribute) text() string {
	if c.Median != nil && !math.IsNaN(float64(*c.Median)) {
		return fmt.Sprintf("%s to %s, median %s", c.Min.fixed(2), c.Max.fixed(2), c.Median.fixed(2))
	}
	var parts []string
	for i, t := range c.Categories {
		if i == 4 {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%d)", t.name, t.n))
	}
	return strings.Join(parts, ", ")
}
