// Package entrez asks PubMed's E-utilities, through one [Client] that keeps NCBI's
// rules for every call.
//
// How a request travels (identified, paced across processes, retried, cached,
// the key wiped) is package polite's, what holds for all services of NCBI package
// ncbi's; what a PubMed record says is package
// pubmed's. Here is what is asked and what the answer means: every way in which
// NCBI reports an error becomes a [polite.Error], also where the status is 200; an
// unknown id inside a good answer is Missing, not an error; and a list of more
// than the 9,999 records that PubMed gives out is collected from slices, with
// the number promised and the number that came.
//
// It is not a store and renders nothing. URLs in results are what was asked,
// without tool, email and api_key, which say who asked; for a POST they are the
// address alone.
//
//	network, err := polite.New(polite.Config{Tool: "mytool", Email: "me@example.org"})
//	client := entrez.New(network)
//	found, err := client.Search(ctx, entrez.SearchParams{Term: "ergothioneine", RetMax: 5})
//	got, err := client.Fetch(ctx, found.IDs)
//
// Sources: Entrez Programming Utilities Help (NBK25497, NBK25499), the DTDs at
// https://eutils.ncbi.nlm.nih.gov/eutils/dtd/. NCBI asks that users of software
// built on these are shown its disclaimer (NBK25497).
package entrez
