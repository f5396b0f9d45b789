package drug

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/related"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/dailymed"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/openfda"
	"biomcp/entrez/rxnav"
)

// label is one US label of the drug; a drug may have several.
type label struct {
	labelSource
	Title    string             `json:"title"`
	Labels   int                `json:"labels"` // number of labels of its kind that name the drug
	Sections []dailymed.Section `json:"sections"`
	Others   []string           `json:"other_sections"` // titles of the sections that are not in Sections
}

type interactions struct {
	labelSource
	Text string `json:"text"`
}

// labelSections lists the LOINC codes of the label sections that we read. The first two, active
// ingredient and purpose, occur in labels of over-the-counter products.
var labelSections = []string{
	"55106-9", "55105-1", "34066-1", "34067-9", "34070-3", "43685-7", "34071-1", "42232-9", "34084-4",
	interactionsCode, "34068-7", "43684-0", "34088-5",
}

const interactionsCode = "34073-7"

func card(d *Drug, sectionNames entity.Sections) result.Doc {
	f := result.Fields{
		{Name: "RxCUI", Value: entity.Deref(d.RxCUI)}, {Name: "UNII", Value: entity.Deref(d.UNII.Value)},
		{Name: "MeSH", Value: entity.Deref(d.MeSH.Value)},
	}
	// otherwise only the identity, above the sections
	if sectionNames.Whole(len(sections())) {
		var established, mechanism, atc []string
		for _, c := range d.Classes.Value {
			switch c.Type {
			case "EPC":
				established = append(established, c.Name)
			case "MOA":
				mechanism = append(mechanism, c.Name)
			case "ATC1-4":
				atc = append(atc, c.ID+" "+c.Name)
			}
		}
		f = append(f, result.Fields{
			{Name: "PubChem CID", Value: entity.FormatNumber(d.CID.Value)},
			{Name: "Formula", Value: entity.Deref(d.Formula.Value)},
			{Name: "Brands", Value: entity.EtAl(d.Brands, 8)},
			{Name: "Other names", Value: entity.EtAl(d.Synonyms, 8)},
			{Name: "Class", Value: entity.EtAl(established, 4)},
			{Name: "Mechanism", Value: entity.EtAl(mechanism, 4)},
			{Name: "ATC", Value: entity.EtAl(atc, 4)}, {Name: "Routes", Value: strings.Join(d.Routes, ", ")},
			{Name: "Status", Value: d.Status}, {Name: "Link", Value: d.URL},
		}...)
	}
	return result.Doc{result.Heading{Level: 1, Text: d.Name}, f}
}

// loadOne loads a section of one drug; notices explain a missing or partial section.
type loadOne func(ctx context.Context, network *httpclient.Client, d *Drug) (notices []string, err error)

// loadEach returns a loader that calls load for every drug.
func loadEach(load loadOne) func(context.Context, *command.Input, []*Drug) (entity.LoadResult, error) {
	return func(ctx context.Context, in *command.Input, all []*Drug) (got entity.LoadResult, err error) {
		network := in.App.Network()
		for _, d := range all {
			notices, err := load(ctx, network, d)
			if why := entity.Inapplicable(""); errors.As(err, &why) {
				got.Inapplicable, notices = append(got.Inapplicable, d.Name), []string{why.Error()}
			} else if err != nil {
				got.MissingIDs, got.Problem = append(got.MissingIDs, d.Name), err
			}
			got.Notices = append(got.Notices, notices...)
		}
		if len(got.MissingIDs) == len(all) {
			return got, got.Problem
		}
		return got, nil
	}
}

// sections returns the sections of a drug.
func sections() []entity.Section[Drug] {
	return []entity.Section[Drug]{
		{
			Name: "label",
			Synonyms: []string{
				"warning", "indication", "dose", "dosage", "dosing", "contraindications", "indications",
				"labels", "spl",
			},
			Label: "Label", Short: "indications, warnings, reactions, dose", Source: "DailyMed",
			Load: loadEach(loadLabel),
			Has:  func(d *Drug) bool { return d.Label.Value != nil }, Doc: labelDoc,
		},
		{
			Name: "interactions", Synonyms: []string{"ddi", "drug-interactions"}, Label: "Interactions",
			Short: "interactions with other drugs on the label", Source: "DailyMed", Flag: with, Members: []string{"pairs"},
			Example: func(d *Drug) string {
				if d.Name == "aspirin" {
					return "warfarin"
				}
				return "aspirin"
			},
			Load: loadAnyInteractions,
			Has:  func(d *Drug) bool { return d.Interactions.Value != nil || len(d.Pairs.Value) > 0 },
			Doc:  interactionsDoc,
		},
		{
			Name: "classes", Synonyms: []string{"mechanism", "moa", "atc", "class"}, Label: "Classes",
			Short: "mechanism, ATC, diseases it may treat", Source: "RxClass", Table: true,
			Load:    loadEach(loadClasses),
			Members: []string{"combination_classes"},
			Lists:   func(d *Drug) []any { return []any{&d.Classes.Value, &d.CombinationClasses.Value} },
			Has:     func(d *Drug) bool { return len(d.Classes.Value)+len(d.CombinationClasses.Value) > 0 },
			Doc:     classesDoc,
		},
		{
			Name: "chemistry", Synonyms: []string{"structure", "formula", "smiles", "inchi", "pubchem"},
			Label: "Chemistry", Short: "formula, structure", Source: "PubChem",
			Load: loadEach(loadChemistry),
			Has:  func(d *Drug) bool { return d.Chemistry.Value != nil },
			Doc:  chemistryDoc,
		},
		regulatory(), events(), shortages(), recalls(),
		related.Trials(func(d *Drug) (ctgov.Query, string) {
			return ctgov.Query{Intervention: ctgov.Words(d.text())}, ""
		}),
		eutils.Articles("articles on it, the newest first", "PubMed", findArticles),
		pharmacogenetics(),
	}
}

// loadLabel loads the sections of the label in labelSections.
func loadLabel(ctx context.Context, network *httpclient.Client, d *Drug) ([]string, error) {
	d.Label.Requested = true
	l, err := d.sharedLabel(ctx, network)
	switch {
	case err != nil:
		return nil, err
	case l.unread:
		return nil, l.missing()
	case l.Label == nil:
		return []string{l.reason}, nil
	}
	d.Label.Value = &label{l.source(), l.Title, l.count, append([]dailymed.Section{}, l.Sections(labelSections...)...),
		[]string{}}
	notices := d.routesNotices()
	if others := l.OtherTitles(labelSections...); len(others) > 0 {
		d.Label.Value.Others = others
		notices = append(notices, fmt.Sprintf("not shown of the label of %s: %s, %s", d.Name,
			english.Plural(len(others), "further section", ""), l.source().URL))
	}
	return notices, nil
}

// loadInteractions loads the section of the label about interactions.
func loadInteractions(ctx context.Context, network *httpclient.Client, d *Drug) ([]string, error) {
	d.Interactions.Requested = true
	l, err := d.sharedLabel(ctx, network)
	if err == nil {
		err = l.missing()
	}
	if err != nil {
		return nil, err
	}
	text, ok := l.textOf(interactionsCode)
	if !ok {
		return []string{"the label of " + d.Name + l.source().origin() + " has no section of interactions"}, nil
	}
	d.Interactions.Value = &interactions{l.source(), text}
	return d.routesNotices(), nil
}

// routesNotices returns a notice if the drug has products for several routes, whose labels differ.
func (d *Drug) routesNotices() []string {
	first := func(route string) string { word, _, _ := strings.Cut(route, " "); return word } // Oral Liquid is Oral
	if !slices.ContainsFunc(d.Routes, func(r string) bool { return first(r) != first(d.Routes[0]) }) {
		return nil
	}
	return []string{fmt.Sprintf("this label is of one product; %s has products for several routes (%s), whose labels differ",
		d.Name, strings.Join(d.Routes, ", "))}
}

// loadClasses loads the classes, unless complete has loaded them already.
func loadClasses(ctx context.Context, network *httpclient.Client, d *Drug) ([]string, error) {
	if d.Classes.Requested {
		return nil, d.classesErr
	}
	return nil, d.classes(ctx, network)
}

// loadChemistry loads the structure, unless complete has loaded it already.
func loadChemistry(ctx context.Context, network *httpclient.Client, d *Drug) ([]string, error) {
	if d.combined() {
		d.Chemistry.Requested = true
		return nil, entity.Inapplicable("a combination has no structure: ask for the chemistry of " +
			"its ingredients")
	}
	if d.Chemistry.Requested {
		return nil, d.chemistryErr
	}
	return nil, d.chemistry(ctx, network)
}

func interactionsDoc(d *Drug) result.Doc {
	if len(d.Pairs.Value) > 0 {
		return pairsDoc(d)
	}
	i := d.Interactions.Value
	return result.Doc{
		result.Para{Text: "From the label" + i.origin() + ", " + i.URL},
		result.Passage{Block: result.Para{Text: i.Text}},
	}
}

func chemistryDoc(d *Drug) result.Doc {
	c := d.Chemistry.Value
	return result.Doc{result.Fields{
		{Name: "PubChem CID", Value: fmt.Sprint(c.CID)}, {Name: "Formula", Value: c.Formula},
		{Name: "Weight (g/mol)", Value: c.Weight},
		{Name: "SMILES (connectivity)", Value: c.SMILES}, {Name: "InChIKey", Value: c.InChIKey},
		{Name: "IUPAC name", Value: entity.Deref(c.IUPAC)}, {Name: "Link", Value: c.URL},
	}}
}

// maxSectionText is the maximum number of characters shown of a section of the label.
const maxSectionText = 1500

// labelDoc renders the beginning of each section; JSON has the whole text.
func labelDoc(d *Drug) result.Doc {
	l := d.Label.Value
	doc := result.Doc{result.Fields{
		{Name: "Title", Value: entity.Truncate(l.Title, 300)}, {Name: "Maker", Value: l.Maker},
		{Name: "Effective", Value: l.Effective},
		{Name: "Labels that name it", Value: fmt.Sprint(l.Labels)}, {Name: "Link", Value: l.URL},
	}}
	for _, s := range l.Sections {
		doc = append(doc, result.Heading{Level: 3, Text: s.Title})
		doc = append(doc, result.PassageOf(entity.Truncate(s.Text, maxSectionText))...)
		if n := utf8.RuneCountInString(s.Text); n > maxSectionText {
			text := fmt.Sprintf("Cut after %d of %d characters; --json has all.", maxSectionText, n)
			doc = append(doc, result.Para{Text: text})
		}
	}
	if len(l.Others) > 0 {
		doc = append(doc, result.Heading{Level: 3, Text: "Further sections"},
			result.Passage{Block: result.Para{Text: strings.Join(l.Others, "; ")}})
	}
	return doc
}

// classesDoc renders the classes of the drug and, separately, those of combinations that contain it.
func classesDoc(d *Drug) (doc result.Doc) {
	columns := []string{"Id", "Class", "Type", "Relation", "Source"}
	row := func(c *rxnav.Class) []string {
		return []string{c.ID, c.Name, c.Type, c.Relation, strings.Join(c.Sources, ", ")}
	}
	if len(d.Classes.Value) > 0 {
		doc = append(doc, entity.Table(columns, d.Classes.Value, row))
	}
	if len(d.CombinationClasses.Value) == 0 {
		return doc
	}
	ofCombination := func(c *rxnav.Class) []string { return append(row(c), entity.EtAl(c.Combinations, 4)) }
	return append(doc, result.Heading{Level: 3, Text: "Classes of combinations with " + d.Name + ", not of it alone"},
		entity.Table(append(columns, "Combination"), d.CombinationClasses.Value, ofCombination))
}

func nameOf(d *Drug) string { return d.Name }

// findArticles searches PubMed, which maps the name to MeSH and substances, and describes
// the hits. It makes two requests.
func findArticles(ctx context.Context, ask *entity.LinkRequest, d *Drug) (*entity.Answer[eutils.Article], error) {
	found, err := entrez.New(ask.Network).Search(ctx, entrez.SearchParams{
		DB: "pubmed", Term: strings.NewReplacer("[", " ", "]", " ", `"`, " ").Replace(d.text()),
		RetMax: ask.RowsToRequest(),
	})
	if err != nil {
		return nil, err
	}
	if len(found.PhrasesNotFound)+len(found.QuotedPhrasesNotFound) > 0 {
		return &entity.Answer[eutils.Article]{Total: new(0)}, nil
	}
	answer := eutils.DescribePage(ctx, ask, eutils.ArticlesFrom("PubMed", found.IDs))
	answer.Total = &found.Count
	return answer, nil
}

// events returns the section of the reactions in most reports to the FDA. It makes two
// requests.
func events() entity.Section[Drug] {
	return entity.RelatedSection[Drug, openfda.Reaction]{
		Name:     "adverse-events",
		Synonyms: []string{"side-effects", "sideeffects", "reactions", "faers", "safety", "adverse", "events"},
		Label:    "Adverse events", Short: "reactions that most reports to FDA name", Source: "openFDA",
		Members: []string{"reports_total"}, Bounded: true,
		Columns: []string{"Reaction", ">Reports"},
		Row:     func(r *openfda.Reaction) []string { return []string{r.Term, fmt.Sprint(r.Reports)} },
		Find: entity.FromService(func(
			ctx context.Context, ask *entity.LinkRequest, d *Drug,
		) (*entity.Answer[openfda.Reaction], error) {
			d.Reports.Requested = true
			// one more than shown, because openFDA does not return the total
			got, err := openfda.Events(ctx, ask.Network, d.text(), ask.RowsToRequest()+1)
			if err != nil {
				return nil, err
			}
			d.Reports.Value = &got.Total
			out := &entity.Answer[openfda.Reaction]{Rows: entity.Window(got.Reactions, ask.Offset, ask.Limit)}
			if got.Total > 0 {
				out.Notices = []string{fmt.Sprintf("%d reports to FDA name %s (openFDA, as of %s): they are "+
					"reports, not patients; the number of users is unknown, so the counts are not rates, and a "+
					"report does not prove a cause. Reports on drugs whose names contain it are counted too",
					got.Total, d.Name, got.AsOf)}
			}
			if to := ask.RowsToRequest(); to < len(got.Reactions) {
				out.Notices = append(out.Notices,
					"they name further reactions: "+entity.LineFrom(ask.Input, to+1, "--offset", fmt.Sprint(to)).String())
			}
			return out, nil
		}),
	}.Section()
}
