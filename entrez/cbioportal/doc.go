// Package cbioportal asks cBioPortal's datahub: which studies it has, and for the
// archive of one, a tar file packed with gzip that holds the study's folder
// (https://github.com/cBioPortal/datahub). What is in the archive is for package
// store/study to unpack and read.
//
//	hub := cbioportal.New(client)
//	ids, err := hub.Studies(ctx)
//	err = hub.Save(ctx, "msk_impact_2017", &polite.File{Path: path})
package cbioportal
