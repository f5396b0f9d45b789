package entrez

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Database is EInfo's description (version 2.0) of one of NCBI's databases.
type Database struct {
	Name, MenuName, Description string
	Build                       string
	Count                       int
	LastUpdate                  string // "2025/11/27 06:33", as NCBI writes it
	Fields                      []Field
	Links                       []DatabaseLink
	URL                         string
}

// Field is a search field. Name is the tag to write in brackets. TermCount is 0 if unknown.
type Field struct {
	Name, FullName, Description string
	TermCount                   int
	IsDate, IsNumerical         bool
}

// DatabaseLink is a kind of link to another database.
type DatabaseLink struct{ Name, Menu, Description, DBTo string }

var dbForm = pattern.Lazy(`^[a-z][a-z0-9_]{0,30}$`)

// Info returns the description of a database such as "pubmed". An unknown name gives an error of
// kind NotFound.
func (c *Client) Info(ctx context.Context, db string) (*Database, error) {
	db = strings.ToLower(strings.TrimSpace(db))
	if !dbForm().MatchString(db) {
		return nil, httpclient.Invalidf("%s is not the name of a database such as pubmed", ncbi.ShortQuote(db))
	}
	r := httpclient.NewCall(einfo, "db", db, "version", "2.0", "retmode", "xml")
	out, err := ask(ctx, c, r, parseInfo)
	if httpclient.IsKind(err, httpclient.Refused) {
		unknown := strings.Contains(err.Error(), "retrieve DbInfo") || strings.Contains(err.Error(), "Invalid db name")
		if unknown {
			return nil, r.NewError(httpclient.NotFound, "NCBI has no database "+ncbi.ShortQuote(db))
		}
	}
	if err != nil {
		return nil, err
	}
	out.URL = r.URL
	return out, nil
}

// databaseNames is an eInfoResult that lists the databases.
type databaseNames struct {
	XMLName struct{} `xml:"eInfoResult"`
	Names   []string `xml:"DbList>DbName"`
}

// Databases returns the names of NCBI's databases.
func (c *Client) Databases(ctx context.Context) ([]string, error) {
	r := httpclient.NewCall(einfo, "retmode", "xml")
	return ask(ctx, c, r, func(body []byte) ([]string, error) {
		var x databaseNames
		err := ncbi.DecodeXML(body, &x)
		if err == nil && len(x.Names) == 0 {
			err = errors.New("it has no DbName")
		}
		return x.Names, err
	})
}

// infoReply is an eInfoResult that describes one database.
type infoReply struct {
	XMLName struct{} `xml:"eInfoResult"`
	Info    *struct {
		DbName, MenuName, Description, DbBuild, Count, LastUpdate string
		Fields                                                    []struct {
			Name, FullName, Description, TermCount, IsDate, IsNumerical string
		} `xml:"FieldList>Field"`
		Links []struct{ Name, Menu, Description, DbTo string } `xml:"LinkList>Link"`
	} `xml:"DbInfo"`
}

// parseInfo parses eInfoResult (DTD eInfo_020511, with version 2.0's additions).
func parseInfo(body []byte) (*Database, error) {
	var x infoReply
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	if x.Info == nil {
		return nil, errors.New("it has no DbInfo")
	}
	count, err := strconv.Atoi(strings.TrimSpace(x.Info.Count))
	if err != nil {
		return nil, errors.New("its Count is not a number")
	}
	out := &Database{
		Name: x.Info.DbName, MenuName: x.Info.MenuName, Description: x.Info.Description, Build: x.Info.DbBuild,
		Count: count, LastUpdate: x.Info.LastUpdate, Fields: []Field{}, Links: []DatabaseLink{},
	}
	for _, f := range x.Info.Fields {
		terms, _ := strconv.Atoi(strings.TrimSpace(f.TermCount)) // empty for most fields
		out.Fields = append(out.Fields, Field{
			Name: f.Name, FullName: f.FullName, Description: f.Description, TermCount: terms,
			IsDate: f.IsDate == "Y", IsNumerical: f.IsNumerical == "Y",
		})
	}
	for _, l := range x.Info.Links {
		out.Links = append(out.Links, DatabaseLink{l.Name, l.Menu, l.Description, l.DbTo})
	}
	return out, nil
}
