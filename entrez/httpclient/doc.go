// Package httpclient makes HTTP calls to public services by their rules. It identifies
// the program, keeps each service's rate limit, retries when a server is busy and
// caches replies.
//
// The package contains no code for a particular service. A [Source] declares one: its
// name and address, rate limit, API key, how to judge its replies and how long to cache
// them. Each package under entrez defines its Source and a client for it; entrez/sources
// lists them all.
//
//	var Source = httpclient.Source{Name: "toy", Label: "Toy", Address: "https://toy.example/api/",
//		Rate: httpclient.Rate{Group: "toy", PerSecond: 2}, Ping: httpclient.NewCall(status)}
//	var status = httpclient.Endpoint{Op: "status", Path: "status", Form: httpclient.JSON, TTL: time.Hour}
//
//	client, err := httpclient.New(httpclient.Config{Tool: "mytool", SlotDir: dir})
//	reply, err := client.To(&Source).Do(ctx, httpclient.NewCall(status, "name", "value"))
//
// Every failure is an [Error], which names the source and states whose fault it is.
//
// A client is a stack of small http.RoundTrippers. A request passes them in this order:
//
//	share     sends identical concurrent requests once
//	cache     returns a stored reply; an expired one if the source is unreachable
//	deadline  limits the total time of queue, retries and transfer
//	retry     repeats after 429, 5xx, HTML, broken and truncated replies, and once
//	          after a failed connection
//	pace      waits for a slot in the machine-wide queue before each attempt
//	identify  adds tool, email and key; removes keys from replies
//	count     counts requests by source and status ([Client.Activity])
//	receive   limits the time of one attempt and the size of its reply
//	transport sends the request
//
// The order has two consequences. A key exists only below identify, so no layer above
// (errors, logs, cache keys, redirects) can contain it. Every reply above receive is
// complete and in memory, so that it can be judged, cached and shared.
//
// [Service.Save] writes a reply that is too long for memory to a file, and resumes an
// interrupted download. [Service.CachedParts] and [Service.StorePart] cache a list of records record
// by record.
//
// # Caches
//
// Each saves processor time of a typical answer (the median of twelve lines about articles, genes, drugs,
// variants, trials and diseases in a server, 20 pairs with and without it):
//
//	share          one request instead of several concurrent ones; costs 0.03 ms otherwise
//	cache          a file shared by all processes, valid for hours to weeks: 77 % of a line whose
//	               replies are known, and its requests
//	parts          articles of a list, each by itself: 61 % of such a line
//	store/replies  the most recently read part of that file in memory: 33 % of such a line
//	cli, answers   the complete answer to get article, valid while the cache holds the same replies
//	               ([Client.StillCached]): 84 % of a repeated line over HTTP, 10 % of the mixture
//
// Parsed replies are not cached. That would save half a millisecond, and only if another
// command line needs the same record.
//
// [WithEnd] sets one deadline for all calls of a command. A [Progress] reports the service a
// command waits for and which replies have expired. If all its replies come from the
// cache, they are the [Replies] that [Client.StillCached] compares later.
//
// Services without a Source (embeddings and the Weaviate engine) use [Retry] alone.
package httpclient
