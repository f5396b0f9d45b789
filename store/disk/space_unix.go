//go:build unix

package disk

import "golang.org/x/sys/unix"

// FreeSpace returns the number of bytes that can be written to the disk of a folder. It reports
// false if that is unknown.
func FreeSpace(folder string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
