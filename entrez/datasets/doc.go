// Package datasets is a client of NCBI Datasets (v2). It returns genes by symbol or GeneID with
// their proteins, gene ontology, orthologs and IDs in other databases, which the E-utilities do not
// have.
//
// The service treats an alias like a symbol, so compare Gene.Symbol with Gene.Query.
//
// Source: https://www.ncbi.nlm.nih.gov/datasets/docs/v2/api/rest-api/. Data are in the public
// domain.
package datasets
