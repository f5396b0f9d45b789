// Package medgen reads what the E-utilities answer about concepts of MedGen: diseases,
// findings and their names in other vocabularies.
//
// Asking is package entrez's; here is what the answer means. Most of it is in
// conceptmeta, XML inside the summary: elements without a root in JSON, child elements
// in today's XML, escaped text in that of 2014. A hereditary cancer syndrome can have
// the semantic type Finding, so the type says nothing about what is a disease.
//
// Definitions belong to their sources. Those of GeneReviews (University of Washington),
// OMIM, SNOMED CT and MedDRA are not passed on, only named; nor are the names of the
// last two.
//
// Sources: ESummary version 2.0 of db=medgen (document type 20190125);
// https://www.ncbi.nlm.nih.gov/medgen/docs/help/ and /docs/faq/.
package medgen
