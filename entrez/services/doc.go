// Package services holds the clients of small services: the Ontology Lookup Service, Reactome,
// MedlinePlus, Ensembl's variant recoder, LitVar2 and PubChem. Each has a file with its Source and
// a few functions. A service with more calls than these has a package of its own.
//
//	pathways, err := services.Pathways(ctx, network, "P15056")
//
// Errors are *httpclient.Error.
package services
