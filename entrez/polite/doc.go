// Package polite makes HTTP calls to public services the way each of them asks:
// identified, never faster than allowed, patient with a busy server and never
// asking twice for what is already known.
//
// It knows no service. A [Source] is a value that declares one: its name and
// address, how often it may be asked, which key it takes, what its replies mean
// and how long they are kept. A package under entrez has its Source and the
// client that uses it; entrez/sources lists them.
//
//	var Source = polite.Source{Name: "toy", Label: "Toy", Address: "https://toy.example/api/",
//		Rate: polite.Rate{Lane: "toy", PerSecond: 2}, Ping: polite.NewCall(status)}
//	var status = polite.Endpoint{Op: "status", Path: "status", Form: polite.JSON, TTL: time.Hour}
//
//	client, err := polite.New(polite.Config{Tool: "mytool", SlotDir: dir})
//	reply, err := client.To(&Source).Do(ctx, polite.NewCall(status, "name", "value"))
//
// Every failure is an [Error], which says whose fault it is and names the source.
//
// A client is a stack of small http.RoundTrippers, which a request passes in this
// order:
//
//	share     identical requests under way at once are made once
//	cache     a stored reply is returned without a request, an old one where the
//	          source cannot be reached
//	deadline  one limit over queue, retries and transfer
//	retry     429, 5xx, HTML, broken and truncated replies are asked for again,
//	          and once where there is no connection
//	pace      a slot in the machine-wide queue, a new one for each attempt
//	identify  tool, email and key are added; keys are wiped from replies
//	count     how often each source was asked, and with what status ([Client.Activity])
//	receive   one attempt's time limit, and a bound on what is read
//	transport the network
//
// Two things follow from the order. A key exists only below identify, so nothing
// above (errors, logs, cache keys, redirects) can hold it. And every reply above
// receive is whole and in memory, so that it can be judged, kept and shared.
//
// A reply that is too long for memory is put into a file, which is continued where it
// ended: [Service.Save].
//
// A reply that is a list of records can be kept record by record: [Service.Kept]
// and [Service.Keep].
//
// # What is kept of a reply, and why
//
// The figures are for a call of "get article" that a server answers again
// (BenchmarkCachedArticle in package cli, on a busy machine with two cores), with the parts
// below switched off one after the other.
//
//	share            for calls at the same time: one request instead of several, whatever
//	                 the source takes
//	cache            the file, shared by all processes, for hours to weeks: 1.7 ms in the
//	                 place of a request
//	store/replies    holds what it read last of that file in memory: 1.0 ms instead of 1.7
//	cli, answers     the whole answer to a line, for as long as the cache has the same
//	                 replies ([Client.Holds]): 0.03 ms instead of 1.0
//
// What is made of a reply is not kept: that would save half a millisecond, and only
// where another line asks for the same record.
//
// [Until] puts one deadline on all calls of a command, and a [Watch] knows what it
// waits for and which of its replies are old; where all are from the cache, they are the
// [Replies] that [Client.Holds] looks for again.
//
// [Retry] is the part that services which are not sources use too: embeddings and
// the Weaviate engine.
package polite
