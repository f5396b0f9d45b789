// Package entrez is a client of the NCBI E-utilities for PubMed and other databases.
//
// Package polite sends the requests: it identifies the program, keeps the rate limit
// across processes, retries, caches and removes the key from replies. Package ncbi holds
// the rules common to all NCBI services, and package pubmed parses PubMed records. This
// package builds the requests and interprets the replies. It turns every error that NCBI
// reports into a [httpclient.Error], even if the status is 200. An unknown ID in a good reply
// is listed as Missing and is not an error. PubMed returns at most 9,999 records per
// search; longer lists are collected in slices, with a [Tally] of the promised and the
// received records.
//
// The package neither stores nor formats results. URLs in results omit tool, email and
// api_key, and the parameters of a POST.
//
//	network, err := httpclient.New(httpclient.Config{Tool: "mytool", Email: "me@example.org"})
//	client := entrez.New(network)
//	found, err := client.Search(ctx, entrez.SearchParams{Term: "ergothioneine", RetMax: 5})
//	got, err := client.Fetch(ctx, found.IDs)
//
// Sources: Entrez Programming Utilities Help (NBK25497, NBK25499), the DTDs at
// https://eutils.ncbi.nlm.nih.gov/eutils/dtd/. NCBI asks that users of software
// built on these are shown its disclaimer (NBK25497).
package entrez
