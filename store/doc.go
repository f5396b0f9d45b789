// Package store keeps things on this disk: the corpus with its search index in
// one SQLite file, and, in another file, replies of remote services.
//
// It is not for deciding what a text means: texts come here already cut into
// chunks and terms, and vectors already computed.
//
//	cache, err := store.OpenCache(filepath.Join(cacheDir, "replies.db"))
//	if err != nil { … } // go on without a cache
//	defer cache.Close()
//	err = cache.Put(ctx, "efetch "+url, body, 7*24*time.Hour)
//	body, ok, err := cache.Get(ctx, "efetch "+url)
package store
