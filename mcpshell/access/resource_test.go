package access

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMetadataOfTheResource(t *testing.T) {
	for audience, want := range map[string]string{audience: audience, "biomcp": "http://localhost:8080/mcp"} {
		rules := Rules{Provider: &Provider{Issuer: issuer, Audience: audience}}
		mux := http.NewServeMux()
		rules.HandleMetadata(mux)
		for _, path := range []string{"", "/mcp"} {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost:8080/.well-known/oauth-protected-resource"+path, nil))
			var got map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got["resource"] != want || fmt.Sprint(got["authorization_servers"], got["scopes_supported"]) != "["+issuer+"] [biomcp:read]" {
				t.Errorf("%s: %v %s", path, err, w.Body)
			}
		}
	}
	mux := http.NewServeMux()
	Rules{Provider: &Provider{Issuer: issuer, Audience: "biomcp"}}.HandleMetadata(mux)
	behind := httptest.NewRequest("GET", "http://mcp.example.org"+metadataPath, nil)
	behind.Header.Set("X-Forwarded-Proto", "https") // set by a proxy that ends TLS
	w := httptest.NewRecorder()
	if mux.ServeHTTP(w, behind); !strings.Contains(w.Body.String(), `"resource":"https://mcp.example.org/mcp"`) {
		t.Error(w.Body)
	}
	mux = http.NewServeMux()
	Rules{Key: key}.HandleMetadata(mux)
	w = httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", metadataPath, nil))
	if w.Code != 404 {
		t.Errorf("without a provider: %d %s", w.Code, w.Body)
	}
}
