package entrez

import (
	"context"
	"errors"
)

// Ping makes the smallest call to a service, once and past the cache. nil says
// that it answers.
func (c *Client) Ping(ctx context.Context, s Service) error {
	var r *request
	switch s {
	case Entrez:
		r = newRequest(einfo, "retmode", "xml")
	case IDConverter:
		r = newRequest(idconv, "ids", "PMC3531190", "idtype", "pmcid", "format", "json")
	case PubTator:
		r = newRequest(bioc, "pmids", "1")
	default:
		return invalid("health", "no service %q", string(s))
	}
	r.once = true
	_, err := c.send(WithoutCache(ctx), r)
	var e *Error
	if s == PubTator && errors.As(err, &e) && noneAnnotated(e) {
		return nil
	}
	return err
}
