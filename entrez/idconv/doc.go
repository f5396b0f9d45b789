// Package idconv is a client of the PMC ID converter, which maps PMIDs, PMCIDs, DOIs and manuscript
// IDs of articles in PMC to each other (https://pmc.ncbi.nlm.nih.gov/tools/id-converter-api/). It
// does not know articles outside PMC.
//
//	pmids, err := idconv.Convert(ctx, client, []string{"PMC3531190"})
package idconv
