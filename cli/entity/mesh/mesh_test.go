package mesh_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestMeshHasPages(t *testing.T) {
	srv := entreztest.New(t, entreztest.NoLimit())
	for i := range 25 {
		if err := srv.SetHeading(entreztest.Heading{UI: fmt.Sprintf("D9000%02d", i), Terms: []string{fmt.Sprintf("Synthetic heading %02d", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	app := commandtest.NCBI(t, srv)
	var names []string
	for _, offset := range []int{0, 10, 20} {
		t.Run(fmt.Sprint(offset), func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, fmt.Sprintf("search mesh synthetic --json --offset %d", offset))
			var got struct {
				Total, Offset int
				Results       []struct{ Name string }
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || got.Total != 25 || got.Offset != offset {
				t.Fatal(code, err, text)
			}
			for _, r := range got.Results {
				names = append(names, r.Name)
			}
			if more := fmt.Sprintf("--offset %d", offset+10); strings.Contains(text, more) != (offset < 20) {
				t.Errorf("at %d, the next page: %s", offset, text)
			}
		})
	}
	if len(names) != 25 || names[0] != "Synthetic heading 00" || names[24] != "Synthetic heading 24" {
		t.Error(names)
	}
}
