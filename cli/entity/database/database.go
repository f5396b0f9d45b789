// Package database is the entity that describes the databases of NCBI.
package database

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// databaseInfo describes an NCBI database.
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

// isName reports whether w can be the name of a database.
func isName(w string) bool {
	return w != "" && len(w) <= 40 && strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// Entity returns the entity of the databases of NCBI.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[databaseInfo]{
		Name: "database", Synonyms: []string{"db", "einfo"}, Plural: "databases",
		IDs:   entity.IDs{Placeholder: "<name>...", Max: 10, Match: isName},
		Label: "Databases", Sources: []string{"NCBI EInfo"},
		Get: command.Command{
			Short: "Describe an NCBI database: records, last update, fields, links",
			Help: command.Help{
				Input: "An Entrez name: pubmed, pmc, mesh, gene, ...",
			},
			Examples: []command.Example{{Line: "biomcp get database pubmed",
				Explanation: "how many records PubMed has, and its search fields"}},
		},
		Fetch: fetchDatabases,
		Card:  databaseCard,
	})
}

func fetchDatabases(ctx context.Context, in *command.Input, names []string,
	_ entity.Sections) (*entity.Found[databaseInfo], error) {
	client := in.App.Entrez()
	found := &entity.Found[databaseInfo]{}
	for _, name := range names {
		db, err := client.Info(ctx, strings.ToLower(name))
		if httpclient.IsKind(err, httpclient.NotFound) {
			found.Missing = append(found.Missing, name)
			continue
		}
		if err != nil {
			return nil, err
		}
		info := &databaseInfo{
			Name: db.Name, MenuName: db.MenuName, Description: db.Description, Build: db.Build, Count: db.Count,
			LastUpdate: db.LastUpdate, URL: db.URL,
		}
		for _, f := range db.Fields {
			field := databaseField{Name: f.Name, FullName: f.FullName, Description: f.Description, Date: f.IsDate,
				Numerical: f.IsNumerical}
			if f.TermCount > 0 { // 0 means unknown, since NCBI no longer counts terms
				field.TermCount = &f.TermCount
			}
			info.Fields = append(info.Fields, field)
		}
		for _, l := range db.Links {
			info.Links = append(info.Links,
				databaseLink{Name: l.Name, Menu: l.Menu, Description: l.Description, To: l.DBTo})
		}
		found.Add(name, info)
	}
	return found, nil
}

func databaseCard(d *databaseInfo, _ entity.Sections) result.Doc {
	doc := append(append(result.Doc{result.Heading{Level: 1, Text: d.Name}}, result.PassageOf(d.Description)...),
		result.Fields{
			{Name: "Records", Value: fmt.Sprint(d.Count)}, {Name: "Last update", Value: d.LastUpdate}, {Name: "Build", Value: d.Build},
		})
	if len(d.Fields) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Fields"},
			result.Table{Columns: result.Columns("Field", "Name", "What it searches"),
				Rows: result.Map(d.Fields, func(f databaseField) []string {
					return []string{f.Name, f.FullName, f.Description}
				})})
	}
	if len(d.Links) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Links"},
			result.Table{Columns: result.Columns("Link", "To", "What it is"),
				Rows: result.Map(d.Links, func(l databaseLink) []string {
					return []string{l.Name, l.To, l.Description}
				})})
	}
	return doc
}
