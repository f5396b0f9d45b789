package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/pgx"
	"biomcp/cli/entity/vaccine"
	"biomcp/cli/result"
	cohorts "biomcp/cli/study"
	"biomcp/entrez/bulk"
	"biomcp/entrez/gene"
	"biomcp/skills"
	"biomcp/store"
	"biomcp/store/study/example"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// maxQuestion is the maximum length of a question in bytes.
const maxQuestion = 1000

func suggest() *command.Command {
	return &command.Command{
		Use: "suggest <question>", Purpose: command.Find,
		Synonyms: []string{"ask", "recommend", "howto"},
		Short:    "Name the worked example and commands for a question",
		Help: command.Help{
			Purpose: "Compares a question with many phrasings of questions that the commands answer, on this " +
				"machine: no network, no language model.",
			Input: "A question in English, as you would ask a colleague.",
			Output: "The worked example, its subject, and two commands with the question's own words; words that " +
				"they leave out are named. If the match is uncertain, the answer says so and names the two " +
				"nearest examples.",
			Surprises: "The commands are a start and do not answer the question. If the question does not name a " +
				"value that they need, such as a PMID, they have the value of the worked example, and a notice says " +
				"so.",
		},
		LocalOnly: true,
		Effect:    command.Reads,
		Args:      command.Args{Min: 1, Max: -1, Name: "a question", FreeText: true},
		Examples: []command.Example{
			{Line: `biomcp suggest "Who cites PMID 32051057?"`, Explanation: "how to follow citations, from this article"},
		},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			question := strings.TrimSpace(in.Args[0])
			switch {
			case question == "":
				return nil, result.Invalid("the question is empty", "suggest", "--help")
			case len(question) > maxQuestion:
				message := fmt.Sprintf("the question has %d bytes; at most %d are read: ask it in a sentence",
					len(question), maxQuestion)
				return nil, result.Invalid(message, "skill", "list")
			}
			r, err := suggestion(ctx, in, question)
			usesExample := func(line result.Argv) bool { return slices.Contains(line, example.ID) }
			if err == nil && slices.ContainsFunc(r.Next, usesExample) {
				r.Notice(example.SyntheticNotice(example.ID))
			}
			return r, err
		},
	}
}

// suggestReport is the answer of `suggest`. If no example matches, every member but the question is
// null or empty.
type suggestReport struct {
	Question string   `json:"question"`
	Skill    *string  `json:"matched_skill"`
	Summary  *string  `json:"summary"`
	First    []string `json:"first_commands"` // always two, unless empty
	Full     *string  `json:"full_skill"`     // the command that prints the worked example

	title      string
	doubtful   bool // the question may mean something else
	losesWords bool // an uncertain search for articles leaves out words of the question
	losesAny   bool // the first command leaves out words of the question
}

// answers reports whether the first command may run as the answer to words of a kind. Its answer to a question names
// the words that it leaves out. A phrase is searched for if it would lose words, and a request must be certain.
func (s suggestReport) answers(kind correct.Kind) bool {
	switch kind {
	case correct.Question:
		return true
	case correct.Request:
		return !s.doubtful && !s.losesAny
	}
	return !s.losesWords
}

// suggestion answers a question with the nearest worked example and its two commands.
func suggestion(ctx context.Context, in *command.Input, question string) (*result.Result, error) {
	app := in.App
	env, err := localEnvironment(ctx, app)
	if err != nil {
		return nil, err
	}
	matches, sure := skills.Route(question, env)
	m, other := matches[0], matches[1]
	if !sure {
		return noMatch(in, env, question, m, other), nil
	}
	keepPermitted(in, &m)
	syncedNotice := useSyncedQuery(ctx, app, &m)
	full := result.Argv{"skill", m.Slug}
	command := full.String()
	r := &result.Result{
		Payload: suggestReport{
			Question: question, Skill: &m.Slug, Summary: &m.Summary, Full: &command,
			First: []string{result.Argv(m.Commands[0]).String(), result.Argv(m.Commands[1]).String()},
			title: m.Title, doubtful: m.Unsure, losesAny: len(m.UnusedWords) > 0,
			losesWords: m.Unsure && len(m.UnusedWords) > 0 && slices.Equal(m.Commands[0][:2], []string{"search", "article"}),
		},
		Next: []result.Argv{m.Commands[0], m.Commands[1], full},
	}
	r.Notice(syncedNotice)
	noteReading(in, &m, r, syncedNotice != "")
	missing := noteMissingData(ctx, in, env, m.Commands[0], r)
	namesSubject := len(m.Commands[0]) > 2 && !strings.HasPrefix(m.Commands[0][2], "-")
	if len(m.DefaultKinds) == 0 && !missing && (namesSubject || !m.Unsure) {
		r.SingleHit = m.Commands[0]
	}
	return r, nil
}

// noMatch returns the answer for a question whose two nearest worked examples are about equally near.
func noMatch(in *command.Input, env skills.Environment, question string, first, second skills.Match) *result.Result {
	r := &result.Result{
		Payload: suggestReport{Question: question},
		Next: []result.Argv{uncertainCommand(in, env, first.Commands[0]),
			uncertainCommand(in, env, second.Commands[0]), {"skill", "list"}},
	}
	r.Notice(fmt.Sprintf("no match: it is unclear what this question asks; the nearest worked examples are %s "+
		"and %s, or choose one from the list", first.Slug, second.Slug))
	return r
}

// keepPermitted replaces the commands of a match with the forms that the caller may run.
func keepPermitted(in *command.Input, m *skills.Match) {
	if lines := mayRun(in, []result.Argv{m.Commands[0]}); len(lines) > 0 {
		m.Commands[0] = lines[0]
	} else if m.Alternative != nil { // the caller may run only the other reading
		m.Commands[0], m.Alternative = m.Alternative, nil
	}
	if lines := mayRun(in, []result.Argv{m.Commands[1]}); len(lines) > 0 {
		m.Commands[1] = lines[0]
	}
}

// noteReading adds notices about how the question was read: other readings, default values and unused
// words. Unless a notice already says whether the articles are on this machine, it says how to sync them.
func noteReading(in *command.Input, m *skills.Match, r *result.Result, noted bool) {
	if m.Unsure {
		doubt := "this is not certain"
		if m.Alternative != nil && len(mayRun(in, []result.Argv{m.Alternative})) > 0 {
			doubt += ": the question may also ask for " + result.Argv(m.Alternative).String()
			r.Next = append(r.Next, m.Alternative)
		}
		r.Notice(doubt)
	}
	searchesArticles := len(m.Commands[0]) > 1 && m.Commands[0][1] == "article"
	readsCheckpoint := m.Commands[1][0] == "get" && m.Commands[1][1] == "checkpoint"
	if !noted && searchesArticles && readsCheckpoint && len(m.DefaultKinds) == 0 {
		r.Notice(in.OwnerNotice("to keep these articles on this machine, run at a terminal: " +
			result.Argv{"sync", "pubmed", "--query-key", m.Commands[1][2], "--term", m.Commands[0][2]}.String()))
	}
	if len(m.DefaultKinds) > 0 {
		r.Notice(fmt.Sprintf("the question does not name everything that these commands need (%s): the missing "+
			"values are from the worked example, so replace them with your own", strings.Join(m.DefaultKinds, ", ")))
	}
	if len(m.UnusedWords) > 0 {
		r.Notice("words of the question that the first command leaves out: " + strings.Join(m.UnusedWords, ", "))
	}
}

// noteMissingData adds a notice if a study or all tables that a command reads are not on this machine, and
// reports whether it did.
func noteMissingData(
	ctx context.Context, in *command.Input, env skills.Environment, line []string, r *result.Result,
) (missing bool) {
	if at := slices.Index(line, "--study"); at >= 0 {
		id := line[at+1]
		if !slices.ContainsFunc(env.Studies, func(s skills.Study) bool { return s.ID == id }) {
			missing = true
			r.Notice(fmt.Sprintf("the study %s is not on this machine: biomcp study list names those that are", id))
		}
	}
	if sync := syncCommands(ctx, in.App, line); len(sync) > 0 {
		missing = true
		r.Notice(in.OwnerNotice("the first command answers from local tables, and none of them is on this machine; " +
			"first run at a terminal: " + strings.Join(sync, ", ")))
	}
	return missing
}

// uncertainCommand returns the first command of an uncertain match. If that would read a record
// by a name that may not exist, it returns `discover` with the name instead.
func uncertainCommand(in *command.Input, env skills.Environment, first result.Argv) result.Argv {
	if first[0] != "get" {
		return first
	}
	id := first[min(2, len(first)-1)]
	isID := in.Tree().Owner(id) != "" || advice.NumericIDEntity(in.Tree(), id) != ""
	isGene := first[1] == "gene" && env.IsGene(id)
	if isID || isGene {
		return first
	}
	return result.Argv{"discover", id}
}

// useSyncedQuery changes a match for a question about news: if the topic is the name of a synced
// query, the first command searches the corpus and the second one PubMed. It returns a notice
// that says which is searched, or "" for any other question.
func useSyncedQuery(ctx context.Context, app *command.App, m *skills.Match) (notice string) {
	live := m.Commands[0]
	last := slices.Index(live, "--last")
	hasPeriod := last >= 0 && last+1 < len(live) && slices.Contains(live, "edat")
	if len(m.DefaultKinds) > 0 || !hasPeriod || strings.HasPrefix(live[2], "-") {
		return ""
	}
	topic := live[2]
	var keys []store.QueryKey // empty if the corpus cannot be read; PubMed still can
	kept, err := app.Corpus(ctx)
	if err == nil {
		keys, err = kept.QueryKeys(ctx)
	}
	i := slices.IndexFunc(keys, func(k store.QueryKey) bool {
		return normalizeName(k.Key) == normalizeName(topic) || normalizeName(k.Term) == normalizeName(topic)
	})
	switch {
	case err != nil && !store.IsKind(err, store.NotFound):
		return fmt.Sprintf("whether a query named %s is kept on this machine is unknown, so this asks PubMed: %s",
			command.Clip(topic), failureOf(ctx, err).Message)
	case i < 0:
		return fmt.Sprintf("no query named %s is kept on this machine, so this asks PubMed for the articles that it "+
			"added in that time", command.Clip(topic))
	}
	m.Commands = [2][]string{{"search", "corpus", topic, "--query-key", keys[i].Key, "--added-since", live[last+1]},
		live}
	return fmt.Sprintf("the query %s is kept on this machine, as of %s; the second command asks PubMed itself",
		keys[i].Key, cmp.Or(keys[i].Finished, "an unfinished sync"))
}

// syncCommands returns the commands that download the local tables which a search reads. It returns
// nil if at least one of the tables exists; the search itself then reports the missing ones.
func syncCommands(ctx context.Context, app *command.App, line []string) (sync []string) {
	var needed []*bulk.Set
	if slices.Contains(line, "vaccine") {
		needed = vaccine.Tables()
	}
	if slices.Contains(line, "--"+pgx.Flag) {
		needed = []*bulk.Set{bulk.CPIC}
	}
	if at := slices.Index(line, "--source"); at >= 0 {
		needed = slices.DeleteFunc(bulk.Sets(), func(s *bulk.Set) bool { return s.Name != line[at+1] })
	}
	for _, s := range needed {
		if _, err := local.Find(ctx, app, s, table.Query{Limit: 1}); !table.IsAbsent(err) {
			return nil
		}
		sync = append(sync, local.SyncCommand(s.Name).String())
	}
	return sync
}

// normalizeName returns the letters and digits of a name in lower case.
func normalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// localEnvironment returns the studies on this machine and a test for gene symbols, which Route needs
// to interpret a question.
func localEnvironment(ctx context.Context, app *command.App) (env skills.Environment, err error) {
	env.Now = app.Now()
	local, err := cohorts.Local(app)
	for _, s := range local {
		env.Studies = append(env.Studies, skills.Study{ID: s.ID, Name: s.Name, Cancer: s.CancerType})
	}
	env.IsGene = func(symbol string) bool { return gene.IsNickname(symbol) || isSymbol(ctx, app, symbol) }
	return env, err
}

// isSymbol reports whether a word in capitals is the name of a human gene. If the HGNC table
// cannot be read, it returns true.
func isSymbol(ctx context.Context, app *command.App, word string) bool {
	for _, field := range []string{sets.Symbol, sets.PreviousSymbol, sets.AliasSymbol} {
		if found, err := local.FindByField(ctx, app, bulk.HGNC, field, []string{word}); err != nil || len(found) > 0 {
			return true
		}
	}
	return false
}

func (s suggestReport) Doc() result.Doc {
	if s.Skill == nil {
		return result.Doc{result.Heading{Level: 1, Text: "No match"},
			result.Fields{{Name: "Question", Value: s.Question}}}
	}
	return result.Doc{
		result.Heading{Level: 1, Text: s.title},
		result.Para{Text: *s.Summary},
		result.Fields{{Name: "Question", Value: s.Question}, {Name: "Worked example", Value: *s.Skill}},
	}
}
