package study

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/cbioportal"
	"biomcp/entrez/httpclient"
	"biomcp/store/study"
)

func panels() *command.Command {
	return &command.Command{
		Use: "panels", Noun: "command", Short: "Manage the gene lists of panels that studies name",
		Help: command.Help{
			Purpose: "A gene panel lists the genes for which a sample was assayed. " +
				"Most studies of cBioPortal name their panels without listing the genes.",
			Surprises: "study download fetches the panels that a study names from cBioPortal. " +
				"WES, WXS and WGS need no list: they cover every gene.",
		},
		Commands: []*command.Command{addPanels()},
	}
}

// addedPanels is the answer of study panels add.
type addedPanels struct {
	Panels []addedPanel `json:"panels"`
}

type addedPanel struct {
	ID    string `json:"panel_id"`
	Genes int    `json:"genes"`
}

func addPanels() *command.Command {
	return &command.Command{
		Use: "add <file>...", Short: "Add the gene lists of panels from files", Effect: command.Stores,
		Help: command.Help{
			Input: "Files in cBioPortal's format, with the lines stable_id and gene_list (symbols or Entrez " +
				"ids), or the portal's JSON of one panel or several.",
			Output: "The panels with the number of their genes. They are saved in the folder " + study.PanelFolder +
				" of the study folder (BIOMCP_STUDY_DIR) and apply to every study that names them.",
			Surprises: "It replaces a panel with the same id.",
		},
		Args: command.Args{Min: 1, Max: -1, Name: "files of gene panels"},
		Examples: []command.Example{
			{
				Line:        "biomcp study panels add data_gene_panel_impact468.txt",
				Explanation: "samples assayed on it have a denominator",
			},
		},
		Run: runAddPanels,
	}
}

func runAddPanels(_ context.Context, in *command.Input) (*result.Result, error) {
	library, err := Library(in.App)
	if err != nil {
		return nil, err
	}
	var all []study.Panel
	for _, name := range in.Args {
		file, err := openRegular(name)
		if err != nil {
			return nil, result.Invalid("the file "+command.Clip(name)+" cannot be opened, or is not a regular file",
				"study", "panels", "add", "--help")
		}
		list, err := study.ParsePanels(name, file)
		_ = file.Close() // it was only read
		if err != nil {
			return nil, result.Invalid(err.Error(), "study", "panels", "add", "--help")
		}
		all = append(all, list...)
	}
	a := addedPanels{}
	for _, p := range all {
		if err := library.AddPanel(p); err != nil {
			return nil, err
		}
		a.Panels = append(a.Panels, addedPanel{p.ID, len(p.Genes)})
	}
	return &result.Result{Payload: a, Next: []result.Argv{{"study", "list"}}}, nil
}

func (a addedPanels) Doc() result.Doc {
	rows := result.Map(a.Panels, func(p addedPanel) []string { return []string{p.ID, count(p.Genes)} })
	return result.Doc{
		result.Heading{Level: 1, Text: "Gene Panels Added"},
		result.Table{Columns: result.Columns("Panel", ">Genes"), Main: true, Rows: rows},
	}
}

// downloadPanels downloads from cBioPortal the panels that a study names and this machine lacks.
// It skips panels that cBioPortal does not have and stops at any other error.
func downloadPanels(
	ctx context.Context, in *command.Input, library study.Library, s *study.Study,
) (ids []string, err error) {
	missing, err := s.MissingPanels()
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	portal := cbioportal.New(in.App.Network())
	for _, id := range missing {
		body, err := portal.Panel(ctx, id)
		if httpclient.IsKind(err, httpclient.NotFound) || httpclient.IsKind(err, httpclient.Invalid) {
			continue
		}
		if err != nil {
			return ids, err
		}
		list, err := study.ParsePanels(id, bytes.NewReader(body))
		if err != nil {
			return ids, err
		}
		list[0].Origin = study.PanelOrigin{
			Source: portal.PanelAddress(id), Retrieved: in.App.Now().UTC().Truncate(time.Second),
			Licence: cbioportal.PanelLicence,
		}
		if err := library.AddPanel(list[0]); err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// noteMissing adds the notice that the genes of panels are unknown. remedy says how to add
// them.
func noteMissing(in *command.Input, r *result.Result, ids []string, remedy string) {
	if len(ids) > 0 {
		r.Notice(in.OwnerNotice("the genes of the " + english.PluralWord(len(ids), "panel", "") + " " + strings.Join(ids, ", ") +
			" are unknown, so no rate can be calculated for samples assayed on " +
			english.PluralWord(len(ids), "it", "them") + "; " + remedy))
	}
}
