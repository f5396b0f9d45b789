package store

// ScanAll makes searches by meaning scan all partitions until undo is called.
func (s *Store) ScanAll() (undo func()) {
	was := s.sizes
	s.sizes.minScanned, s.sizes.maxScanned = 1<<40, 1<<40
	return func() { s.sizes = was }
}
