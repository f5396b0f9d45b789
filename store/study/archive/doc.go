// Package archive adds studies to the folder of studies and removes them. It unpacks the
// gzipped tar file of a datahub, or copies a bundled study.
//
//	w, err := archive.Begin(studies, "msk_impact_2017") // one process at a time
//	defer w.Close()
//	// ... download to w.File()
//	origin, err := w.Unpack(ctx, archive.Origin{URL: address}, archive.DefaultLimits)
//
// # Safety
//
// Archives are not trusted. Entries must be files and folders below a folder named after
// the study's ID. Their names must be portable and differ by more than case. Their number,
// size and total size are limited. The gzip stream is read to its end, which verifies its
// checksum and length. An archive that violates a rule is rejected and removed, together with
// the unpacked files. Files are created through os.Root in a folder that no reader opens.
//
// # Layout
//
// The folder ".downloads" next to the studies exists only while it is needed:
//
//	ID.tar.gz       the archive, possibly partial; kept if a download is interrupted
//	ID.tar.gz.json  identifies the archive of a partial download (httpclient.File)
//	ID.lock         locked by the working process
//	ID/             the unpacked study, until it is renamed to its final place
//	ID.removed/     a study being removed
//
// A study appears completely or not at all, because its files are on the disk before the
// folder is renamed. A process killed at any moment, or a power failure, leaves only the
// files above. The next process resumes the download and removes the rest.
package archive
