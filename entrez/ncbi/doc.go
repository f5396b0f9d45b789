// Package ncbi holds the rules common to all NCBI services: the rate limit, the API key, the
// parameters that identify the caller, the formats of error messages and helpers for loosely typed
// JSON. The clients are in package entrez (E-utilities), entrez/pubtator and entrez/idconv.
//
// Sources: Entrez Programming Utilities Help (NBK25497, NBK25499), and replies observed from NCBI,
// often with status 200.
package ncbi
