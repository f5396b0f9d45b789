package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/httpclient"
	"biomcp/store/study"
	"biomcp/store/study/archive"
	"biomcp/store/study/example"
)

type downloadAnswer struct {
	ID         string          `json:"study_id"`
	Path       string          `json:"path"`
	Downloaded bool            `json:"downloaded"` // false if it was already present
	Origin     *archive.Origin `json:"origin"`     // null for a study that this command did not install
	Panels     []string        `json:"panels"`     // gene panels downloaded with it
	Missing    []string        `json:"missing_panels"`

	licence, citation string
}

type catalogue struct {
	IDs []string `json:"study_ids"`
}

func download() *command.Command {
	return &command.Command{
		Use: "download <study-id>|--list", Synonyms: []string{"install", "pull", "add", "import", "load", "open"},
		Short: "Download a study from cBioPortal's datahub", Effect: command.Stores, ReadOnlySwitch: "list",
		Help: command.Help{
			Purpose: "Downloads the archive of a study, checks it and unpacks it into the study folder " +
				"(BIOMCP_STUDY_DIR). Then it downloads the gene panels that the study names from cBioPortal. " +
				example.ID + " is a small synthetic study included in the program: " +
				"it needs no network, and every study command can be tried on it.",
			Output: "The folder of the study, its licence and its citation. They are saved in that folder, " +
				"with the address and the SHA-256 of the archive.",
			Surprises: "A study is installed completely or not at all. " +
				"Running the command again resumes an interrupted download. " +
				"A study that is already present is not changed, except that missing panels are added; " +
				"to download it again, remove it first.",
		},
		Args:  command.Args{Max: 1, Name: "one study id", Synonyms: "study study-id"},
		Flags: func(f *command.Flags) { f.Bool("list", false, "list the studies that can be downloaded") },
		Examples: []command.Example{
			{Line: "biomcp study download --list", Explanation: "the studies of the datahub"},
			{Line: "biomcp study download " + example.ID, Explanation: "the synthetic study, to try the others on"},
			{Line: "biomcp study download msk_impact_2017", Explanation: "a study of 10,945 samples"},
		},
		Run: runDownload,
	}
}

func runDownload(ctx context.Context, in *command.Input) (*result.Result, error) {
	switch {
	case in.Bool("list") && len(in.Args) > 0:
		return nil, result.Invalid("study download takes either a study id or --list", "study", "download", "--list")
	case in.Bool("list"):
		return runCatalogue(ctx, in)
	case len(in.Args) == 0 || strings.TrimSpace(in.Args[0]) == "":
		return nil, result.Invalid("study download requires the id of a study, or --list",
			"study", "download", "--list")
	}
	id := strings.TrimSpace(in.Args[0])
	if strings.EqualFold(id, example.ID) {
		id = example.ID
	}
	if !cbioportal.IsID(id) {
		return nil, badID(in, id, "study", "download", "--list")
	}
	library, err := Library(in.App)
	if err != nil {
		return nil, err
	}
	s, err := library.Study(id)
	if err == nil || !study.IsKind(err, study.NotFound) {
		return finishDownload(ctx, in, library, s, false, err)
	}
	w, err := archive.Begin(library.Dir, id)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if s, err = library.Study(id); err == nil { // another process has just installed it
		return finishDownload(ctx, in, library, s, false, nil)
	}
	if id == example.ID {
		err = copyExample(in, w)
	} else {
		err = fetch(ctx, in, w, id)
	}
	if err != nil {
		return nil, err
	}
	s, err = library.Study(id)
	return finishDownload(ctx, in, library, s, true, err)
}

// finishDownload downloads the panels that a study lacks and returns the answer. A failed panel
// download is an error only if the study itself was already present or the context is done;
// otherwise it is a notice.
func finishDownload(
	ctx context.Context, in *command.Input, library study.Library, s *study.Study, fresh bool,
	err error,
) (*result.Result, error) {
	if err != nil {
		return nil, err
	}
	brought, failed := downloadPanels(ctx, in, library, s)
	if failed != nil && (!fresh || ctx.Err() != nil) {
		return nil, failed
	}
	if len(brought) > 0 {
		if s, err = library.Study(s.ID); err != nil {
			return nil, err
		}
	}
	r := downloadResult(in, s, fresh, brought)
	r.Notices = append(r.Notices, duplicateNotices(in, s.ID)...)
	if failed != nil {
		r.Notice("not every gene panel was downloaded: " + failed.Error())
	}
	return r, nil
}

func copyExample(in *command.Input, w *archive.Work) error {
	_, err := w.InstallBundled(archive.Origin{
		URL: "biomcp " + in.App.Version + " includes it", Retrieved: in.App.Now().UTC().Truncate(time.Second),
		Licence: "the licence of biomcp; the study is synthetic",
	}, func(studies string) error {
		_, err := example.Write(studies)
		return err
	})
	return err
}

// fetch downloads the archive of a study and unpacks it.
func fetch(ctx context.Context, in *command.Input, w *archive.Work, id string) error {
	hub := cbioportal.New(in.App.Network())
	show, done := in.ShowDownload(id)
	err := hub.SaveArchive(ctx, id, &httpclient.File{Path: w.ArchivePath(), OnProgress: show})
	done()
	failed, _ := errors.AsType[*httpclient.Error](err)
	switch {
	case httpclient.IsKind(err, httpclient.NotFound):
		return notInDatahub(ctx, hub, id)
	case failed != nil && failed.Status == http.StatusNotFound: // a page: only the list says whether the study exists
		if ids, unread := hub.Studies(ctx); unread == nil && !slices.Contains(ids, id) {
			return notAmong(ids, id)
		}
		return err
	case err != nil:
		return err
	}
	origin := archive.Origin{
		URL: hub.ArchiveAddress(id), Retrieved: in.App.Now().UTC().Truncate(time.Second), Licence: cbioportal.Licence,
	}
	_, err = w.Unpack(ctx, origin, archive.DefaultLimits)
	return err
}

func notInDatahub(ctx context.Context, hub *cbioportal.Client, id string) error {
	ids, _ := hub.Studies(ctx) // only for a suggestion
	return notAmong(ids, id)
}

// notAmong returns the failure for a study that does not exist. It suggests the nearest of ids.
func notAmong(ids []string, id string) error {
	failure := result.Missing("cBioPortal's datahub has no study "+id, "study", "download", "--list")
	if near := command.Nearest(id, ids); near != "" {
		failure.Message += command.Guess(near)
		failure.Try = result.Argv{"study", "download", near}
	}
	return failure
}

// badID returns the failure for a word that is not the id of a study. If a person names a folder, it
// tells how a study in a folder is read.
func badID(in *command.Input, id string, try ...string) error {
	message := fmt.Sprintf("%q is not the id of a study, such as msk_impact_2017", command.Clip(id))
	if dir, err := filepath.Abs(id); err == nil && in.Policy == command.Person && strings.ContainsAny(id, `/\`) {
		message += fmt.Sprintf("; to use the folder of a study, set BIOMCP_STUDY_DIR to the folder around it, %s, "+
			"and write its name, %s", command.Clip(filepath.Dir(dir)), command.Clip(filepath.Base(dir)))
	}
	return result.Invalid(message, try...)
}

func downloadResult(in *command.Input, s *study.Study, fresh bool, panelIDs []string) *result.Result {
	a := downloadAnswer{ID: s.ID, Path: s.Folder(), Downloaded: fresh, Panels: panelIDs, citation: s.Citation}
	if s.PMID != "" {
		a.citation = strings.TrimSpace(a.citation + " (PMID " + s.PMID + ")")
	}
	if o, ok := archive.ReadOrigin(s); ok {
		a.Origin, a.licence = &o, o.Licence
		if o.SHA256 != "" { // overridden below if the archive has a licence file
			a.licence = "the study states none; " + o.Licence
		}
	}
	if file, title := archive.Licence(s); file != "" {
		a.licence = title + " (" + file + ")"
	}
	r := &result.Result{
		Next: []result.Argv{{"study", "summary", "--study", s.ID}, {"study", "top-mutated", "--study", s.ID}},
	}
	for _, problem := range s.Problems {
		r.Notice(problem.Error())
	}
	missing, err := s.MissingPanels()
	if err != nil {
		r.Notice("the gene panels cannot be read: " + err.Error())
	}
	a.Missing = append(a.Missing, missing...)
	noteMissing(in, r, missing, "cBioPortal did not provide them; biomcp study panels add FILE reads them from files")
	r.Payload = a
	return r
}

func (a downloadAnswer) Doc() result.Doc {
	was := "already present"
	if a.Downloaded {
		was = "yes"
	}
	t := result.Table{
		Columns: result.Columns("Metric", "Value"),
		Rows:    [][]string{{"Study ID", a.ID}, {"Path", a.Path}, {"Downloaded", was}},
	}
	if o := a.Origin; o != nil {
		t.Rows = append(t.Rows, []string{"Source", o.URL})
		if o.SHA256 != "" {
			t.Rows = append(t.Rows, []string{"Archive", result.Size(o.Bytes) + ", SHA-256 " + o.SHA256})
		}
	}
	if len(a.Panels) > 0 {
		t.Rows = append(t.Rows,
			[]string{"Gene panels", strings.Join(a.Panels, ", ") + " (" + cbioportal.PanelLicence + ")"})
	}
	t.Rows = append(t.Rows,
		[]string{"Licence", cmp.Or(a.licence, "unknown")},
		[]string{"Citation", cmp.Or(a.citation, "the study names none")})
	return result.Doc{result.Heading{Level: 1, Text: "Study Download: " + a.ID}, t}
}

// runCatalogue lists the studies of the datahub. If its list is missing, it lists those of cBioPortal.
func runCatalogue(ctx context.Context, in *command.Input) (*result.Result, error) {
	hub := cbioportal.New(in.App.Network())
	ids, err := hub.Studies(ctx)
	failed, _ := errors.AsType[*httpclient.Error](err)
	if failed == nil || failed.Status != http.StatusNotFound && failed.Status != http.StatusForbidden {
		if err != nil {
			return nil, err
		}
		return &result.Result{Payload: catalogue{ids}}, nil
	}
	ids, portalErr := hub.PortalStudies(ctx)
	if portalErr != nil {
		return nil, err
	}
	r := &result.Result{Payload: catalogue{ids}}
	r.Notice("these are the studies of cBioPortal's API, some of which may have no archive, because " + err.Error())
	return r, nil
}

func (c catalogue) Doc() result.Doc {
	rows := result.Map(c.IDs, func(id string) []string { return []string{id} })
	return result.Doc{
		result.Heading{Level: 1, Text: "Downloadable cBioPortal Studies"},
		result.Table{Columns: result.Columns("Study ID"), Main: true, Rows: rows},
	}
}
