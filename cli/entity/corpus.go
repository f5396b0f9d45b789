package entity

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/rag"
	"biomcp/store"
)

// document is rag.get's answer: what the local corpus has of one record.
type document struct {
	DocID    string      `json:"doc_id"`
	Title    *string     `json:"title"`
	Abstract *string     `json:"abstract"`
	Journal  *string     `json:"journal"`
	PubTypes []string    `json:"pub_types"`
	PDat     *string     `json:"pdat"`
	EDAT     *string     `json:"edat"`
	LR       *string     `json:"lr"`
	PMCID    *string     `json:"pmcid"`
	Quality  rag.Quality `json:"quality"`
	Version  int         `json:"version"`

	doc *store.Document
}

func (document) Kind() string { return "document" }
func (document) SchemaBound() {}

func documentEntity() Entity {
	return Entity{Name: "document", Get: &command.Command{
		Use:   "document pmid:<number>",
		Short: "Read a document of the local corpus, with the quality of its evidence",
		Help: command.Help{
			About:  "No network is needed: it is what sync pubmed has stored.",
			Output: "The document; with --json exactly the fields of rag.get. Quality adds up design (0-3), recency (0-2), journal (0-2) and human (0-2); a retracted document has none.",
		},
		Examples: []command.Example{{Line: "biomcp get document pmid:32051057", Does: "a document from this disk"}},
		Effect:   command.Reads,
		Args:     command.Args{Min: 1, Max: 1, Name: "one id: pmid:<number>"},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			pmid, err := docID(in.Args[0])
			if err != nil {
				return nil, err
			}
			d, err := Document(ctx, in.App, pmid)
			if err != nil {
				return nil, err
			}
			return &result.Result{Payload: d, Next: []result.Argv{{"get", "article", strconv.FormatInt(pmid, 10)}}}, nil
		},
	}}
}

var docIDForm = regexp.MustCompile(`^(?:pmid:)?([1-9][0-9]{0,9})$`)

func docID(s string) (int64, error) {
	m := docIDForm.FindStringSubmatch(s)
	if m == nil {
		return 0, result.Invalid(fmt.Sprintf("%q is not a document id: pmid: and a number", command.Clip(s)), "get", "document", "--help")
	}
	return strconv.ParseInt(m[1], 10, 64)
}

// Document reads one document of the corpus.
func Document(ctx context.Context, app *command.App, pmid int64) (result.Payload, error) {
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, noCorpus(err)
	}
	d, err := corpus.Document(ctx, pmid)
	var missing *store.Error
	if errors.As(err, &missing) && missing.Kind == store.NotFound {
		return nil, result.Missing(fmt.Sprintf("the local corpus has no document pmid:%d", pmid), "get", "article", strconv.FormatInt(pmid, 10))
	}
	if err != nil {
		return nil, err
	}
	return document{
		DocID: fmt.Sprintf("pmid:%d", d.PMID), Title: some(d.Title), Abstract: some(d.Abstract), Journal: some(d.Journal.Title),
		PubTypes: d.PubTypes, PDat: some(d.PDat), EDAT: some(d.EDAT), LR: some(d.LR), PMCID: some(d.PMCID),
		Quality: rag.Assess(d, app.Now()), Version: d.Version, doc: d,
	}, nil
}

// noCorpus says how to get a corpus where there is none.
func noCorpus(err error) error {
	var missing *store.Error
	if errors.As(err, &missing) && missing.Kind == store.NotFound {
		return result.Missing("there is no local corpus yet", "sync", "pubmed", "--help")
	}
	return err
}

// Doc is the document as a card.
func (d document) Doc() result.Doc {
	s := d.doc
	doc := result.Doc{}
	if s.Retracted {
		text := "RETRACTED: this article has been retracted"
		for _, c := range s.Corrections {
			if c.Type == "RetractionIn" && c.Source != "" {
				text += ": " + strings.TrimSuffix(c.Source, ".")
			}
		}
		doc = append(doc, result.Alert{Text: text})
	}
	names := make([]string, 0, len(s.Authors))
	for _, a := range s.Authors {
		names = append(names, strings.TrimSpace(strings.Join([]string{a.LastName, a.Initials, a.Suffix, a.Collective}, " ")))
	}
	var mesh []string
	for _, h := range s.Mesh {
		mesh = append(mesh, h.Descriptor)
	}
	doc = append(doc, result.Heading{Level: 1, Text: s.Title}, result.Fields{
		{Name: "Authors", Value: etAl(names, 10)},
		{Name: "Journal", Value: strings.TrimPrefix(s.Journal.Title+". "+s.PDat, ". ")},
		{Name: "Type", Value: strings.Join(s.PubTypes, ", ")},
		{Name: "Document", Value: d.DocID},
		{Name: "DOI", Value: s.DOI},
		{Name: "PMCID", Value: s.PMCID},
		{Name: "Entered", Value: s.EDAT},
		{Name: "Revised", Value: s.LR},
		{Name: "Quality", Value: qualityText(d.Quality)},
		{Name: "Version", Value: strconv.Itoa(d.Version)},
	})
	doc = append(doc, result.Heading{Level: 2, Text: "Abstract"})
	if s.Abstract == "" {
		return append(doc, result.Para{Text: "None in PubMed."})
	}
	doc = append(doc, result.Para{Text: s.Abstract})
	if len(mesh) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Terms"}, result.Fields{{Name: "MeSH", Value: strings.Join(mesh, "; ")}, {Name: "Keywords", Value: strings.Join(s.Keywords, "; ")}})
	}
	return doc
}

func qualityText(q rag.Quality) string {
	part := func(n *int) string {
		if n == nil {
			return "-"
		}
		return strconv.Itoa(*n)
	}
	return fmt.Sprintf("%d (design %s, recency %s, journal %s, human %s)", q.Total, part(q.Design), part(q.Recency), part(q.Journal), part(q.Human))
}

// checkpoint is corpus.checkpoint.get's answer.
type checkpoint struct {
	QueryKey string  `json:"query_key"`
	LastEDAT *string `json:"last_edat"`
}

func (checkpoint) Kind() string { return "checkpoint" }
func (checkpoint) SchemaBound() {}

func (c checkpoint) Doc() result.Doc {
	at := "never synced"
	if c.LastEDAT != nil {
		at = *c.LastEDAT
	}
	return result.Doc{result.Fields{{Name: "Query key", Value: c.QueryKey}, {Name: "Watermark", Value: at}}}
}

func checkpointEntity() Entity {
	return Entity{Name: "checkpoint", Get: &command.Command{
		Use:      "checkpoint <query-key>",
		Short:    "Say how far a query of the local corpus has been synced",
		Help:     command.Help{Output: "The watermark, an entry date of PubMed (EDAT). A key that was never synced has none, and that is an answer."},
		Examples: []command.Example{{Line: "biomcp get checkpoint glp1", Does: "the watermark of a query"}},
		Effect:   command.Reads,
		Args:     command.Args{Min: 1, Max: 1, Name: "one query key"},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			key := strings.TrimSpace(in.Args[0])
			if err := checkTerm(key, "get", "checkpoint", "--help"); err != nil {
				return nil, err
			}
			c := checkpoint{QueryKey: key}
			corpus, err := in.App.Corpus(ctx)
			var missing *store.Error
			switch {
			case errors.As(err, &missing) && missing.Kind == store.NotFound: // nothing was ever synced
			case err != nil:
				return nil, err
			default:
				at, ok, err := corpus.Checkpoint(ctx, key)
				if err != nil {
					return nil, err
				}
				if ok {
					c.LastEDAT = &at
				}
			}
			return &result.Result{Payload: c}, nil
		},
	}}
}
