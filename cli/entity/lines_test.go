package entity_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Every entity supports lists of ids, dates, pages, forms of a table, synonyms for a filter, and
// suggestions if a search found nothing.
func TestWhatEveryEntityHas(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get article 90100001,90100002 mesh --csv", Text: "article,descriptor,ui,major,qualifiers.name,"},
		{Line: "get article 90100001 90100002 mesh --tsv --limit 1", Text: "90100001\tAgaricales\t"},
		{Line: "get article 90100001 mesh --csv --json", ExitStatus: 2, Text: "give one of --json, --csv"},
		{Line: "get article 90100001 mesh similar --csv --fields pmid,mesh.descriptor", Text: "pmid,mesh.descriptor\n90100001,Agaricales; Ergothioneine; Humans\n"},
		{Line: "get article 90100001 similar --csv", Text: "article,pmid,title,authors,source,score,retracted,preprint,url\n90100001,90100002,"},
		{Line: "get article 90100001 90100002 --jsonl --fields journal.title", Text: `{"journal":{"title":"Journal of synthetic nutrition"}}` + "\n{"},
		{Line: "get article 90100001 --tsv --fields pmid,jornal.title", ExitStatus: 2, Text: "biomcp get article 90100001 --tsv --fields pmid,journal.title"},
		{Line: "search article ergothioneine --csv --fields journal.title", ExitStatus: 2, Text: "biomcp search article ergothioneine --csv --fields journal\n"},
		{Line: "get article 90100001 --fields pmid", ExitStatus: 2, Text: "biomcp get article --csv 90100001 --fields pmid"},
		{Line: "get article 90100001 --output card.csv", ExitStatus: 2, Text: "reads or writes files of the server's machine"},
		{Line: "search citation 'Nobody N. Nothing that anybody wrote. J Nowhere. 1901;1:1.' --csv --fields outcome", Text: "outcome\nnot_found\n"},
		{Line: "search article ergothioneine -o csv", Text: "pmid,title,"},
		{Line: "search article ergothioneine -o hits.ods", ExitStatus: 2, Text: "reads or writes files"},
		{Line: "batch article 90100001 90100999 --csv --fields input,status,result.title", Text: "90100999,failed,\n"},
		{Line: "get article 90100001 12x34 --json", ExitStatus: 2, Text: "12x34"},
		{Line: "get article 90100001 12x34 --skip-invalid --json", Text: "12x34"},
		{Line: "get article 90100001 90100999 --json", Text: `"not_found":["90100999"]`},
		{Line: "get article 90100001 refrences", ExitStatus: 2, Text: "references"},
		{Line: "get article 90100001 similar --limit 1001", Text: "lowered"},
		{Line: "search article ergothioneine --last 5y", Text: "PMID", Sent: "term="},
		{Line: "search article ergothioneine --last '5 years'", ExitStatus: 2, Text: "biomcp search article ergothioneine --last 5y"},
		{Line: "search article ergothioneine --since 7d", ExitStatus: 2, Text: "biomcp search article ergothioneine --last 7d"},
		{Line: "search article ergothioneine --date-from '2 weeks'", ExitStatus: 2, Text: "biomcp search article ergothioneine --last 14d"},
		{Line: "search article ergothioneine --date-from '5 may'", ExitStatus: 2, Text: "try:   biomcp search article --help"},
		{Line: "search article ergothioneine --last soon", ExitStatus: 2, Text: "write 5y, 6m or 30d"},
		{Line: "search article ergothioneine --date-from 2020-02-31", ExitStatus: 2, Text: "not a date of the calendar"},
		{Line: "search article ergothioneine --date-from 2024 --date-to 2023", ExitStatus: 2, Text: "is later than"},
		{Line: "search article ergothioneine --mesh Humans --mesh Agaricales --date-from 1990 --date-to 1991", Text: "without --mesh Humans"},
		{Line: "search article ergothionein", Text: "did you mean"},
		{Line: "search article ergothioneine --limit 1 --json", Text: "--offset 1"},
		{Line: "search article ergothioneine --csv", Text: "pmid,title,authors,"},
		{Line: "search article ergothioneine --count --json", Text: `"total":3`},
		{Line: "search article ergothioneine --offset -1", ExitStatus: 2, Text: "must not be negative"},
		{Line: "search gene --chromosome X --csv", Text: "symbol,name,"},
		{Line: "search gene --chromosome 25", ExitStatus: 2, Text: "is not one of 1 to 22"},
		{Line: `search gene --go 'x"[TID]'`, ExitStatus: 2, Text: "cannot hold"},
		{Line: "get gene P53 --json", ExitStatus: 1, Text: `"alias_resolution":{`},
		{Line: "get gene BRAF P53 --json", Text: "get gene TP53"},
		{Line: "get gene BRAF variants trials --limit 1 --json", Text: `"section_sources":`},
		{Line: "get disease 'Marfan syndrome' genes phenotypes", Text: "FBN1"},
		{Line: "get disease 'Marfan syndrome genes'", ExitStatus: 1, Text: "biomcp get disease 'Marfan syndrome' genes"},
		{Line: "search variant -g P53 --json", Text: "is an alias"},
		{Line: "search article melanoma -g P53 --limit 1 --json", Text: "is an alias of TP53"},
		{Line: "search article melanoma -g P53 --exact --limit 1 --json", Text: `"applied_filters":`, NotRequested: "datasets-symbol"},
	})
}
