// Package archive puts studies into the folder of studies and takes them out again:
// the tar file packed with gzip that a datahub gives out, or the files of a bundled
// study.
//
//	w, err := archive.Begin(studies, "msk_impact_2017") // one process at a time
//	defer w.Close()
//	// ... the download is put at w.File()
//	origin, err := w.Unpack(ctx, archive.Origin{URL: address}, archive.Most)
//
// # Safety
//
// An archive is not trusted. Entries are files and folders below a folder with the
// study's id, whose names are portable, and differ by more than case; there are
// bounds on their number, their size and the size of all; the whole of gzip's stream
// is read, so that its checksum and length hold. Anything else refuses the archive,
// which is removed with all that was unpacked. Files are made by os.Root, in a folder
// that nothing else reads.
//
// # Layout
//
// Next to the studies, in the folder ".downloads", which is there only while it is
// needed:
//
//	ID.tar.gz       what has come of the archive; kept when a download is interrupted
//	ID.tar.gz.json  of what it is the beginning (polite.File)
//	ID.lock         held by the process at work
//	ID/             the study as far as it is unpacked, until it is renamed to where it belongs
//	ID.removed/     a study on its way out
//
// A study is there, whole, or it is not, since its files are on the disk before it has
// its name: a process killed at any moment, or a power failure, leaves nothing but these,
// and the next one goes on with the first two and removes the rest.
package archive
