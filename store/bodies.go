package store

// bodyCodec compresses document bodies.
type bodyCodec struct{}

func (*bodyCodec) close() {}
