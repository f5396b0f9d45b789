// Package idconv asks the PMC ID converter, which translates PMIDs, PMCIDs, DOIs
// and manuscript ids of articles in PMC into each other
// (https://pmc.ncbi.nlm.nih.gov/tools/id-converter-api/). It knows no article
// outside PMC.
//
//	pmids, err := idconv.Convert(ctx, client, []string{"PMC3531190"})
package idconv
