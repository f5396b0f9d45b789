// Command imports does nothing. It links the libraries this project is built
// on, so that the start of biomcp can be measured against what they cost alone
// (BenchmarkStart in cmd/biomcp).
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
