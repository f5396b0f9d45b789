// Package bulk downloads data sets that institutions publish as whole files: the Genetic Testing Registry,
// medicines of the EMA and of WHO, vaccine codes of the CDC, MeSH, HGNC's gene names, HPO, classifications of
// ClinGen and GenCC, evidence of CIViC, and the tables of CPIC, which are read in pages. Package store/table parses
// and stores the files.
//
//	saved, err := bulk.Save(ctx, client, bulk.CVX, bulk.CVX.Files[0], &httpclient.File{Path: path}, now, nil)
//
// Each [Set] declares its [httpclient.Source], its files, their maximum size, the age at which they are stale, and
// their licence.
package bulk
