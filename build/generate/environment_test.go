package main

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/sources"
	"biomcp/entrez/sourcetest/toytest"
)

// The table of the environment contains the variables of every source in the list.
func TestEnvironmentTableHasEverySource(t *testing.T) {
	text := environmentTable(command.Variables(append(sources.All(), &toytest.Source)...))
	for _, want := range []string{
		"| `BIOMCP_TOY_URL` | https://toy.example/api/ | address of Toy service |",
		"| `TOY_API_KEY` | - | API key for Toy service: 5 requests a second instead of 2 |",
		"| `BIOMCP_ENTREZ_URL` |", "| `NCBI_API_KEY` |",
	} {
		t.Run(want, func(t *testing.T) {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s is not in\n%s", want, text)
			}
		})
	}
}
