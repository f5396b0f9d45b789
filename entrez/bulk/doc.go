// Package bulk brings data sets that institutions publish as whole files, to be kept
// on this machine: tests of the Genetic Testing Registry, medicines of the EMA and of
// WHO, CDC's vaccine codes, MeSH, HGNC's
// names of genes. What is in a file is for package store/table to read
// and keep.
//
//	saved, err := bulk.Save(ctx, client, bulk.CVX, bulk.CVX.Files[0], &polite.File{Path: path}, now, nil)
//
// Each [Set] is a value with its [polite.Source], its files, how large they may be,
// after what time they are stale, and on what terms they are used.
package bulk
