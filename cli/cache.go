package cli

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// cacheRefusal is the reason given to an agent for refusing the cache commands.
const cacheRefusal = "biomcp cache commands are CLI-only over MCP " +
	"because they reveal workstation-local filesystem paths"

func cacheGroup() *command.Command {
	group := &command.Command{
		Use: "cache", Purpose: command.Keep, Noun: "command", Short: "Look at or empty the cache of responses",
		Commands: []*command.Command{
			{
				Use: "path", Synonyms: []string{"dir", "folder", "location", "where"}, Short: "Print the cache folder",
				Examples: []command.Example{{Line: "biomcp cache path", Explanation: "the folder, and nothing else"}},
				Run:      cachePath,
			},
			{
				Use: "stats", Synonyms: []string{"info", "size", "stat", "usage", "status"}, Short: "Show cache statistics",
				Examples: []command.Example{{Line: "biomcp cache stats --json", Explanation: "entries and bytes by source"}},
				Run:      cacheStats,
			},
			{
				Use: "clean", Synonyms: []string{"prune", "gc", "expire"}, Short: "Remove expired and old responses",
				Help: command.Help{
					Output: "How much was removed and how much is left; with --dry-run, how much would be.",
					Surprises: "The corpus and other data are never touched. Without flags only expired responses " +
						"are removed.",
				},
				Flags: func(f *command.Flags) {
					f.String("max-age", "", "remove also responses older than this: 12h, 30d")
					f.String("max-size", "", "then remove the oldest until the rest fits: 500M, 5G")
					f.Bool("dry-run", false, "show what would be removed, and remove nothing")
				},
				Examples: []command.Example{{Line: "biomcp cache clean --max-age 30d --max-size 5G --dry-run",
					Explanation: "what a clean-up would remove"}},
				Run: cacheClean,
			},
			{
				Use: "clear [--yes]", Synonyms: []string{"empty", "purge", "delete", "wipe", "reset"},
				Short: "Remove every response",
				Help: command.Help{Surprises: "Asks first on a terminal; elsewhere it needs --yes. The corpus " +
					"and other data are never touched."},
				Flags:    func(f *command.Flags) { f.Bool("yes", false, "do not ask") },
				Examples: []command.Example{{Line: "biomcp cache clear --yes", Explanation: "an empty cache"}},
				Run:      cacheClear,
			},
		},
	}
	for _, c := range group.Commands {
		c.Effect, c.Refusal = command.Local, cacheRefusal
	}
	return group
}

type cacheFolder struct {
	Path string `json:"path"`
}

func (c cacheFolder) Doc() result.Doc { return result.Doc{result.Verbatim{Text: c.Path}} }

func cachePath(_ context.Context, in *command.Input) (*result.Result, error) {
	dir, err := in.App.CacheDir()
	if err != nil {
		return nil, err
	}
	return &result.Result{Payload: cacheFolder{Path: dir}}, nil
}

type cacheReport struct {
	Entries   int64         `json:"entries"`
	Expired   int64         `json:"expired"`
	Bytes     int64         `json:"bytes"`
	FileBytes int64         `json:"file_bytes"`
	Oldest    *time.Time    `json:"oldest"`
	Newest    *time.Time    `json:"newest"`
	Sources   []cacheSource `json:"sources"`
}

type cacheSource struct {
	Name    string `json:"name"`
	Entries int64  `json:"entries"`
	Bytes   int64  `json:"bytes"`
}

func (c cacheReport) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Response cache"},
		result.Fields{
			{Name: "Responses", Value: fmt.Sprintf("%d, %d of them expired", c.Entries, c.Expired)},
			{Name: "Size", Value: fmt.Sprintf("%s, %s on disk", result.Size(c.Bytes), result.Size(c.FileBytes))},
			{Name: "Oldest", Value: timeText(c.Oldest)},
			{Name: "Newest", Value: timeText(c.Newest)},
		},
	}
	if len(c.Sources) > 0 {
		doc = append(doc, result.Table{Columns: result.Columns("Source", ">Responses", ">Size"),
			Rows: result.Map(c.Sources, func(s cacheSource) []string {
				return []string{s.Name, fmt.Sprint(s.Entries), result.Size(s.Bytes)}
			})})
	}
	return doc
}

func cacheStats(ctx context.Context, in *command.Input) (*result.Result, error) {
	cache, err := in.App.Cache()
	if err != nil {
		return nil, err
	}
	stats, err := cache.Stats(ctx)
	if err != nil {
		return nil, err
	}
	r := cacheReport{Entries: stats.Entries, Expired: stats.Expired, Bytes: stats.Bytes, FileBytes: stats.FileBytes}
	if !stats.Oldest.IsZero() {
		r.Oldest, r.Newest = new(stats.Oldest.UTC()), new(stats.Newest.UTC())
	}
	for _, s := range stats.Sources {
		r.Sources = append(r.Sources, cacheSource(s))
	}
	return &result.Result{Payload: r}, nil
}

type cacheCleaned struct {
	DryRun       bool  `json:"dry_run"`
	Removed      int64 `json:"removed"`
	RemovedBytes int64 `json:"removed_bytes"`
	Left         int64 `json:"left"`
	LeftBytes    int64 `json:"left_bytes"`
}

func (c cacheCleaned) Doc() result.Doc {
	verb := "Removed"
	if c.DryRun {
		verb = "Would remove"
	}
	return result.Doc{result.Para{Text: fmt.Sprintf("%s %d responses (%s); %d are left (%s).",
		verb, c.Removed, result.Size(c.RemovedBytes), c.Left, result.Size(c.LeftBytes))}}
}

func cacheClean(ctx context.Context, in *command.Input) (*result.Result, error) {
	age, err := ageOf(in, "max-age", "30d")
	if err != nil {
		return nil, err
	}
	size, err := sizeOf(in.String("max-size"))
	if err != nil {
		return nil, err
	}
	cache, err := in.App.Cache()
	if err != nil {
		return nil, err
	}
	removed, err := cache.Clean(ctx, age, size, in.Bool("dry-run"))
	if err != nil {
		return nil, err
	}
	return &result.Result{Payload: cacheCleaned{in.Bool("dry-run"), removed.Removed, removed.RemovedBytes, removed.Remaining,
		removed.RemainingBytes}}, nil
}

func cacheClear(ctx context.Context, in *command.Input) (*result.Result, error) {
	if err := in.Confirm("clearing the cache", "Remove every cached response?", "cache", "clear", "--yes"); err != nil {
		return nil, err
	}
	cache, err := in.App.Cache()
	if err != nil {
		return nil, err
	}
	removed, err := cache.Clear(ctx)
	if err != nil {
		return nil, err
	}
	return &result.Result{Payload: cacheCleaned{Removed: removed.Removed, RemovedBytes: removed.RemovedBytes}}, nil
}

// ageOf parses a flag such as 90s, 15m, 12h, 30d or 4w. example is a valid value, suggested if
// the value is invalid. It returns 0 if the flag is not set.
func ageOf(in *command.Input, flag, example string) (time.Duration, error) {
	s := in.String(flag)
	if s == "" {
		return 0, nil
	}
	invalid := func(problem string) error {
		return result.Invalid(fmt.Sprintf("--%s %q %s", flag, command.Clip(s), problem),
			in.LineWith("--"+flag, example)...)
	}
	m := regexp.MustCompile(`^(\d{1,6})(s|m|h|d|w)$`).FindStringSubmatch(s)
	if m == nil {
		return 0, invalid("is not a time such as 12h or 30d")
	}
	n, _ := strconv.Atoi(m[1]) // at most six digits
	unit := map[string]time.Duration{
		"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
	}[m[2]]
	if n == 0 || n > int(100*365*24*time.Hour/unit) {
		return 0, invalid("must be more than 0 and less than 100 years")
	}
	return time.Duration(n) * unit, nil
}

// sizeOf parses a size such as 1000, 500M or 5G, with units in powers of 1024.
func sizeOf(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	m := regexp.MustCompile(`^(\d{1,9})([KMGT]?)B?$`).FindStringSubmatch(strings.ToUpper(s))
	if m == nil {
		return 0, result.Invalid(fmt.Sprintf("--max-size %q is not a size such as 500M or 5G", command.Clip(s)),
			"cache", "clean", "--max-size", "5G")
	}
	n, _ := strconv.ParseInt(m[1], 10, 64) // at most nine digits
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[m[2]]
	if n == 0 || n > math.MaxInt64>>shift {
		return 0, result.Invalid(fmt.Sprintf("--max-size %q is out of range", s), "cache", "clean", "--max-size", "5G")
	}
	return n << shift, nil
}

func timeText(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
