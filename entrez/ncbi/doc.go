// Package ncbi holds what the services of NCBI have in common: the rate, the key
// and the identity they ask for, the shapes in which they report errors, and the
// looseness of their JSON. The services themselves are package entrez
// (E-utilities), entrez/pubtator and entrez/idconv.
//
// Sources: Entrez Programming Utilities Help (NBK25497, NBK25499), and replies
// that NCBI has been seen to send, often with status 200.
package ncbi
