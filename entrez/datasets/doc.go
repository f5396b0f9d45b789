// Package datasets asks NCBI Datasets (v2) for genes by symbol or GeneID, with their
// ids in other databases, which the E-utilities do not have, their proteins, gene
// ontology and orthologs.
//
// It answers an alias as if it were the symbol: compare Gene.Symbol with Gene.Asked.
//
// Source: https://www.ncbi.nlm.nih.gov/datasets/docs/v2/api/rest-api/. Data are in the
// public domain.
package datasets
