package bulk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/httpclient"
)

// pageRows is the number of rows requested at once. The server may send fewer.
const pageRows = 5000

// savePages reads a table of PostgREST in pages and writes it to disk as one JSON list, a row on each line. The
// number of all rows, in the header Content-Range, must be met and stay the same; otherwise the table was cut short
// or changed meanwhile, and nothing is written
// (https://docs.postgrest.org/en/v12/references/api/pagination_count.html).
func savePages(
	ctx context.Context, service *httpclient.Service, c *httpclient.Call, f File, to *httpclient.File,
) error {
	var rows []string
	size := int64(0)
	for total := -1; total < 0 || len(rows) < total; {
		limit := pageRows
		if f.Rows > 0 {
			limit = f.Rows
		}
		c.Set("limit", strconv.Itoa(limit))
		c.Set("offset", strconv.Itoa(len(rows)))
		c.CountRows = true
		body, err := service.Do(httpclient.WithoutCache(ctx), c)
		if err != nil {
			return err
		}
		list := gjson.ParseBytes(body)
		all, err := strconv.Atoi(c.ContentRange[strings.LastIndexByte(c.ContentRange, '/')+1:])
		page := list.Array()
		if f.Rows > 0 {
			all = min(all, f.Rows)
		}
		switch {
		case err != nil || !list.IsArray():
			return c.UnreadableError(errors.New("it is not a list with the number of all rows"))
		case total >= 0 && all != total:
			return c.UnreadableError(fmt.Errorf("%s changed while it was read: %d rows, then %d", f.Path, total, all))
		case len(rows)+len(page) > all || len(page) == 0 && all > len(rows):
			return c.UnreadableError(fmt.Errorf("it sent %d of the %d rows of %s", len(rows)+len(page), all, f.Path))
		}
		total = all
		for _, row := range page {
			rows = append(rows, row.Raw)
		}
		if size += int64(len(body)); size > c.MaxBytes {
			return c.UnreadableError(fmt.Errorf("%s has more than %d bytes", f.Path, c.MaxBytes))
		}
		if to.OnProgress != nil {
			to.OnProgress(size, -1)
		}
	}
	if err := os.WriteFile(to.Path, []byte("["+strings.Join(rows, ",\n")+"]\n"), 0o600); err != nil {
		return &httpclient.FileError{Err: err}
	}
	return nil
}
