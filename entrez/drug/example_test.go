package drug_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"biomcp/entrez/drug"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav/rxnavtest"
)

func Example() {
	sim, err := entreztest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	rxnavtest.AddTo(sim.Server)
	network, err := httpclient.New(httpclient.Config{
		Tool: "example", Email: "someone@example.org",
		Addresses: sim.Config().Addresses, // without Addresses the client uses RxNav and NCBI themselves
	})
	if err != nil {
		log.Fatal(err)
	}
	drugs := drug.New(network)
	word := "Gleevec"
	d, err := drugs.Find(context.Background(), word)
	if miss, ok := errors.AsType[*resolve.Miss](err); ok && miss.Kind == resolve.Alias {
		fmt.Println(word, "is a", miss.NameType)
		d, err = drugs.Find(context.Background(), miss.Candidates[0].Symbol)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Name, d.RxCUI, d.Brands, d.Synonyms, d.Routes)
	// Output:
	// Gleevec is a brand
	// imatinib 282388 [Gleevec] [imatinib mesylate] [Oral]
}
