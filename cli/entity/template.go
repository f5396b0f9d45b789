package entity

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// templateDepth is how deep a record without values is filled.
const templateDepth = 8

// fill allocates pointers and gives each list of structs one empty member, down to depth, so that
// the JSON of an empty record has the columns of all records. It does not fill members that JSON
// may omit.
func fill(v reflect.Value, depth int) {
	switch {
	case depth == 0 || !v.CanSet() && v.Kind() != reflect.Struct: // an embedded struct may be unexported
	case v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fill(v.Elem(), depth-1)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth-1)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if !strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omit") {
				fill(v.Field(i), depth-1)
			}
		}
	}
}

// addOptional adds the members that JSON may omit to a record without values, so that --fields finds
// them even if there are no records.
func addOptional(in *command.Input, template json.RawMessage, t reflect.Type) json.RawMessage {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !in.Changed("fields") || t.Kind() != reflect.Struct {
		return template
	}
	for _, field := range reflect.VisibleFields(t) {
		name, how, _ := strings.Cut(field.Tag.Get("json"), ",")
		if strings.HasPrefix(how, "omit") && !gjson.GetBytes(template, name).Exists() {
			template = slices.Concat(template[:len(template)-1], []byte(`,"`+name+`":null}`))
		}
	}
	return template
}

// TemplateOf returns a record without values, which has the columns of all records of a struct type.
func TemplateOf(record reflect.Type) (json.RawMessage, error) {
	none := reflect.New(record).Elem()
	fill(none, templateDepth)
	return result.JSON(none.Interface())
}

// template returns a row of the table of the answer without values, or a record without values.
func (a *answer[R]) template() (json.RawMessage, error) {
	if sec := a.spec.tableOf(a.sections); sec != nil {
		return sec.rowTemplate(a.spec.Name), nil
	}
	var none R
	record := reflect.ValueOf(&none).Elem()
	fill(record, templateDepth)
	for _, sec := range a.spec.Sections {
		if a.sections.Has(sec.Name) {
			requestParts(record, append(slices.Clone(sec.Members), sec.Name))
		}
	}
	list, err := a.records([]R{none})
	if err != nil {
		return nil, err
	}
	for _, sec := range a.spec.Sections {
		name := strings.ReplaceAll(sec.Name, "-", "_")
		if a.sections.Has(sec.Name) && sec.linked != nil && !gjson.GetBytes(list[0], name).Exists() {
			list[0] = slices.Concat(list[0][:len(list[0])-1], []byte(`,"`+name+`":[`), sec.rowTemplate(""), []byte("]}"))
		}
	}
	return list[0], nil
}

// requestParts requests each [Part] of a record with one of the given names in JSON, and fills it. It also
// fills a list that is omitted unless it was read.
func requestParts(v reflect.Value, names []string) {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		field := v.Field(i)
		name, how, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if !field.CanInterface() {
			continue
		}
		isNamed := slices.Contains(names, strings.ReplaceAll(name, "_", "-")) || slices.Contains(names, name)
		switch part, is := field.Addr().Interface().(interface{ request() }); {
		case is && isNamed:
			part.request()
			fill(field.FieldByName("Value"), templateDepth)
		case v.Type().Field(i).Anonymous:
			requestParts(field, names)
		case how == "omitzero" && field.Kind() == reflect.Slice && isNamed:
			fill(field, templateDepth)
		}
	}
}

// rowTemplate returns a row of the section without values, with a member for its record under the name of
// the entity. If the type of its rows is unknown, it has only this member.
func (sec *SectionOf[R]) rowTemplate(entity string) json.RawMessage {
	of := `"` + entity + `":null`
	if sec.keys != nil {
		return json.RawMessage("{" + strings.TrimPrefix(of+`,"`+strings.Join(sec.keys, `":null,"`)+`":null}`, `"":null,`))
	}
	row := sec.rowType
	if row == nil && sec.Lists != nil {
		record := reflect.New(reflect.TypeFor[R]().Elem()) // R is a pointer
		fill(record.Elem(), 2)
		row = reflect.TypeOf(sec.Lists(record.Interface().(R))[0]).Elem().Elem()
	}
	if row == nil || row.Kind() != reflect.Struct {
		return json.RawMessage("{" + of + "}")
	}
	none := reflect.New(row).Elem()
	fill(none, templateDepth)
	body, err := result.JSON(none.Interface())
	if err != nil || entity == "" || gjson.GetBytes(body, entity).Exists() {
		return body
	}
	return slices.Concat([]byte("{"+of+","), body[1:])
}
