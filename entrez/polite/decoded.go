package polite

import (
	"reflect"
	"sync"
)

// decoded is what was made of replies that came from memory, so that a server makes it
// once. A reply is known by where it lies, and held here, so that nothing else lies
// there. Where there is too much, some is dropped.
type decoded struct {
	mu    sync.Mutex
	of    map[place]made
	bytes int
}

// place is where a reply lies, and the type of what was made of it.
type place struct {
	first *byte
	made  reflect.Type
}

type made struct {
	body  []byte
	value any
}

const (
	// maxDecoded bounds the replies, in bytes; what is made of one takes a few times
	// as many.
	maxDecoded     = 4 << 20
	maxDecodedBody = 64 << 10
)

// Decoded is what decode makes of a reply that [Service.Do] or [Service.Kept]
// returned. It may be shared with other calls: do not change it. An error is not kept.
func Decoded[T any](s *Service, body []byte, decode func([]byte) (T, error)) (T, error) {
	if len(body) == 0 || len(body) > maxDecodedBody {
		return decode(body)
	}
	d, at := &s.client.decoded, place{&body[0], reflect.TypeFor[T]()}
	d.mu.Lock()
	m, ok := d.of[at]
	d.mu.Unlock()
	if ok && len(m.body) == len(body) {
		return m.value.(T), nil
	}
	value, err := decode(body)
	if err == nil {
		d.add(at, made{body, value})
	}
	return value, err
}

func (d *decoded) add(at place, m made) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[place]made{}
	}
	d.bytes += len(m.body) - len(d.of[at].body)
	d.of[at] = m
	for other, o := range d.of {
		if d.bytes <= maxDecoded {
			break
		}
		if other != at {
			delete(d.of, other)
			d.bytes -= len(o.body)
		}
	}
}
