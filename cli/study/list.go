package study

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/example"
)

type studies struct {
	Studies []info `json:"studies"`
}

type info struct {
	ID        string   `json:"study_id"`
	Name      string   `json:"name"`
	Cancer    string   `json:"cancer_type"`
	Citation  string   `json:"citation"`
	Samples   *int     `json:"sample_count"`
	Available []string `json:"available_data"`
}

func list() *command.Command {
	return &command.Command{
		Use: "list", Synonyms: []string{"ls", "studies", "all", "local"}, Short: "List the local studies",
		Effect:   command.Reads,
		Examples: []command.Example{{Line: "biomcp study list", Explanation: "the studies on this machine"}},
		Run:      runList,
	}
}

func runList(_ context.Context, in *command.Input) (*result.Result, error) {
	local, err := Local(in.App)
	if err != nil {
		return nil, err
	}
	answer := studies{}
	r := &result.Result{}
	for _, s := range local {
		one := info{ID: s.ID, Name: s.Name, Cancer: s.CancerType, Citation: s.Citation, Available: s.Available()}
		if samples, err := s.Samples(); err != nil {
			r.Notice(s.ID + ": the samples cannot be read: " + err.Error())
		} else {
			one.Samples = new(len(samples.IDs))
		}
		for _, problem := range s.Problems {
			r.Notice(s.ID + ": " + problem.Error())
		}
		answer.Studies = append(answer.Studies, one)
	}
	for _, double := range study.DuplicateIDs(local) {
		r.Notice(double)
	}
	if len(local) == 0 {
		r.Notice(in.OwnerNotice("a synthetic study is included and needs no network: " +
			result.Argv{"study", "download", example.ID}.String()))
		r.Next = []result.Argv{{"study", "download", "--list"}}
	} else {
		r.Next = []result.Argv{
			{"study", "summary", "--study", local[0].ID}, {"study", "top-mutated", "--study", local[0].ID},
		}
	}
	r.Payload = answer
	return r, nil
}

func (a studies) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Study Datasets"}}
	if len(a.Studies) == 0 {
		return append(doc, result.Para{Text: "No local studies found."})
	}
	rows := result.Map(a.Studies, func(s info) []string {
		return []string{s.ID, s.Name, s.Cancer, entity.FormatNumber(s.Samples), strings.Join(s.Available, ", ")}
	})
	columns := result.Columns("Study ID", "Name", "Cancer Type", ">Samples", "Available Data")
	return append(doc, result.Table{Columns: columns, Main: true, Rows: rows})
}
