package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestRunPrintsTheAddressesAndServes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pr, pw := io.Pipe()
	done := make(chan error)
	go func() {
		done <- run(ctx, strings.Fields("--records ../testdata/synthetic.xml --pmc ../testdata/synthetic.nxml --key k1 k2 --synthetic 3 --addr=127.0.0.1:0 --no-limit"), pw)
	}()
	env := map[string]string{}
	lines := bufio.NewScanner(pr)
	for len(env) < 4 && lines.Scan() {
		name, value, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		if !ok || !strings.HasPrefix(lines.Text(), "export BIOMCP_") {
			t.Fatalf("line %q", lines.Text())
		}
		env[name] = value
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, pr) }() // the addresses of the other sources; ends with the pipe
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	get := func(url string) (int, string) {
		r, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(body)
	}
	for url, want := range map[string]string{
		env["BIOMCP_ENTREZ_URL"] + "esearch.fcgi?term=all[sb]&rettype=count&api_key=k2":      "<Count>8</Count>",
		env["BIOMCP_ENTREZ_URL"] + "efetch.fcgi?db=pmc&id=8000001":                           "<article ",
		env["BIOMCP_PUBTATOR_URL"] + "publications/export/biocjson?pmids=80000001":           `"PubTator3"`,
		env["BIOMCP_IDCONV_URL"] + "?ids=80000001&format=json":                               `"pmcid":"PMC8000001"`,
		env["BIOMCP_ENTREZ_URL"] + "einfo.fcgi?api_key=1f00d5eed0fa51abe11ed5eed0fa51abe11e": "API key invalid",
		strings.TrimSuffix(env["BIOMCP_ENTREZ_URL"], "entrez/eutils/") + "control/state":     `"records":8`,
	} {
		t.Run(fmt.Sprintf("%.60s", url), func(t *testing.T) {
			if _, body := get(url); !strings.Contains(body, want) {
				t.Errorf("%s: %.300s", url, body)
			}
		})
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range []string{
		"--records", "--records nosuch.xml", "--nosuch", "--nosuch x", "stray", "--addr 0.0.0.0:0", "--addr a b", "--synthetic x",
		"--synthetic 0", "--pmc ../testdata/synthetic.xml", "--pubtator ../testdata/synthetic.xml", "--no-limit x",
	} {
		t.Run(args, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := run(ctx, strings.Fields(args), io.Discard); err == nil {
				t.Errorf("%s is taken", args)
			}
		})
	}
}
