// Package polite makes HTTP calls the way NCBI asks for them: identified, never
// faster than allowed, patient with a busy server and never asking twice for
// what is already known.
//
// It is a stack of small http.RoundTrippers. [New] is the only place that
// stacks them; a request passes them in this order:
//
//	share     identical requests under way at once are made once
//	cache     a stored answer is returned without a request
//	deadline  one limit over queue, retries and transfer
//	retry     429, 5xx, HTML, broken and truncated answers are asked for again
//	pace      a slot in the machine-wide queue, a new one for each attempt
//	identify  tool, email and api_key are added; the key is wiped from answers
//	receive   one attempt's time limit, and a bound on what is read
//	transport the network
//
// Two things follow from the order. The API key exists only below identify, so
// nothing above (errors, logs, cache keys, redirects) can hold it. And every
// answer above receive is whole and in memory, so that it can be judged, kept
// and shared.
//
// It is not an Entrez client: it knows how an answer is broken, not what it
// means. That is package entrez, which describes each request with a [Call]:
//
//	rt, err := polite.New(polite.Options{Tool: "mytool", KeyURL: base, SlotDir: dir})
//	client := &http.Client{Transport: rt, CheckRedirect: polite.SameOrigin}
//	ctx = polite.WithCall(ctx, polite.Call{Service: "NCBI", Lane: "ncbi", Form: polite.XML})
package polite
