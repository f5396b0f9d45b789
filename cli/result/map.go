package result

// Map returns what f makes of each member of a list.
func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, member := range list {
		out[i] = f(member)
	}
	return out
}
