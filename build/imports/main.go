// Command imports does nothing. It links the libraries of this project, so that
// BenchmarkStart in cmd/biomcp can compare the start of biomcp with that of the libraries
// alone.
package main

import (
	_ "github.com/mark3labs/mcp-go/server"
	_ "github.com/olekukonko/tablewriter"
	_ "github.com/spf13/cobra"
	_ "github.com/wcharczuk/go-chart/v2"
	_ "github.com/weaviate/weaviate-go-client/v4/weaviate"
	_ "modernc.org/sqlite"
)

func main() {}
