package polite

import (
	"errors"
	"strings"
	"testing"
)

func TestReplyIsDecodedOnce(t *testing.T) {
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, times := &Service{client: c}, 0
	length := func(body []byte) (int, error) {
		times++
		if len(body) == 3 {
			return 0, errors.New("too short")
		}
		return len(body), nil
	}
	body := []byte("a reply")
	for range 3 {
		if n, err := Decoded(s, body, length); n != 7 || err != nil {
			t.Error(n, err)
		}
	}
	if text, err := Decoded(s, body, func(b []byte) (string, error) { return string(b), nil }); text != "a reply" || err != nil {
		t.Error("of another type:", text, err)
	}
	if n, err := Decoded(s, []byte("a reply"), length); n != 7 || err != nil || times != 2 {
		t.Errorf("a reply in another place: %d %v, decoded %d times", n, err, times)
	}
	if n, err := Decoded(s, body[:4], length); n != 4 || err != nil {
		t.Errorf("the beginning of a reply: %d %v", n, err)
	}
	for range 2 {
		if _, err := Decoded(s, body[:3], length); err == nil {
			t.Error("an error was kept as a value")
		}
	}
}

func TestDecodedRepliesAreBounded(t *testing.T) {
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, text := &Service{client: c}, strings.Repeat("x", maxDecodedBody)
	for range 2 * maxDecoded / maxDecodedBody {
		if _, err := Decoded(s, []byte(text), func(b []byte) (int, error) { return len(b), nil }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Decoded(s, []byte(text+"x"), func(b []byte) (int, error) { return len(b), nil }); err != nil {
		t.Fatal(err)
	}
	if d := &c.decoded; d.bytes != maxDecoded || len(d.of) != maxDecoded/maxDecodedBody {
		t.Errorf("%d bytes of %d replies are held", d.bytes, len(d.of))
	}
}
