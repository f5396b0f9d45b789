// Package cbioportal is a client for cBioPortal's datahub and for the portal itself. The
// datahub (https://github.com/cBioPortal/datahub) lists its studies and offers each as a
// gzipped tar file with the study's folder. The portal provides gene panels that a study
// names but does not include. Package store/study reads the archives and panels.
//
//	hub := cbioportal.New(client)
//	ids, err := hub.Studies(ctx)
//	err = hub.Save(ctx, "msk_impact_2017", &httpclient.File{Path: path})
package cbioportal
