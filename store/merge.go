package store

import "context"

func (s *Store) mergeDue(ctx context.Context) error { return nil }
