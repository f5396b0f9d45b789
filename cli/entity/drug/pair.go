package drug

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"
	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/drug"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
	"biomcp/rag"
)

// with is the flag that names the other drug of a pair.
const with = "with"

// maxOthers is the maximum number of other drugs, each of which needs its label and its classes.
const maxOthers = 5

// maxMentions is the maximum number of sentences quoted from a label.
const maxMentions = 20

// A pair holds what the labels of two drugs say of each other.
type pair struct {
	With    string      `json:"with"`
	RxCUI   string      `json:"rxcui"`
	Outcome string      `json:"outcome"`
	Labels  []pairLabel `json:"labels"` // the label of the drug, then of the other
}

// Outcomes of a pair. Only notNamed says that both labels were read whole and searched for every name
// and class; nothing follows from it about the drugs.
const (
	named    = "named"     // a label names the other drug or a brand of it
	byClass  = "class"     // a label names a class of the other drug, and no label the drug itself
	notNamed = "not_named" // neither label names the other drug or its classes
	unknown  = "unknown"   // nothing was found, but a label or the classes are missing
)

// A pairLabel is the label of one drug of a pair with its sentences about the other.
type pairLabel struct {
	Drug  string `json:"drug"`
	Other string `json:"other"`
	labelSource
	Reason       string     `json:"reason"`               // why there is no label, or why classes were not searched
	Interactions bool       `json:"interactions_section"` // the label has a section of interactions
	Searched     []term     `json:"searched"`
	Total        int        `json:"mentions_total"`
	Mentions     []sentence `json:"mentions"`
}

// A term is a text by which a label may name a drug.
type term struct {
	Text   string `json:"text"`
	Kind   string `json:"kind"`   // name, brand, class
	Source string `json:"source"` // RxNorm, MeSH; RxClass or the label of the drug for a class
}

// A sentence of a label names the other drug.
type sentence struct {
	LOINC string `json:"loinc"`
	Title string `json:"section"`
	Term  string `json:"term"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// loadAnyInteractions loads the pairs with the drugs of --with, or else the section of the label.
func loadAnyInteractions(ctx context.Context, in *command.Input, all []*Drug) (entity.LoadResult, error) {
	names := entity.Unique(in.Strings(with))
	if len(names) == 0 {
		return loadEach(loadInteractions)(ctx, in, all)
	}
	if len(names) > maxOthers {
		return entity.LoadResult{}, result.Invalid(
			fmt.Sprintf("--with accepts at most %d drugs, not %d", maxOthers, len(names)), "get", "drug", "--help")
	}
	got := entity.LoadResult{Sources: []string{"DailyMed", "RxClass (RxNav, National Library of Medicine)"}}
	network := in.App.Network()
	var others []*side
	for _, name := range names {
		other, err := findOther(ctx, network, name)
		if err != nil {
			return got, err
		}
		if !strings.EqualFold(other.Name, name) {
			got.Notices = append(got.Notices, "--with "+command.Clip(name)+" was read as "+other.Name)
		}
		others = append(others, newSide(ctx, network, other))
	}
	for _, d := range all {
		d.Pairs.Requested = true
		own := newSide(ctx, network, d)
		for _, other := range others {
			if other.drug.Name == d.Name {
				return got, result.Invalid("--with names "+d.Name+" itself; it needs another drug",
					"get", "drug", d.Name, "interactions")
			}
			p, err := pairOf(own, other)
			if err != nil {
				got.MissingIDs, got.Problem = append(got.MissingIDs, d.Name), err
			}
			if p != nil {
				d.Pairs.Value = append(d.Pairs.Value, *p)
				got.Notices = append(got.Notices, p.notice(d.Name))
			}
		}
	}
	if got.Problem != nil && !slices.ContainsFunc(all, func(d *Drug) bool { return len(d.Pairs.Value) > 0 }) {
		return got, got.Problem
	}
	got.MissingIDs = entity.Unique(got.MissingIDs)
	return got, nil
}

// findOther returns the drug with a name, or the substance with a brand, a salt or a code.
func findOther(ctx context.Context, network *httpclient.Client, name string) (*Drug, error) {
	client := drug.New(network)
	client.FollowBrands = true
	found, err := client.Find(ctx, name)
	miss, missed := errors.AsType[*resolve.Miss](err)
	if missed && miss.Kind == resolve.Alias {
		found, err = client.Find(ctx, miss.Candidates[0].Symbol)
	}
	if miss, missed := errors.AsType[*resolve.Miss](err); missed {
		if miss.Kind == resolve.Unavailable {
			return nil, miss.Err
		}
		why := "no drug is called " + command.Clip(name) + ", which --with names"
		if f := entity.AliasFailure(miss, describe(miss)); f != nil {
			why = f.Message
		}
		return nil, result.Invalid(why, "search", "drug", name)
	}
	if err != nil {
		return nil, err
	}
	return newDrug(found, name), nil
}

// A side is one drug of a pair with its label and its classes, which read sets at its first call.
type side struct {
	drug       *Drug
	label      foundLabel
	labelErr   error
	classes    []rxnav.Class // classes of the drug and of each ingredient of a combination
	classesErr error
	read       func()
}

// newSide returns the side of a drug. It has classes of its own, because other sections change those of the drug
// at the same time.
func newSide(ctx context.Context, network *httpclient.Client, d *Drug) *side {
	s := &side{drug: d}
	s.read = sync.OnceFunc(func() {
		s.label, s.labelErr = d.sharedLabel(ctx, network)
		names := []string{d.Name}
		if d.combined() {
			names = append(names, result.Map(d.ingredients, func(i rxnav.Concept) string { return i.Name })...)
		}
		for _, name := range names {
			classes, _, err := rxnav.New(network).Classes(ctx, name)
			s.classes, s.classesErr = append(s.classes, classes...), cmp.Or(s.classesErr, err)
		}
	})
	return s
}

// pairOf reads the labels and the classes of two drugs. The error is the failure of a source; the pair is
// nil if neither label could be read for that reason.
func pairOf(a, b *side) (*pair, error) {
	sides := [2]*side{a, b}
	var reading conc.WaitGroup
	reading.Go(a.read)
	reading.Go(b.read)
	reading.Wait()
	if a.labelErr != nil && b.labelErr != nil {
		return nil, a.labelErr
	}
	p := &pair{With: b.drug.Name, RxCUI: entity.Deref(b.drug.RxCUI), Outcome: notNamed, Labels: make([]pairLabel, 2)}
	var kinds []string
	for i, s := range sides {
		l := newPairLabel(s, sides[1-i])
		p.Labels[i] = l
		if l.Reason != "" {
			p.Outcome = unknown
		}
		for _, m := range l.Mentions {
			kinds = append(kinds, m.Kind)
		}
	}
	switch {
	case slices.ContainsFunc(kinds, func(k string) bool { return k != kindClass }):
		p.Outcome = named
	case len(kinds) > 0:
		p.Outcome = byClass
	}
	return p, errors.Join(a.labelErr, b.labelErr)
}

// newPairLabel searches the label of one side for its sentences about the other.
func newPairLabel(s, other *side) pairLabel {
	name, label := s.drug.Name, s.label
	l := pairLabel{Drug: name, Other: other.drug.Name, Mentions: []sentence{}, Searched: termsOf(other, s)}
	switch {
	case s.labelErr != nil:
		l.Reason = "the label of " + name + " is missing: " + s.labelErr.Error()
		return l
	case label.Label == nil:
		l.Reason = label.reason
		return l
	case other.classesErr != nil:
		l.Reason = "the classes of " + other.drug.Name + " are missing: " + other.classesErr.Error()
	}
	l.labelSource = label.source()
	_, l.Interactions = label.Section(interactionsCode)
	l.Mentions = mentionsIn(label.Label, l.Searched)
	l.Total = len(l.Mentions)
	l.Mentions = l.Mentions[:min(maxMentions, l.Total)]
	return l
}

// warningCodes lists the LOINC codes of sections about the use with other drugs, in the order of
// quotation: interactions, contraindications, boxed warning, warnings, precautions, and those of
// over-the-counter labels.
var warningCodes = []string{
	interactionsCode, "34070-3", "34066-1", "43685-7", "34071-1", "42232-9", "50570-1", "50569-3", "50568-5",
	"50567-7", "50566-9",
}

// isWarning reports whether a sentence is in a section of [warningCodes].
func (s sentence) isWarning() bool { return slices.Contains(warningCodes, s.LOINC) }

// mentionsIn returns the sentences of a label that have a term, those about interactions and warnings. If these
// sections do not name the drug, the sentences of others that do are added; if they have no sentence, those with a
// class are, too. Names come before classes.
func mentionsIn(label *dailymed.Label, terms []term) []sentence {
	all := []sentence{}
	for _, s := range label.Passages() {
		lead := ""
		for line := range strings.Lines(s.Title + "\n" + s.Text) {
			for _, text := range rag.Sentences(line) {
				found, is := firstTerm(text, terms)
				if !is {
					continue
				}
				one := sentence{s.LOINC, s.Title, found.Text, found.Kind, strings.TrimSpace(lead + " " + text)}
				at := slices.IndexFunc(all, func(o sentence) bool { return o.Text == one.Text })
				if at < 0 {
					all = append(all, one)
				} else if one.isWarning() && !all[at].isWarning() { // the recent changes repeat warnings
					all[at] = one
				}
			}
			if line = strings.TrimSpace(line); strings.HasSuffix(line, ":") { // it introduces a list
				lead = line
			} else if strings.HasSuffix(line, ".") {
				lead = ""
			}
		}
	}
	warned := slices.ContainsFunc(all, sentence.isWarning)
	isNamed := slices.ContainsFunc(all, func(s sentence) bool { return s.isWarning() && s.Kind != kindClass })
	all = slices.DeleteFunc(all, func(s sentence) bool {
		return !s.isWarning() && (isNamed || warned && s.Kind == kindClass)
	})
	slices.SortStableFunc(all, func(a, b sentence) int {
		rank := map[string]int{kindClass: 1}
		return cmp.Or(rank[a.Kind]-rank[b.Kind], slices.Index(warningCodes, a.LOINC)-slices.Index(warningCodes, b.LOINC))
	})
	return all
}

// notice says what follows from a pair, and what does not.
func (p *pair) notice(name string) string {
	const limits = "; an enzyme or a transporter that both depend on is not looked for"
	switch p.Outcome {
	case named, byClass:
		return "the sentences are quoted from one label of each drug, and are not all that is known of " + name +
			" with " + p.With + limits
	case notNamed:
		return "neither label names the other drug (" + name + ", " + p.With + "): that does not mean that " +
			"there is no interaction" + limits
	}
	return "whether the labels of " + name + " and " + p.With + " name each other is unknown, because a label " +
		"or the classes are missing"
}

func pairsDoc(d *Drug) (doc result.Doc) {
	for _, p := range d.Pairs.Value {
		doc = append(doc, result.Heading{Level: 3, Text: d.Name + " with " + p.With})
		for _, l := range p.Labels {
			doc = append(doc, l.doc()...)
		}
	}
	return doc
}

func (l *pairLabel) doc() result.Doc {
	if l.SetID == "" {
		return result.Doc{result.Para{Text: "Not known: " + l.Reason + "."}}
	}
	about := "The label of " + l.Drug + l.origin() + ", " + l.URL
	if !l.Interactions {
		about += ", which has no section of interactions,"
	}
	searched := result.Map(l.Searched, func(t term) string {
		if t.Kind == kindName {
			return t.Text
		}
		return t.Text + " (" + t.Kind + ", " + t.Source + ")"
	})
	if l.Reason != "" {
		searched = append(searched, l.Reason)
	}
	if l.Total == 0 {
		return result.Doc{result.Para{Text: about + " does not name " + l.Other + ". Searched for: " +
			strings.Join(searched, ", ") + "."}}
	}
	where := "its sections on interactions and warnings"
	switch {
	case !slices.ContainsFunc(l.Mentions, sentence.isWarning):
		where = "sections other than those on interactions and warnings"
	case !l.Mentions[0].isWarning(): // the first are the names
		where = "its sections, the names not in those on interactions and warnings"
	}
	says := fmt.Sprintf(" names %s or a class of it in %s of %s", l.Other, english.Plural(l.Total, "sentence", ""), where)
	if l.Total > len(l.Mentions) {
		says += fmt.Sprintf(", the first %d shown", len(l.Mentions))
	}
	doc := result.Doc{result.Para{Text: about + says + ". Searched for: " + strings.Join(searched, ", ") + "."}}
	for _, m := range l.Mentions {
		text := m.Text + " [" + m.Title + "; " + m.Kind + " " + m.Term + "]"
		doc = append(doc, result.Passage{Block: result.Para{Text: text}})
	}
	return doc
}
