package store

// SearchPartitions sets how many chunks in partitions a search by meaning looks at,
// unless n is 0, and returns how many it was.
func (s *Store) SearchPartitions(n int64) (was int64) {
	if was = s.sizes.scanned; n > 0 {
		s.sizes.scanned = n
	}
	return was
}
