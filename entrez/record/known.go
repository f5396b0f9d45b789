package record

import "encoding/json"

// Known is a list of texts. It is null in JSON if it is nil, because the texts are not known then; an empty list says
// that there are none.
type Known []string

// MarshalJSON returns the list, or null.
func (k Known) MarshalJSON() ([]byte, error) { return json.Marshal([]string(k)) }
