package cpictest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/entrez/sourcetest"
)

// Table answers a request for a table as PostgREST does. rows is a JSON list of objects; the columns are the members of
// the first one. It supports filters with eq., select, order, limit, offset and "Prefer: count=exact". maxRows is the
// server's own limit (db-max-rows); 0 means that it has none.
func Table(c *sourcetest.Call, name string, rows []byte, maxRows int) sourcetest.Reply {
	all := gjson.ParseBytes(rows).Array()
	known := func(column string) bool { return len(all) == 0 || all[0].Get(column).Exists() }
	unknown := func(column string) sourcetest.Reply {
		return sourcetest.JSON(http.StatusBadRequest, map[string]any{"code": "42703", "details": nil, "hint": nil,
			"message": "column " + name + "." + column + " does not exist"})
	}
	for column, values := range c.Form {
		if slices.Contains([]string{"select", "order", "limit", "offset"}, column) {
			continue
		}
		value, isEqual := strings.CutPrefix(values[0], "eq.")
		switch {
		case !known(column):
			return unknown(column)
		case !isEqual:
			return sourcetest.JSON(http.StatusBadRequest,
				map[string]any{"code": "PGRST100", "message": "failed to parse filter (" + values[0] + ")"})
		}
		all = slices.DeleteFunc(all, func(row gjson.Result) bool { return row.Get(column).String() != value })
	}
	if order := c.Get("order"); order != "" {
		columns := strings.Split(order, ",")
		for i := range slices.Backward(columns) {
			column, desc := strings.CutSuffix(strings.TrimSuffix(columns[i], ".asc"), ".desc")
			if !known(column) {
				return unknown(column)
			}
			slices.SortStableFunc(all, func(a, b gjson.Result) int {
				x, y := a.Get(column), b.Get(column)
				if desc {
					x, y = y, x
				}
				return cmp.Or(cmp.Compare(x.Num, y.Num), strings.Compare(x.Str, y.Str))
			})
		}
	}
	var selected []string
	if list := c.Get("select"); list != "" && list != "*" {
		selected = strings.Split(list, ",")
		for _, column := range selected {
			if !known(column) {
				return unknown(column)
			}
		}
	}
	return page(c, all, selected, maxRows)
}

// page returns a page of rows with only the selected columns; nil selects all.
func page(c *sourcetest.Call, all []gjson.Result, selected []string, maxRows int) sourcetest.Reply {
	offset, _ := strconv.Atoi(c.Get("offset"))
	total, counted := "*", strings.Contains(c.Header.Get("Prefer"), "count=exact")
	if counted {
		total = strconv.Itoa(len(all))
	}
	if counted && offset > len(all) {
		return sourcetest.JSON(http.StatusRequestedRangeNotSatisfiable,
			map[string]any{"code": "PGRST103", "message": "Requested range not satisfiable"})
	}
	to := len(all)
	for _, limit := range []string{c.Get("limit"), strconv.Itoa(maxRows)} {
		if n, err := strconv.Atoi(limit); err == nil && (n > 0 || limit != "0") {
			to = min(to, offset+n)
		}
	}
	rows := []string{}
	for _, row := range all[min(offset, to):to] {
		rows = append(rows, project(row, selected))
	}
	held := "*"
	if len(rows) > 0 {
		held = fmt.Sprintf("%d-%d", offset, to-1)
	}
	status := http.StatusOK
	if counted && len(rows) < len(all) {
		status = http.StatusPartialContent
	}
	return sourcetest.Reply{Status: status, Type: sourcetest.JSONType,
		Body: []byte("[" + strings.Join(rows, ", \n ") + "]"), Header: http.Header{"Content-Range": {held + "/" + total}}}
}

func project(row gjson.Result, selected []string) string {
	if selected == nil {
		return row.Raw
	}
	parts := []string{}
	for _, column := range selected {
		parts = append(parts, strconv.Quote(column)+":"+row.Get(column).Raw)
	}
	return "{" + strings.Join(parts, ",") + "}"
}
