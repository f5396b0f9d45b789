package disease_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"biomcp/entrez/disease"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
)

func Example() {
	sim, err := entreztest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	network, err := httpclient.New(httpclient.Config{
		Tool: "example", Email: "someone@example.org",
		Addresses: sim.Config().Addresses, // without Addresses the client uses NCBI itself
	})
	if err != nil {
		log.Fatal(err)
	}
	diseases := disease.New(network)
	for _, word := range []string{"HNPCC", "MSH2"} {
		d, err := diseases.Find(context.Background(), word)
		miss, missed := errors.AsType[*resolve.Miss](err)
		switch {
		case missed:
			fmt.Println(word, "is the", miss.NameType, "of a", miss.Of)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(d.Name, d.XRefs.MONDO, d.Inheritance)
		}
	}
	// Output:
	// Lynch syndrome [MONDO:0005835] [Autosomal dominant inheritance]
	// MSH2 is the symbol of a gene
}
