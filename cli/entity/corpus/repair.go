package corpus

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag/intake"
	"biomcp/store"
)

func repairCommand() *command.Command {
	return &command.Command{
		Use: "repair", Also: []string{"fix", "recover", "salvage"}, Short: "Save what can be read of a damaged corpus into a new file",
		Help: command.Help{
			About: "The whole corpus file and its journal are checked. If there is damage, what can be read is stored in a new file, " +
				"which takes the place of the damaged one; that is kept under another name.",
			Output: "What was saved and what was lost, with PMIDs where they are known. Without damage nothing is done.",
			Surprises: "Watermarks are kept: sync what was lost by its PMIDs, or set the watermark back (sync checkpoint). Where records were lost, the next import reads all files again. " +
				"Vectors of an embedding service are saved; those of the corpus's own model are made again (sync embeddings). If stopped, the damaged corpus is still there.",
		},
		Effect: command.Stores, OwnProgress: true,
		Flags: func(f *command.Flags) {
			f.Bool("force", false, "rebuild the corpus, though no damage is found")
		},
		Examples: []command.Example{{Line: "biomcp sync repair", Does: "when health says that the corpus is damaged"}},
		Run:      runRepair,
	}
}

// repaired is the answer of sync repair.
type repaired struct{ store.Repaired }

func (repaired) Kind() string { return "sync.repair" }

func (r repaired) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Repair"}}
	if r.Kept == "" {
		return append(doc, result.Para{Text: fmt.Sprintf("No damage was found, and nothing was done (%s).", english.Plural(int(r.Saved.Documents), "document", ""))})
	}
	saved := []string{english.Plural(int(r.Saved.Documents), "document", ""), english.Plural(int(r.Saved.Deletions), "deletion", ""), english.Plural(int(r.Saved.Watermarks), "watermark", "")}
	if r.Saved.Vectors > 0 {
		saved = append(saved, english.Plural(int(r.Saved.Vectors), "vector", ""))
	}
	lost := "nothing"
	if r.Lost.Records > 0 {
		lost = english.Plural(int(r.Lost.Records), "record", "")
	}
	fields := result.Fields{{Name: "Saved", Value: strings.Join(saved, ", ")}, {Name: "Lost", Value: lost}}
	if len(r.Lost.PMIDs) > 0 {
		fields = append(fields, result.Field{Name: "PMIDs", Value: pmidsText(r.Lost)})
	}
	damage := english.Plural(int(r.Lost.Damaged), "fault", "")
	if r.Lost.Journal > 0 {
		damage += fmt.Sprintf(", and %s of the journal: what was stored last may be missing or older", english.Plural(int(r.Lost.Journal), "page", ""))
	}
	return append(doc, append(fields, result.Field{Name: "Damaged", Value: damage}, result.Field{Name: "Damaged file", Value: r.Kept}))
}

// pmidsText is the first PMIDs of what was lost.
func pmidsText(l store.Lost) string {
	const shown = 20
	var list []string
	for _, p := range l.PMIDs[:min(len(l.PMIDs), shown)] {
		list = append(list, p.String())
	}
	if more := l.Records - int64(len(list)); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

func runRepair(ctx context.Context, in *command.Input) (*result.Result, error) {
	dir, err := in.App.CorpusDir()
	if err != nil {
		return nil, err
	}
	show, done := progress(in)
	report, err := intake.Repair(ctx, dir, in.App.Now, in.Bool("force"), show)
	done()
	if store.IsKind(err, store.Corrupt) { // another repair would not help
		return nil, &result.Failure{Code: result.Store, Message: err.Error(), Try: result.Argv{"sync", "pubmed", "--help"}}
	}
	if err != nil {
		return nil, noCorpus(err)
	}
	res := &result.Result{Payload: repaired{report}}
	if report.Kept == "" {
		return res, nil
	}
	if lost := report.Lost.PMIDs; len(lost) > 0 && len(lost) <= 200 {
		res.Next = append(res.Next, result.Argv{"sync", "pubmed", "--query-key", "lost", "--term", uidTerm(lost)})
	}
	if report.Lost.Records > int64(len(report.Lost.PMIDs)) || report.Lost.Journal > 0 {
		res.Notice("records were lost whose PMIDs are not known: set watermarks back with sync checkpoint, or import the files again, to store them again")
	}
	res.Next = append(res.Next, result.Argv{"sync", "embeddings"}, result.Argv{"health"})
	return res, nil
}

// uidTerm is the query for records by PMID.
func uidTerm(pmids []record.PMID) string {
	terms := make([]string, len(pmids))
	for i, p := range pmids {
		terms[i] = p.String() + "[uid]"
	}
	return strings.Join(terms, " OR ")
}
