package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/entrez"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/record"
)

// mark adds to references with a PMID what PubMed says of them, in one request: whether
// they are retracted, and preprints.
func mark(ctx context.Context, in *command.Input, rows []*json.RawMessage) (notice string) {
	var ids []string
	for _, r := range rows {
		if pmid := gjson.GetBytes(*r, "pmid").String(); pmid != "" && !slices.Contains(ids, pmid) {
			ids = append(ids, pmid)
		}
	}
	known := map[string]entrez.Summary{}
	if len(ids) > 0 {
		sums, err := in.App.Entrez().Summaries(ctx, "pubmed", ids)
		if err != nil {
			notice = "whether the references are retracted is not known: " + err.Error()
		} else {
			for _, s := range sums.Items {
				known[s.UID] = s
			}
		}
	}
	for _, r := range rows {
		retracted, preprint := "null", "null"
		if s, is := known[gjson.GetBytes(*r, "pmid").String()]; is {
			retracted, preprint = fmt.Sprint(s.Retracted), fmt.Sprint(s.Preprint)
		}
		*r = slices.Concat((*r)[:len(*r)-1], []byte(`,"retracted":`+retracted+`,"preprint":`+preprint+"}"))
	}
	return notice
}

func referenceRow(o *json.RawMessage) []string {
	r := gjson.ParseBytes(*o)
	text := ctgov.Plain(r.Get("citation").String())
	return []string{r.Get("pmid").String(), r.Get("type").String(), record.Listed(r.Get("retracted").Bool(), r.Get("preprint").Bool(), text)}
}
