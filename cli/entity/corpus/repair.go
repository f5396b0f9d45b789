package corpus

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/rag/intake"
	"biomcp/store"
)

func repairCommand() *command.Command {
	return &command.Command{
		Use: "repair", Synonyms: []string{"fix", "recover", "salvage"},
		Short: "Repair a damaged corpus, or save its readable part",
		Help: command.Help{
			Purpose: "Checks the whole corpus file and its journal. Damaged rows are repaired in the file: words and " +
				"codes are built again, and records that cannot be read are removed and named.\n" +
				"If the damage is greater, the readable part goes into a new file, which replaces the damaged " +
				"one; that is kept under another name.",
			Output: "The records repaired, saved and lost, with PMIDs if known. Without damage it changes nothing.",
			Surprises: "Lost records are remembered until they are stored again: --refetch fetches them from NCBI by " +
				"PMID, even after an earlier repair, and the next import reads their files again.\n" +
				"Health reports losses until then, or until they are accepted with --accept.\n" +
				"Watermarks are kept, except of a query key that lost documents: its next sync fetches all.\n" +
				"Vectors of an embedding service are saved; those of the corpus's own model are made again " +
				"(sync embeddings).\n" +
				"If stopped, the damaged corpus is still there.",
		},
		Effect: command.Stores, OwnProgress: true,
		Flags: func(f *command.Flags) {
			f.Bool("force", false, "rebuild the corpus even if no damage is found")
			f.Bool("refetch", false, "fetch the lost records from NCBI again")
			f.Bool("accept", false, "accept the losses of repairs, so that health no longer reports them")
		},
		Examples: []command.Example{
			{Line: "biomcp sync repair", Explanation: "when health says that the corpus is damaged"},
			{Line: "biomcp sync repair --refetch", Explanation: "and fetch unreadable records from NCBI"},
		},
		Run: runRepair,
	}
}

// repairAnswer is the answer of sync repair.
type repairAnswer struct {
	Done bool `json:"repaired"` // rows were repaired in place, or the file was rebuilt
	store.RepairResult
	Refetched *intake.RefetchResult `json:"refetched,omitempty"` // nil unless requested
	Accepted  bool                  `json:"accepted,omitempty"`  // the losses were accepted
}

func (r repairAnswer) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Repair"}}
	if r.Refetched != nil {
		fetched := english.Plural(r.Refetched.Stored, "record", "") + " fetched again"
		if len(r.Refetched.Missing) > 0 {
			fetched += "; still lost: " + pmidsText(store.Losses{
				PMIDs: r.Refetched.Missing, Records: int64(len(r.Refetched.Missing)),
			})
		}
		doc = append(doc, result.Para{Text: fetched + "."})
	}
	if r.Accepted {
		doc = append(doc, result.Para{Text: "The losses were accepted: health no longer reports them."})
	}
	if !r.Done {
		return append(doc, result.Para{Text: fmt.Sprintf("No damage was found, and nothing was done (%s).",
			english.Plural(int(r.Saved.Documents), "document", ""))})
	}
	saved := []string{
		english.Plural(int(r.Saved.Documents), "document", ""),
		english.Plural(int(r.Saved.Deletions), "deletion", ""),
		english.Plural(int(r.Saved.Watermarks), "watermark", ""),
	}
	if r.Saved.Vectors > 0 {
		saved = append(saved, english.Plural(int(r.Saved.Vectors), "vector", ""))
	}
	lost := cmp.Or(lossesText(r.Losses), "nothing")
	fields := result.Fields{{Name: "Saved", Value: strings.Join(saved, ", ")}, {Name: "Lost", Value: lost}}
	if r.FixedFaults > 0 {
		fields[0].Name = "There are"
	}
	if len(r.Losses.PMIDs) > 0 {
		fields = append(fields, result.Field{Name: "PMIDs", Value: pmidsText(r.Losses)})
	}
	damage := english.Plural(int(r.Losses.Damaged), "fault", "")
	if r.Losses.Journal > 0 {
		damage += fmt.Sprintf(", and %s of the journal: the newest records may be missing or outdated",
			english.Plural(int(r.Losses.Journal), "page", ""))
	}
	if r.FixedFaults > 0 {
		return append(doc, append(fields, result.Field{Name: "Damaged", Value: damage + ", repaired in the file"}))
	}
	return append(doc, append(fields, result.Field{Name: "Damaged", Value: damage}, result.Field{
		Name: "Damaged file", Value: r.DamagedFile,
	}))
}

// lossesText lists the losses by kind. It returns "" if there are none.
func lossesText(l store.Losses) string {
	var list []string
	for _, kind := range []struct {
		n    int64
		noun string
	}{
		{l.Records, "record"}, {l.Commits, "last change"},
		{l.Audit, "manual watermark of the audit"}, {l.Jobs, "sync of the history"},
	} {
		if kind.n > 0 {
			words := strings.SplitN(kind.noun, " of ", 2)
			text := english.Plural(int(kind.n), words[0], "")
			list = append(list, strings.Join(append([]string{text}, words[1:]...), " of "))
		}
	}
	if len(l.QueryKeys) > 0 {
		list = append(list, "documents or watermarks of the "+english.PluralWord(len(l.QueryKeys), "query", "queries")+
			" "+strings.Join(l.QueryKeys, ", "))
	}
	return strings.Join(list, ", ")
}

// outstandingText lists the losses of repairs that remain, and the commands that settle each.
func outstandingText(o store.Outstanding) string {
	var list []string
	if n := len(o.PMIDs); n > 0 {
		list = append(list, english.Plural(n, "record", "")+" lost, fetch again with: biomcp sync repair --refetch")
	}
	if o.Records > 0 {
		list = append(list, english.Plural(int(o.Records), "record", "")+" with unknown PMIDs lost: sync or import again")
	}
	if o.Changes > 0 {
		list = append(list, english.Plural(int(o.Changes), "last change", "")+" lost: sync or import again")
	}
	for _, key := range slices.Sorted(maps.Keys(o.QueryKeys)) {
		again := words.Quote([]string{"biomcp", "sync", "pubmed", "--query-key", key})
		list = append(list, "documents of a query lost, sync it again with: "+again)
	}
	return strings.Join(list, "; ") + "; or accept the loss with: biomcp sync repair --accept"
}

// pmidsText lists the first lost PMIDs.
func pmidsText(l store.Losses) string {
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
	if store.IsKind(err, store.Corrupt) { // a second repair would not help
		return nil, &result.Failure{
			Code: result.Store, Message: err.Error(), Try: result.Argv{"sync", "pubmed", "--help"},
		}
	}
	if err != nil {
		return nil, noCorpus(err)
	}
	answer := repairAnswer{RepairResult: report, Done: report.DamagedFile != "" || report.FixedFaults > 0}
	if in.Bool("accept") {
		corpus, err := in.App.CorpusToWrite(ctx)
		if err == nil {
			err = corpus.AcceptLosses(ctx)
		}
		if err != nil {
			return nil, err
		}
		answer.Accepted = true
	}
	var left error
	if in.Bool("refetch") {
		answer.Refetched, left = refetch(ctx, in)
	}
	res := &result.Result{Payload: answer}
	if !answer.Done {
		return res, left
	}
	if len(report.Losses.PMIDs) > 0 && answer.Refetched == nil {
		res.Next = append(res.Next, result.Argv{"sync", "repair", "--refetch"})
	}
	if report.Saved == (store.SavedCounts{}) && len(report.Losses.PMIDs) == 0 {
		res.Notice("nothing could be read; the damaged file was kept, and a new corpus is empty: begin anew with " +
			"sync pubmed, or import files")
		res.Next = append(res.Next, result.Argv{"sync", "pubmed", "--help"})
	} else if report.Losses.Records > int64(len(report.Losses.PMIDs)) || report.Losses.Journal > 0 {
		res.Notice("records with unknown PMIDs were lost: to store them again, set watermarks back with sync " +
			"checkpoint, or import the files again")
	}
	res.Next = append(res.Next, result.Argv{"sync", "embeddings"}, result.Argv{"health"})
	return res, left
}

// refetch fetches the records that this repair or an earlier one lost.
func refetch(ctx context.Context, in *command.Input) (*intake.RefetchResult, error) {
	options, err := in.App.Intake(ctx)
	if err != nil {
		return nil, err
	}
	show, done := progress(in)
	defer done()
	options.Progress = show
	again, err := intake.Refetch(ctx, options, in.App.Entrez())
	return &again, err
}
