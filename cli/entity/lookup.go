package entity

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// checkTerm refuses what is no short text.
func checkTerm(s string, try ...string) error {
	switch {
	case s == "":
		return result.Invalid("the text is empty", try...)
	case len(s) > 1000:
		return result.Invalid(fmt.Sprintf("the text has %d bytes; at most 1000 are accepted", len(s)), try...)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return result.Invalid("the text holds bytes that are not text", try...)
	}
	return nil
}

// correction is the answer of `get spelling`.
type correction struct {
	Query     string `json:"query"`
	Corrected string `json:"corrected"`
	Changed   bool   `json:"changed"`
}

func spelling() Entity {
	return Define(Spec[correction]{
		Name: "spelling", Plural: "spellings", IDs: "<query>...", MaxIDs: 20,
		Label: "Spellings", Sources: []string{"PubMed ESpell"},
		Short: "Correct the spelling of a query as PubMed would",
		Help: command.Help{
			Output:    "The corrected query, or that nothing is to be corrected.",
			Surprises: "Quote a query of several words; each word of the command line is a query.",
		},
		Examples: []command.Example{{Line: `biomcp get spelling "asthmma treatmnt"`, Does: "the query spelt right"}},
		IsID:     func(string) bool { return true },
		Fetch: func(ctx context.Context, in *command.Input, queries []string, _ Asked) (*Found[correction], error) {
			found := &Found[correction]{Records: []*correction{}}
			client, err := in.App.Entrez()
			if err != nil {
				return nil, err
			}
			for _, q := range queries {
				if err := checkTerm(strings.TrimSpace(q), "get", "spelling", "--help"); err != nil {
					return nil, err
				}
				s, err := client.Spell(ctx, "pubmed", q)
				if err != nil {
					return nil, err
				}
				c := &correction{Query: q, Corrected: s.Corrected, Changed: s.Corrected != "" && s.Corrected != q}
				found.Records = append(found.Records, c)
			}
			return found, nil
		},
		Card: func(c *correction, _ Asked) result.Doc {
			text := c.Corrected
			if !c.Changed {
				text = "nothing to correct"
			}
			return result.Doc{result.Fields{{Name: "Query", Value: c.Query}, {Name: "Corrected", Value: text}}}
		},
		Next: func(c *correction) []result.Argv {
			if !c.Changed {
				return nil
			}
			return []result.Argv{{"search", "article", c.Corrected}}
		},
	})
}

// identifiers is one record of `get ids`. What is not known is null.
type identifiers struct {
	Requested string  `json:"requested"`
	PMID      *string `json:"pmid"`
	PMCID     *string `json:"pmcid"`
	DOI       *string `json:"doi"`
}

func ids() Entity {
	return Define(Spec[identifiers]{
		Name: "ids", Plural: "ids", IDs: "<pmid|pmcid|doi>...", MaxIDs: 200,
		Label: "Identifiers", Sources: []string{"PMC ID converter", "PubMed ESummary"},
		Short: "Convert between PMID, PMCID and DOI",
		Help: command.Help{
			Surprises: "The PMC ID converter knows what is in PubMed Central; other articles are looked up in PubMed itself.",
		},
		Examples: []command.Example{{Line: "biomcp get ids PMC3531190 10.1093/nar/gks1195 23193287", Does: "three names of one article"}},
		IsID:     isArticleID,
		Fetch:    fetchIDs,
		Card: func(r *identifiers, _ Asked) result.Doc {
			return result.Doc{result.Fields{
				{Name: "Asked for", Value: r.Requested}, {Name: "PMID", Value: orDash(r.PMID)},
				{Name: "PMCID", Value: orDash(r.PMCID)}, {Name: "DOI", Value: orDash(r.DOI)},
			}}
		},
		Next: func(r *identifiers) []result.Argv {
			if r.PMID == nil {
				return nil
			}
			return []result.Argv{{"get", "article", *r.PMID}}
		},
	})
}

// fetchIDs asks the converter first, then PubMed for what it does not know.
func fetchIDs(ctx context.Context, in *command.Input, words []string, _ Asked) (*Found[identifiers], error) {
	parsed, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	notices, problem := resolve(ctx, client, parsed)
	if errors.Is(problem, context.Canceled) {
		return nil, problem
	}
	found := &Found[identifiers]{Records: []*identifiers{}, Missing: []string{}, Notices: notices, Problem: problem}
	var pmids []string
	for _, id := range parsed {
		if id.pmid != "" {
			pmids = append(pmids, id.pmid)
		}
	}
	known := map[string]identifiers{}
	if len(pmids) > 0 {
		sums, err := client.Summaries(ctx, "pubmed", pmids)
		if err != nil {
			return nil, err
		}
		for _, s := range sums.Items {
			known[s.UID] = identifiers{PMID: some(s.UID), PMCID: some(s.PMCID), DOI: some(s.DOI)}
		}
	}
	for _, id := range parsed {
		r, ok := known[id.pmid]
		if !ok {
			found.Missing = append(found.Missing, id.typed)
			continue
		}
		r.Requested = id.typed
		found.Records = append(found.Records, &r)
	}
	return found, nil
}

// some is a text, or nil where there is none.
func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orDash(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

// databaseInfo is what an NCBI database holds.
type databaseInfo struct {
	Name        string          `json:"name"`
	MenuName    string          `json:"menu_name"`
	Description string          `json:"description"`
	Build       string          `json:"build"`
	Count       int             `json:"count"`
	LastUpdate  string          `json:"last_update"`
	Fields      []databaseField `json:"fields"`
	Links       []databaseLink  `json:"links"`
	URL         string          `json:"einfo_url"`
}

type databaseField struct {
	Name        string `json:"name"`
	FullName    string `json:"full_name"`
	Description string `json:"description"`
	TermCount   *int   `json:"term_count"`
	Date        bool   `json:"is_date"`
	Numerical   bool   `json:"is_numerical"`
}

type databaseLink struct {
	Name        string `json:"name"`
	Menu        string `json:"menu"`
	Description string `json:"description"`
	To          string `json:"db_to"`
}

var databaseForm = regexp.MustCompile(`^[A-Za-z0-9_]{1,40}$`)

func database() Entity {
	return Define(Spec[databaseInfo]{
		Name: "database", Plural: "databases", IDs: "<name>...", MaxIDs: 10,
		Label: "Databases", Sources: []string{"NCBI EInfo"},
		Short: "Describe an NCBI database: records, last update, fields, links",
		Help: command.Help{
			Input: "An Entrez name: pubmed, pmc, mesh, gene, ...",
		},
		Examples: []command.Example{{Line: "biomcp get database pubmed", Does: "how many records PubMed has, and its search fields"}},
		IsID:     databaseForm.MatchString,
		Fetch:    fetchDatabases,
		Card:     databaseCard,
	})
}

func fetchDatabases(ctx context.Context, in *command.Input, names []string, _ Asked) (*Found[databaseInfo], error) {
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	found := &Found[databaseInfo]{Records: []*databaseInfo{}, Missing: []string{}}
	for _, name := range names {
		db, err := client.Info(ctx, strings.ToLower(name))
		if isMissing(err) {
			found.Missing = append(found.Missing, name)
			continue
		}
		if err != nil {
			return nil, err
		}
		info := &databaseInfo{
			Name: db.Name, MenuName: db.MenuName, Description: db.Description, Build: db.Build, Count: db.Count, LastUpdate: db.LastUpdate,
			Fields: []databaseField{}, Links: []databaseLink{}, URL: db.URL,
		}
		for _, f := range db.Fields {
			field := databaseField{Name: f.Name, FullName: f.FullName, Description: f.Description, Date: f.IsDate, Numerical: f.IsNumerical}
			if f.TermCount > 0 { // NCBI stopped counting: 0 is "not said"
				field.TermCount = &f.TermCount
			}
			info.Fields = append(info.Fields, field)
		}
		for _, l := range db.Links {
			info.Links = append(info.Links, databaseLink{Name: l.Name, Menu: l.Menu, Description: l.Description, To: l.DBTo})
		}
		found.Records = append(found.Records, info)
	}
	return found, nil
}

func databaseCard(d *databaseInfo, _ Asked) result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: d.Name},
		result.Fields{
			{Name: "Description", Value: d.Description}, {Name: "Records", Value: fmt.Sprint(d.Count)},
			{Name: "Last update", Value: d.LastUpdate}, {Name: "Build", Value: d.Build},
		},
	}
	if len(d.Fields) > 0 {
		t := result.Table{Columns: result.Columns("Field", "Name", "What it searches")}
		for _, f := range d.Fields {
			t.Rows = append(t.Rows, []string{f.Name, f.FullName, f.Description})
		}
		doc = append(doc, result.Heading{Level: 2, Text: "Fields"}, t)
	}
	if len(d.Links) > 0 {
		t := result.Table{Columns: result.Columns("Link", "To", "What it is")}
		for _, l := range d.Links {
			t.Rows = append(t.Rows, []string{l.Name, l.To, l.Description})
		}
		doc = append(doc, result.Heading{Level: 2, Text: "Links"}, t)
	}
	return doc
}
