package entity

// All is every entity, in the order help shows them.
func All() []Entity {
	return []Entity{
		article(),
		mesh(),
		citation(),
		spelling(),
		ids(),
		database(),
		corpus(),
		documentEntity(),
		checkpointEntity(),
	}
}
