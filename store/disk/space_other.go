//go:build !unix

package disk

// FreeSpace returns the number of bytes that can be written to the disk of a folder. It reports
// false if that is unknown.
func FreeSpace(string) (int64, bool) { return 0, false }
