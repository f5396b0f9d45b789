// Package ragtest holds what engines and rankings are tested with: an index in
// memory that scores everything by definition (Memory), the suite that every
// engine of the corpus passes (Suite), and the measures of a ranking against
// judgements (Evaluate) with the reader of a test collection.
//
// Only tests import it.
//
//	func TestEmbedded(t *testing.T) {
//		ragtest.Suite(t, ragtest.Engine{Open: openEmbedded})
//	}
package ragtest
