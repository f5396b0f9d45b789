// Package pubmedfiles asks NLM's file server for all of PubMed: the baseline of a
// year, some 1,300 files, and the update files of every day since, numbered in one
// row (https://ftp.ncbi.nlm.nih.gov/pubmed/). What is in a file is for package
// entrez/pubmed to read, and the order of files for package rag/intake.
//
//	files := pubmedfiles.New(client)
//	index, err := files.Index(ctx)
//	sum, err := files.MD5(ctx, index.Baseline[0])
//	err = files.Save(ctx, index.Baseline[0], &polite.File{Path: path})
package pubmedfiles
