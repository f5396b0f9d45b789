package command

// Owner returns the name of the entity whose id a text has the form of, "" where it has
// that of none.
func (t *Tree) Owner(text string) string {
	for _, group := range t.Commands(t.Root) {
		for _, c := range t.Commands(group) {
			if def := t.Def(c); def != nil && def.Owns != nil && def.Owns(text) {
				return c.Name()
			}
		}
	}
	return ""
}
