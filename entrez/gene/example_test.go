package gene_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/gene"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
)

func Example() {
	sim, err := entreztest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	datasetstest.AddTo(sim.Server)
	network, err := httpclient.New(httpclient.Config{
		Tool: "example", Email: "someone@example.org",
		Addresses: sim.Config().Addresses, // without Addresses the client uses NCBI itself
	})
	if err != nil {
		log.Fatal(err)
	}
	genes := gene.New(network)
	for _, word := range []string{"BRAF", "HER2"} {
		g, err := genes.Find(context.Background(), word)
		miss, missed := errors.AsType[*resolve.Miss](err)
		switch {
		case missed:
			fmt.Println(word, "is", miss.Kind, miss.Candidates[0].Symbol)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(g.Symbol, g.ID, g.HGNC, g.Location)
		}
	}
	// Output:
	// BRAF 673 HGNC:1097 GRCh38 7:140719327-140924929 (-), 20 exons
	// HER2 is alias of ERBB2
}
