// Package clinvar parses the E-utilities' replies about variants in ClinVar: the summary, in the shape since 2024
// with three classifications, and the VCV record with its submissions. Package entrez sends the requests.
//
// A record may have submissions and no classification. Such a variant is neither benign nor an error.
//
// Sources: ESummary version 2.0 of db=clinvar and its document type; ClinVar's VCV schema (ClinVar_VCV_2.0.xsd);
// for stars https://www.ncbi.nlm.nih.gov/clinvar/docs/review_status/.
package clinvar
