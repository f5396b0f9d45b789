//go:build unix

package disk

import "golang.org/x/sys/unix"

// FreeSpace is how many bytes can be written to the disk of a folder; false where
// that is not known.
func FreeSpace(folder string) (int64, bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
