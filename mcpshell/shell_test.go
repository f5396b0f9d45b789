package mcpshell

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// On both transports the server and its tool have a title and an icon, and the server has a
// website.
func TestServerShowsItself(t *testing.T) {
	o := Options{Website: "https://example.org/biomcp"}
	check := func(t *testing.T, hello, tools string) {
		t.Helper()
		var got struct {
			Result struct {
				ServerInfo mcp.Implementation
				Tools      []struct {
					Title string
					Icons []mcp.Icon
				}
			}
		}
		for _, text := range []string{hello, tools} {
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
		}
		info, tool := got.Result.ServerInfo, got.Result.Tools[0]
		if info.Title != "BioMCP" || info.WebsiteURL != o.Website || tool.Title != "BioMCP" || info.Description == "" || !slices.EqualFunc(info.Icons, tool.Icons, func(a, b mcp.Icon) bool { return a.Src == b.Src }) {
			t.Errorf("%+v %+v", info, tool)
		}
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(info.Icons[0].Src, "data:image/png;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || picture.Width != 48 || picture.Height != 48 || info.Icons[0].Sizes[0] != "48x48" || len(data) > 2000 {
			t.Errorf("%v %+v, %d bytes", err, picture, len(data))
		}
	}
	t.Run("stdio", func(t *testing.T) {
		served(t, o, func(t *testing.T, r *rig) {
			check(t, r.ask(initialize("0", "2025-11-25")).raw, r.ask(request("1", "tools/list", "{}")).raw)
		})
	})
	t.Run("http", func(t *testing.T) {
		overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
			check(t, r.post(initialize("0", "2025-11-25")).body, r.post(request("1", "tools/list", "{}"), r.open("2025-11-25")).body)
		})
	})
}
