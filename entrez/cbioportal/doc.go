// Package cbioportal asks cBioPortal's datahub: which studies it has, and for the
// archive of one, a tar file packed with gzip that holds the study's folder
// (https://github.com/cBioPortal/datahub); and the portal itself for the gene panels
// that a study names and does not bring. What is in the archive, and in a panel, is
// for package store/study to read.
//
//	hub := cbioportal.New(client)
//	ids, err := hub.Studies(ctx)
//	err = hub.Save(ctx, "msk_impact_2017", &polite.File{Path: path})
package cbioportal
