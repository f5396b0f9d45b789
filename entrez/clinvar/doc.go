// Package clinvar reads what the E-utilities answer about variants in ClinVar: the
// summary (the shape since 2024, with three classifications) and the VCV record with
// its submissions.
//
// Asking is package entrez's; here is what the answer means. A record can have no
// classification at all with submissions behind it: that is neither benign nor an
// error.
//
// Sources: ESummary version 2.0 of db=clinvar and its document type; ClinVar's VCV
// schema (ClinVar_VCV_2.0.xsd); for stars
// https://www.ncbi.nlm.nih.gov/clinvar/docs/review_status/.
package clinvar
