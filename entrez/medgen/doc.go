// Package medgen parses the E-utilities' summaries of MedGen concepts: diseases, findings and their
// names in other vocabularies. Package entrez fetches them.
//
// Most of a summary is in conceptmeta, which is XML: elements without a root in JSON, child
// elements in today's XML, escaped text in that of 2014. The semantic type does not tell diseases
// from findings, since a hereditary cancer syndrome can have the type Finding.
//
// Definitions belong to their sources. The package omits the definitions of GeneReviews (University
// of Washington), OMIM, SNOMED CT and MedDRA and only names the source. It omits the names of the
// last two as well.
//
// Sources: ESummary version 2.0 of db=medgen (document type 20190125);
// https://www.ncbi.nlm.nih.gov/medgen/docs/help/ and /docs/faq/.
package medgen
