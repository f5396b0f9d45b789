// Package pubmedfiles downloads all of PubMed from NLM's file server (https://ftp.ncbi.nlm.nih.gov/pubmed/): the
// yearly baseline of about 1,300 files, and the daily update files, whose numbers continue those of the baseline.
// Package entrez/pubmed parses the files, and package rag/intake decides their order.
//
//	files := pubmedfiles.New(client)
//	index, err := files.Index(ctx)
//	sum, err := files.MD5(ctx, index.Baseline[0])
//	err = files.Save(ctx, index.Baseline[0], &httpclient.File{Path: path})
package pubmedfiles
