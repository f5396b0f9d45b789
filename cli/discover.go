package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	cite "biomcp/entrez/cite/refparse"
	"biomcp/entrez/httpclient"
)

// discoverTimeout is the deadline for all sources of discover, which are queried in parallel.
const discoverTimeout = 20 * time.Second

func discover() *command.Command {
	return &command.Command{
		Use: "discover <phrase>", Synonyms: []string{"identify", "resolve", "define", "whatis"}, Purpose: command.Find,
		Short: "Say what a phrase is: gene, disease, drug, variant",
		Help: command.Help{
			Purpose: "Says what a phrase names. Local tables answer for genes, diseases, drugs and features (sync " +
				"hgnc, mesh, cpic, hpo), without a network. For all else, or with --live, it asks PubTator3, NCBI " +
				"Gene, MedGen, MeSH and RxNorm at the same time.",
			Input: "A name. For a question, use suggest.",
			Output: "Each concept with its id, how the phrase matched, which sources know it, and follow-up " +
				"commands.",
			Surprises: "A source that did not answer is marked; its result is unknown, not empty.",
		},
		Effect: command.Reads, Args: command.Args{Min: 1, Max: 1, Name: "a phrase", FreeText: true},
		Examples: []command.Example{
			{Line: `biomcp discover "Marfan syndrome"`, Explanation: "its ids, and commands to continue with"},
		},
		Flags: func(f *command.Flags) {
			f.Bool("live", false, "ask the sources even if local tables know the phrase")
			f.Rare("live")
		},
		Run: runDiscover,
	}
}

// concept is one possible meaning of a phrase.
type concept struct {
	Label    string   `json:"label"`
	Type     string   `json:"type"` // gene, disease, drug, variant, or the source's own type
	ID       string   `json:"id"`   // NCBIGene:673, MedGen:C0024796, MESH:D008382, LitVar's rs…
	Match    string   `json:"match"`
	Sources  []string `json:"sources"`
	Commands []string `json:"commands"`

	word  string   // the term of search all, "" in discover
	exact bool     // the phrase is its name or a synonym
	keys  []string // identifiers shared with the same concept in other sources
	lines []result.Argv
}

// discoverReport is the answer of `discover`. Found is the number of concepts per source; null
// means that the source did not answer.
type discoverReport struct {
	Query     string          `json:"query"`
	Concepts  []concept       `json:"concepts"`
	Ambiguous bool            `json:"ambiguous"`
	Found     map[string]*int `json:"found"`

	owner string // the entity whose ID format the phrase matches
	local bool   // local tables answered, and no source was asked
}

// isQuestion reports whether text asks something rather than being a name.
func isQuestion(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	asks := []string{"what", "which", "who", "how", "why", "when", "where", "is", "are", "does", "do", "can", "find",
		"show", "list"}
	return strings.HasSuffix(text, "?") || len(words) > 2 && slices.Contains(asks, words[0])
}

func runDiscover(ctx context.Context, in *command.Input) (*result.Result, error) {
	phrase := strings.Join(strings.Fields(in.Args[0]), " ")
	if err := query.CheckTerm(phrase, "discover", "--help"); err != nil {
		return nil, err
	}
	d := &discoverReport{Query: phrase, Found: map[string]*int{}}
	if isQuestion(phrase) {
		res := &result.Result{Payload: d, Next: []result.Argv{{"suggest", phrase}}}
		res.Notice("this is a question: suggest names the commands for it; discover takes a name")
		return res, nil
	}
	names := namesInTables(ctx, in, phrase)
	if names.answers && !in.Bool("live") {
		return names.report(in, d, "no other source was asked; --live asks them"), nil
	}
	return d.ask(ctx, in, &names)
}

// ask asks the sources about the phrase. If none answers, the names in local tables are the answer.
func (d *discoverReport) ask(ctx context.Context, in *command.Input, names *tableNames) (*result.Result, error) {
	network, phrase := in.App.Network(), d.Query
	found, parts := make([][]concept, len(vocabularies)), make([]part, len(vocabularies))
	err := httpclient.FetchAll(ctx, discoverTimeout, len(vocabularies), func(ctx context.Context, i int) {
		v := vocabularies[i]
		parts[i].name, parts[i].source = v.label, result.SectionSource{Key: v.key, Label: v.label,
			Sources: []string{v.label}}
		var err error
		if found[i], err = v.find(ctx, network, phrase); err != nil {
			parts[i].failure = failureOf(ctx, err)
		}
		parts[i].source.Outcome = entity.DataOrEmpty(len(found[i]))
	})
	if err != nil {
		return nil, err
	}
	res := &result.Result{Payload: d}
	if err := joinParts(res, parts); err != nil && len(names.concepts) > 0 {
		return names.report(in, d, "no other source answered: "+failureOf(ctx, err).Message), nil
	} else if err != nil {
		return nil, err
	}
	for i, v := range vocabularies {
		d.Found[v.key] = nil
		if parts[i].failure == nil {
			d.Found[v.key] = new(len(found[i]))
		}
		for _, c := range found[i] {
			c.Sources = []string{v.label}
			d.add(c)
		}
	}
	d.finish(in, res)
	res.SingleHit = d.onlyRecord()
	if reason, try := eutils.Explain("", phrase); reason != "" && !d.hasExact() {
		res.Notice(reason)
		res.Next = append([]result.Argv{try}, res.Next...)
	}
	owner := in.Tree().Owner(phrase)
	if first := advice.NumericIDEntity(in.Tree(), phrase); owner == "" && first != "" && len(d.Concepts) == 0 {
		owner = first
	}
	if owner != "" {
		d.owner = owner
		res.Notice(phrase + " has the form of an id of " + command.WithArticle(owner) + ", which get reads")
		res.Next = append([]result.Argv{getLine(owner, []string{phrase}, nil)}, res.Next...)
	}
	return res, nil
}

// hasExact reports whether the phrase is the name of a concept.
func (d *discoverReport) hasExact() bool {
	return slices.ContainsFunc(d.Concepts, func(c concept) bool { return c.exact })
}

// isComplete reports whether every source answered that was asked.
func (d *discoverReport) isComplete() bool {
	if d.local {
		return true
	}
	for _, v := range vocabularies {
		if d.Found[v.key] == nil {
			return false
		}
	}
	return true
}

// onlyRecord returns the command that reads the only record whose name the phrase is. It returns nil
// if there are several, or if a source that may know another did not answer.
func (d *discoverReport) onlyRecord() (line result.Argv) {
	for _, c := range d.Concepts {
		if !c.exact || len(c.lines) == 0 || c.lines[0][0] != "get" {
			continue
		}
		if line != nil {
			return nil
		}
		line = c.lines[0]
	}
	if !d.isComplete() {
		return nil
	}
	return line
}

// add merges c into the same concept from another source, or appends it if there is none.
func (d *discoverReport) add(c concept) {
	for i := range d.Concepts {
		existing := &d.Concepts[i]
		if !slices.ContainsFunc(c.keys, func(k string) bool { return slices.Contains(existing.keys, k) }) {
			continue
		}
		existing.keys = append(existing.keys, c.keys...)
		if !slices.Contains(existing.Sources, c.Sources[0]) {
			existing.Sources = append(existing.Sources, c.Sources...)
		}
		if c.exact && !existing.exact {
			existing.exact, existing.Match = true, c.Match
		}
		return
	}
	d.Concepts = append(d.Concepts, c)
}

// finish sorts exact matches first and adds the follow-up commands.
func (d *discoverReport) finish(in *command.Input, res *result.Result) {
	slices.SortStableFunc(d.Concepts, func(a, b concept) int {
		if a.exact == b.exact {
			return 0
		} else if a.exact {
			return -1
		}
		return 1
	})
	exact := 0
	for i := range d.Concepts {
		c := &d.Concepts[i]
		if c.exact {
			exact++
		}
		for _, line := range mayRun(in, c.lines) {
			c.Commands = append(c.Commands, line.String())
			if i == 0 || c.exact && len(res.Next) < 5 {
				res.Next = append(res.Next, line)
			}
		}
	}
	d.Ambiguous = exact > 1
	if len(d.Concepts) == 0 {
		res.Next = append(res.Next, result.Argv{"suggest", d.Query}, result.Argv{"search", "article", d.Query})
		if cite.IsReference(d.Query) {
			res.Next = []result.Argv{{"search", "citation", d.Query}}
		}
	}
}

func (d *discoverReport) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: d.Query}}
	if len(d.Concepts) == 0 {
		if d.owner != "" {
			return append(doc, result.Para{Text: "This is not the name of a concept, but may be an id of " +
				command.WithArticle(d.owner) + "."})
		}
		return append(doc, result.Para{Text: "No concept has this name."})
	}
	if d.Ambiguous {
		doc = append(doc, result.Para{Text: "Several concepts have this name."})
	}
	return append(doc, conceptTable(d.Concepts))
}

func conceptTable(concepts []concept) result.Table {
	return result.Table{
		Columns: result.Columns("Type", "Concept", "Id", "Matched", "Known to"), Main: true,
		Rows: result.Map(concepts, func(c concept) []string {
			return []string{c.Type, c.Label, c.ID, c.Match, strings.Join(c.Sources, ", ")}
		}),
	}
}
