package entrez_test

import (
	"context"
	"fmt"
	"log"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

func ExampleClient() {
	sim, err := entreztest.Start(entreztest.File("entreztest/testdata/synthetic.xml"))
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	network, err := httpclient.New(httpclient.Config{
		Tool: "example", Email: "someone@example.org", MaxRetries: httpclient.DefaultMaxRetries,
		Addresses: sim.Config().Addresses, // without Addresses the client uses NCBI itself
	})
	if err != nil {
		log.Fatal(err)
	}
	client := entrez.New(network)
	ctx := context.Background()
	found, err := client.Search(ctx, entrez.SearchParams{Term: "(asthma) AND randomized controlled trial[pt]", RetMax: 5})
	if err != nil {
		log.Fatal(err)
	}
	got, err := client.Fetch(ctx, found.IDs)
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range got.Articles {
		fmt.Println(a.PMID, a.Journal.Title)
	}
	// Output: 80000001 Imaginary journal of lung research (Nowhere)
}
