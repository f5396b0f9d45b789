package variant_test

import (
	"context"
	"fmt"
	"log"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/variant"
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
	found, err := variant.New(network).Find(context.Background(), "BRAF V600E")
	if err != nil {
		log.Fatal(err) // a *resolve.Miss if ClinVar and dbSNP do not have it
	}
	for _, v := range found {
		fmt.Println(v.ID, v.RSID, v.HGVS.C, v.Germline.Description)
	}
	// Output: VCV000013961 rs113488022 NM_004333.6:c.1799T>A Pathogenic/Likely pathogenic
}
