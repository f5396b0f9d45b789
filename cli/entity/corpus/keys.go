package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/fault"
	"biomcp/entrez/record"
	"biomcp/rag/intake"
	"biomcp/store"
)

// maxNews is the number of documents of each kind that a sync report shows.
const maxNews = 10

func listCommand() *command.Command {
	return &command.Command{
		Use: "list [query-key]", Synonyms: []string{"keys", "ls", "status", "news", "new"},
		Short: "List the queries kept current, or what changed in one",
		Help: command.Help{
			Output: "For each query key its term, watermark, number of records and last sync; for a named " +
				"key every record that its last sync added, found changed or found retracted, or with --since " +
				"all syncs since then.",
			Surprises: "A sync that was stopped and those that continue it count as one. A record that was " +
				"added and then changed is listed as added.",
		},
		Effect: command.Local, LocalOnly: true,
		Args: command.Args{Max: 1, Name: "one query key", Completion: "query-key"},
		Examples: []command.Example{
			{Line: "biomcp sync list", Explanation: "the queries on this machine"},
			{Line: "biomcp sync list glp1", Explanation: "the changes of one of them"},
			{Line: "biomcp sync list glp1 --since 7d", Explanation: "its changes of a week, over all syncs"},
		},
		Flags: func(f *command.Flags) {
			f.String("since", "", "the changes of all syncs since a day, a time (7d), or last: since the last sync began")
			f.AddSynonyms("since", "added-since", "new-since", "last")
		},
		Run: runSyncList,
	}
}

// queryKeyRow is a query key with the outcome of its last sync.
type queryKeyRow struct {
	QueryKey  string  `json:"query_key"`
	Term      *string `json:"term"`
	LastEDAT  *string `json:"last_edat"`
	Documents *int    `json:"documents"` // null for all of PubMed, which has no term
	Finished  *string `json:"last_finished"`
	Stopped   bool    `json:"stopped"` // the last sync did not finish
	Added     int     `json:"added"`   // added by the last sync, or since --since
	Changed   int     `json:"changed"`
	Retracted int     `json:"retracted"`
}

type queryKeyList struct {
	Keys []queryKeyRow `json:"keys"`
	News *news         `json:"news,omitempty"` // changes of the requested key
}

func (l *queryKeyList) Doc() result.Doc {
	table := result.Table{
		Columns: result.Columns("Key", "Query", "Watermark", ">Records", "Last sync", ">Added", ">Changed",
			">Retracted"),
		Main: l.News == nil,
	}
	for _, k := range l.Keys {
		last := entity.Deref(k.Finished)
		if k.Stopped {
			last = strings.TrimPrefix(last+", then one that did not finish", ", then ")
		}
		table.Rows = append(table.Rows, []string{
			k.QueryKey, entity.Deref(k.Term), entity.Deref(k.LastEDAT), entity.FormatNumber(k.Documents), last,
			fmt.Sprint(k.Added), fmt.Sprint(k.Changed), fmt.Sprint(k.Retracted),
		})
	}
	doc := result.Doc{result.Heading{Level: 1, Text: "Queries kept current"}}
	if len(l.Keys) == 0 {
		return append(doc, result.Para{Text: "No query is kept current yet: sync pubmed with --query-key and --term begins."})
	}
	doc = append(doc, table)
	if l.News != nil {
		doc = append(doc, l.News.doc(0, "")...)
	}
	return doc
}

// news lists the documents that a sync added, changed or found retracted, with titles.
type news struct {
	Added     []newsItem `json:"added"`
	Changed   []newsItem `json:"changed"`
	Retracted []newsItem `json:"retracted"`
}

type newsItem struct {
	PMID  string `json:"pmid"`
	Title string `json:"title"`
}

// readNews reads the titles of at most limit documents of each kind; 0 means no limit.
func readNews(ctx context.Context, corpus *store.Store, n intake.News, limit int) (*news, error) {
	titled := func(pmids []record.PMID) ([]newsItem, error) {
		items := []newsItem{}
		for part := range slices.Chunk(pmids, 500) {
			if limit > 0 {
				part = part[:min(len(part), limit-len(items))]
			}
			docs, err := corpus.DocumentsByPMID(ctx, part)
			if err != nil {
				return nil, err
			}
			for _, pmid := range part {
				if d := docs[pmid]; d != nil {
					items = append(items, newsItem{
						pmid.String(),
						record.ListLabel(d.Retracted, slices.Contains(d.PubTypes, record.PreprintType), d.Title),
					})
				}
			}
		}
		return items, nil
	}
	out := new(news)
	for _, list := range []struct {
		dst   *[]newsItem
		pmids []record.PMID
	}{{&out.Added, n.Added}, {&out.Changed, n.Changed}, {&out.Retracted, n.Retracted}} {
		var err error
		if *list.dst, err = titled(list.pmids); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// doc renders the documents by kind. all holds the full number of each kind; rest ends the
// line that counts those not shown and tells where to find them.
func (n *news) doc(level int, rest string, all ...int) (doc result.Doc) {
	for i, kind := range []struct {
		name  string
		items []newsItem
	}{{"New to the query", n.Added}, {"Changed", n.Changed}, {"Retracted", n.Retracted}} {
		if len(kind.items) == 0 {
			continue
		}
		list := result.List{}
		for _, it := range kind.items {
			list.Items = append(list.Items, "pmid:"+it.PMID+" "+cmp.Or(it.Title, "(no title)"))
		}
		total := len(kind.items)
		if i < len(all) && all[i] > total {
			list.Items = append(list.Items, fmt.Sprintf("and %d more: %s", all[i]-total, rest))
			total = all[i]
		}
		doc = append(doc, result.Heading{Level: 2 + level, Text: fmt.Sprintf("%s (%d)", kind.name, total)}, list)
	}
	return doc
}

// runSyncList lists all query keys, or one with the records that its last sync changed.
func runSyncList(ctx context.Context, in *command.Input) (*result.Result, error) {
	corpus, err := in.App.Corpus(ctx)
	none := &result.Result{
		Payload: &queryKeyList{Keys: []queryKeyRow{}}, Next: []result.Argv{{"sync", "pubmed", "--help"}},
	}
	all := len(in.Args) == 0
	if err != nil {
		if all && store.IsKind(err, store.NotFound) {
			return none, nil
		}
		return nil, noCorpus(err)
	}
	keys, err := corpus.QueryKeys(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(keys) == 0 && all:
		return none, nil
	case len(keys) == 0:
		return nil, result.Missing("no query is kept current yet", "sync", "pubmed", "--help")
	}
	list := &queryKeyList{}
	res := &result.Result{Payload: list, Next: []result.Argv{}}
	if len(in.Args) > 0 {
		k, err := keyOf(keys, strings.TrimSpace(in.Args[0]), "sync", "list")
		if err != nil {
			return nil, err
		}
		keys = []store.QueryKey{k}
	}
	for _, k := range keys {
		n, err := newsOf(ctx, in, corpus, k, res)
		if err != nil {
			return nil, err
		}
		row, err := keyRow(ctx, corpus, k, n)
		if err != nil {
			return nil, err
		}
		list.Keys = append(list.Keys, row)
		if len(in.Args) > 0 {
			if list.News, err = readNews(ctx, corpus, n, 0); err != nil {
				return nil, err
			}
		} else if row.Added+row.Changed+row.Retracted > 0 && len(res.Next) < 3 {
			res.Next = append(res.Next, in.Line([]string{k.Key}))
		}
	}
	return res, nil
}

// newsOf returns the records that a query key gained, changed or found retracted in its last sync, or
// since --since. It adds a notice to res if the watermark of the key is in the future.
func newsOf(
	ctx context.Context, in *command.Input, corpus *store.Store, k store.QueryKey, res *result.Result,
) (intake.News, error) {
	err := intake.CheckWatermark(ctx, corpus, k.Key, k.LastEDAT, in.App.Now())
	if wrong, ok := errors.AsType[*intake.WatermarkError](err); ok {
		res.Notice(futureText(wrong))
	} else if err != nil {
		return intake.News{}, err
	}
	from := k.Round
	if in.IsSet("since") {
		if from, err = firstRound(in, "since", k); err != nil {
			return intake.News{}, err
		}
	}
	return intake.NewsSince(ctx, corpus, k.Key, from)
}

// keyRow returns the row of a query key with the number of its records and of its news.
func keyRow(ctx context.Context, corpus *store.Store, k store.QueryKey, n intake.News) (queryKeyRow, error) {
	row := queryKeyRow{
		QueryKey: k.Key, Term: record.NilIfZero(k.Term), LastEDAT: record.NilIfZero(k.LastEDAT),
		Finished: record.NilIfZero(k.Finished), Stopped: k.Unfinished,
		Added: len(n.Added), Changed: len(n.Changed), Retracted: len(n.Retracted),
	}
	if k.Key == intake.MirrorKey {
		return row, nil
	}
	all, err := corpus.QueryDocuments(ctx, k.Key, 0)
	row.Documents = new(len(all))
	return row, err
}

// keyOf returns the key called name. If not found, its error suggests the nearest one.
func keyOf(keys []store.QueryKey, name string, line ...string) (store.QueryKey, error) {
	var names []string
	for _, k := range keys {
		if k.Key == name {
			return k, nil
		}
		names = append(names, k.Key)
	}
	message, near := fmt.Sprintf("no query key %q", command.Clip(name)), command.Nearest(name, names)
	if near == "" {
		return store.QueryKey{}, result.Missing(message, "sync", "list")
	}
	return store.QueryKey{}, result.Missing(message+command.Guess(near), append(line, near)...)
}

// addedPMIDs returns the PMIDs that --query-key and --added-since select; nil means all.
func addedPMIDs(ctx context.Context, in *command.Input, q *entity.Query) ([]record.PMID, error) {
	name, since := strings.TrimSpace(q.Value("query-key")), strings.TrimSpace(q.Value("added-since"))
	if name == "" && since == "" {
		return nil, nil
	}
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil, noCorpus(err)
	}
	keys, err := corpus.QueryKeys(ctx)
	if err != nil {
		return nil, err
	}
	var k store.QueryKey
	if name != "" {
		if k, err = keyOf(keys, name, in.LineWith("--query-key", "")...); err != nil {
			f := err.(*result.Failure)
			if near := f.Try[len(f.Try)-1]; len(f.Try) > 2 {
				f.Try = in.LineWith("--query-key", near)
			} else if in.Policy == command.Agent { // an agent may not run sync list
				f.Try = result.Argv{"health"}
			}
			return nil, f
		}
	}
	from, err := firstRound(in, "added-since", k)
	if err != nil {
		return nil, err
	}
	list, err := corpus.QueryDocuments(ctx, name, from)
	pmids := []record.PMID{}
	for _, d := range list {
		if d.Added >= from {
			pmids = append(pmids, d.PMID)
		}
	}
	return slices.Compact(pmids), err // QueryDocuments orders them by PMID
}

// firstRound returns the first round that the value of a flag includes. "last" means the last
// finished sync, or the unfinished one if there is none; a day begins at midnight UTC.
func firstRound(in *command.Input, flag string, k store.QueryKey) (int64, error) {
	since := strings.TrimSpace(in.String(flag))
	day, isDay := record.ParseDate(since)
	span, err := query.ReadLast(since, in.App.Now(), in.LineWith("--"+flag, ""))
	switch {
	case since == "":
		return 0, nil
	case since == "last" && k.Key == "":
		return 0, result.Invalid("--"+flag+" last requires --query-key, to tell which query's last sync",
			"sync", "list")
	case since == "last":
		return cmp.Or(k.FinishedRound, k.Round), nil
	case isDay && day.Year >= 1970:
		day = day.First()
	case err != nil:
		return 0, result.Invalid(fmt.Sprintf("--%s %q is not last, a day such as 2026-11-01 or a time such as 7d",
			flag, command.Clip(since)), in.LineWith("--"+flag, "")...)
	default:
		day = span.From
	}
	return time.Date(day.Year, time.Month(day.Month), day.Day, 0, 0, 0, 0, time.UTC).Unix(), nil
}

// allKeysReport is the answer of sync pubmed --all-keys.
type allKeysReport struct {
	Keys []keyReport `json:"keys"`
}

type keyReport struct {
	QueryKey string         `json:"query_key"`
	Report   *intake.Report `json:"report"` // null if the sync did not begin
	Error    *string        `json:"error"`

	preview *news
}

func (s *allKeysReport) Doc() result.Doc {
	doc := result.Doc{result.Heading{Level: 1, Text: "Sync of all keys"}}
	for _, k := range s.Keys {
		doc = append(doc, result.Heading{Level: 2, Text: k.QueryKey})
		if k.Error != nil {
			doc = append(doc, result.Para{Text: "Failed: " + *k.Error})
		}
		if k.Report == nil {
			continue
		}
		r := syncReport{Report: *k.Report, key: k.QueryKey, preview: k.preview}
		doc = slices.Concat(doc, result.Doc{r.records()}, r.news(1), r.notes(1))
	}
	return doc
}

// KeysError reports the query keys that could not be synced; all others were.
type KeysError struct {
	Keys   []string
	Errs   []error
	All    int
	Report any // reports of all keys
}

func (e *KeysError) Error() string {
	var failed []string
	for i, key := range e.Keys {
		failed = append(failed, key+": "+e.Errs[i].Error())
	}
	return fmt.Sprintf("%d of %s could not be synced: %s", len(e.Keys), english.Plural(e.All, "query key", ""),
		strings.Join(failed, "; "))
}

// Meaning returns the code and the next command of the first error. The report is the details.
func (e *KeysError) Meaning() fault.Meaning {
	first := fault.Of(e.Errs[0])
	m := fault.Meaning{Code: first.Code, Party: fault.Service, Next: first.Next, Partial: true,
		Details: map[string]any{"keys": e.Report}}
	if len(m.Next) == 0 {
		m.Next = []string{"sync", "pubmed", "--query-key", e.Keys[0]}
	}
	return m
}

// syncAllKeys syncs every query key in turn. A failure does not stop the others.
func syncAllKeys(ctx context.Context, in *command.Input, o intake.Options, ncbi intake.NCBI) (*result.Result, error) {
	keys, err := o.Store.QueryKeys(ctx)
	if err != nil {
		return nil, err
	}
	keys = slices.DeleteFunc(keys, func(k store.QueryKey) bool { return k.Key == intake.MirrorKey })
	if len(keys) == 0 {
		return nil, result.Missing("no query is kept current yet", "sync", "pubmed", "--help")
	}
	out := &allKeysReport{}
	res := &result.Result{Payload: out}
	failed := &KeysError{}
	for _, k := range keys {
		if k.Term == "" {
			res.Notice(fmt.Sprintf("%s has a watermark but was never synced, so its term is unknown: sync it "+
				"once with --term",
				k.Key))
			continue
		}
		report, err := intake.Delta(ctx, o, ncbi, intake.Query{
			Key: k.Key, Term: k.Term, OverlapDays: in.Int("overlap-days"),
		})
		if ctx.Err() != nil {
			return res, err
		}
		row := keyReport{QueryKey: k.Key}
		if err != nil {
			failed.Keys, failed.Errs, row.Error = append(failed.Keys, k.Key), append(failed.Errs, err), new(err.Error())
		}
		if report.JobID != "" {
			row.Report = &report
			if row.preview, err = readNews(ctx, o.Store, report.News, maxNews); err != nil {
				return res, err
			}
		}
		out.Keys = append(out.Keys, row)
	}
	if failed.Report, failed.All = out.Keys, len(out.Keys); len(failed.Keys) > 0 {
		return res, failed
	}
	return res, nil
}
