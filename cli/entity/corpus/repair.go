package corpus

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/rag/intake"
	"biomcp/store"
)

func repairCommand() *command.Command {
	return &command.Command{
		Use: "repair", Synonyms: []string{"fix", "recover", "salvage"},
		Short: "Repair a damaged corpus, or save its readable part",
		Help: command.Help{
			Purpose: "Checks the whole corpus file and its journal. It repairs damaged rows in the file: it " +
				"rebuilds words and codes, and removes and names records that cannot be read. " +
				"If the damage is greater, it stores the readable part in a new file, which replaces the " +
				"damaged one; that is kept under another name.",
			Output: "The records repaired, saved and lost, with PMIDs if known. Without damage it changes nothing.",
			Surprises: "Watermarks are kept. Lost records are remembered until they are stored again: --refetch " +
				"fetches them from NCBI by PMID, even after an earlier repair. If records were lost, the next " +
				"import reads their files again, or all files if these are unknown. " +
				"Vectors of an embedding service are saved; those of the corpus's own model are made again " +
				"(sync embeddings). If stopped, the damaged corpus is still there.",
		},
		Effect: command.Stores, OwnProgress: true,
		Flags: func(f *command.Flags) {
			f.Bool("force", false, "rebuild the corpus even if no damage is found")
			f.Bool("refetch", false, "fetch the lost records from NCBI again")
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
	lost := "nothing"
	if r.Losses.Records > 0 {
		lost = english.Plural(int(r.Losses.Records), "record", "")
	}
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
	if report.Losses.Records > int64(len(report.Losses.PMIDs)) || report.Losses.Journal > 0 {
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
