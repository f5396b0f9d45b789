package entity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// StyleSynonyms maps programs to the citation style they import. EndNote imports RIS by the
// option "Reference Manager (RIS)" of its manual.
var StyleSynonyms = command.Synonyms{
	"ris": "endnote zotero mendeley refman reference-manager", "bibtex": "latex", "vancouver": "nlm icmje",
}

// exportCitations writes the citations of the articles that a section lists, if --output names a file
// of citations. done is false if no section that lists articles was requested.
func (a *answer[R]) exportCitations(ctx context.Context, in *command.Input, res *result.Result) (done bool, err error) {
	style := FileStyle(in)
	lists := func(sec SectionOf[R]) bool { return sec.Cite != nil && a.sections.Has(sec.Name) }
	i := slices.IndexFunc(a.spec.Sections, lists)
	if style == "" || i < 0 || a.sections.Whole(len(a.spec.Sections)) {
		return false, nil
	}
	sec := a.spec.Sections[i]
	if !a.sections.IsOnly(sec.Name) {
		others := slices.DeleteFunc(slices.Clone(in.Args), a.sections.Has)
		return false, result.Invalid("a "+style+" file has the articles of one section, such as "+sec.Name,
			in.Line(append(others, sec.Name))...)
	}
	rows, err := a.rows(a.found.Records)
	if err != nil {
		return false, err
	}
	var pmids []string
	lacking := 0
	for _, row := range rows {
		switch id := gjson.GetBytes(row, "pmid").String(); {
		case id == "":
			lacking++
		case !slices.Contains(pmids, id):
			pmids = append(pmids, id)
		}
	}
	cited, notices, err := sec.Cite(ctx, in, pmids, style)
	if err != nil {
		return false, err
	}
	body, err := result.JSON(cited)
	var records []json.RawMessage
	if err := errors.Join(err, json.Unmarshal(body, &records)); err != nil {
		return false, err
	}
	res.Notices = append(res.Notices, notices...)
	if lacking > 0 {
		res.Notice(fmt.Sprintf("%d of %d rows have no PMID and are not in the file", lacking, len(rows)))
	}
	if len(rows) == 0 {
		res.Notice("the section " + sec.Name + " is empty, and so is the file")
	}
	return true, Export(in, records, nil, res)
}
