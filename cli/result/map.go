package result

// Map returns the results of f for the members of a list, never nil.
func Map[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, member := range list {
		out[i] = f(member)
	}
	return out
}
