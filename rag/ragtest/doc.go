// Package ragtest tests search engines and rankings: a reference index in memory
// that scores every chunk by the definition (Memory), the conformance suite that
// every engine passes (Suite), the measures of a ranking against relevance
// judgements (Evaluate), and a reader of test collections (Load).
//
// Only tests import it.
//
//	func TestEmbeddedPassesTheSuite(t *testing.T) {
//		ragtest.Suite(t, ragtest.Engine{Open: openEmbedded})
//	}
package ragtest
