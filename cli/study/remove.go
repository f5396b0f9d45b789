package study

import (
	"context"
	"fmt"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study/archive"
	"biomcp/store/study/example"
)

type removeAnswer struct {
	ID      string `json:"study_id"`
	Removed bool   `json:"removed"`
}

func remove() *command.Command {
	return &command.Command{
		Use: "remove <study-id> [--yes]", Synonyms: []string{"delete", "rm", "uninstall", "forget"},
		Short: "Remove a study from this machine", Effect: command.Stores,
		Help: command.Help{
			Surprises: "On a terminal it asks for confirmation; elsewhere it requires --yes. It removes all files " +
				"in the folder of the study, including those added by hand.",
		},
		Args:     command.Args{Min: 1, Max: 1, Name: "one study id", Completion: "study"},
		Flags:    func(f *command.Flags) { f.Bool("yes", false, "do not ask") },
		Examples: []command.Example{{Line: "biomcp study remove " + example.ID + " --yes", Explanation: "removes its folder"}},
		Run:      runRemove,
	}
}

func runRemove(_ context.Context, in *command.Input) (*result.Result, error) {
	retry := func(id string) result.Argv { return in.Line([]string{id}) }
	s, err := find(in, in.Args[0], result.Argv{"study", "list"}, retry)
	if err != nil {
		return nil, err
	}
	again := append(in.Line(in.Args, "--yes", ""), "--yes")
	prompt := fmt.Sprintf("Remove the study %s (%s)?", s.ID, s.Folder())
	if err := in.Confirm("removing a study", prompt, again...); err != nil {
		return nil, err
	}
	library, err := Library(in.App)
	if err != nil {
		return nil, err
	}
	w, err := archive.Begin(library.Dir, s.ID)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	r := &result.Result{
		Payload: removeAnswer{ID: s.ID, Removed: true}, Next: []result.Argv{{"study", "list"}},
		Notices: duplicateNotices(in, s.ID),
	}
	if err := w.Remove(s); err != nil {
		return nil, err
	}
	return r, nil
}

func (r removeAnswer) Doc() result.Doc {
	return result.Doc{result.Para{Text: "Removed the study " + r.ID + "."}}
}
