package entreztest_test

import (
	"fmt"
	"io"

	"biomcp/entrez/entreztest"
)

// A server of synthetic records that rejects the first request.
func ExampleStart() {
	srv, err := entreztest.Start(entreztest.XML(entreztest.Generate(200, 1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	if err := srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Limit429}); err != nil {
		fmt.Println(err)
	}
	for range 2 {
		r, err := srv.Client().Get(srv.EntrezURL() + "esearch.fcgi?term=2024[crdt]&rettype=count&retmode=json")
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		fmt.Println(r.StatusCode, string(body))
	}
	fmt.Println(srv.Limited(), "of", srv.Count("esearch"))
	// Output:
	// 429 {"error":"API rate limit exceeded","api-key":"127.0.0.1","count":"4","limit":"3"}
	// 200 {"header":{"type":"esearch","version":"0.3"},"esearchresult":{"count":"10"}}
	// 1 of 2
}
