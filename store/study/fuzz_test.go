package study

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// malformedOnly fails the test unless err is nil or of kind Malformed with a place.
func malformedOnly(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if err != nil && (!errors.As(err, &e) || e.Kind != Malformed || e.File != "f") {
		t.Fatalf("%T %v", err, err)
	}
}

func FuzzMutations(f *testing.F) {
	f.Add(base["mutations.maf"])
	f.Add("Hugo_Symbol\tEntrez_Gene_Id\tSample_Id\tProtein_position\n\t7157\tA\t12/400\nUnknown\t0\tA\t\t\n")
	f.Add("Hugo_Symbol\tSample_Id\tMutation_Status\r\nm\xfcller\tA\tLOH\r\n#\tB\t\xff\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		table, err := parseMutations(newLines("f", strings.NewReader(body)))
		malformedOnly(t, err)
		if err != nil {
			return
		}
		n := len(table.Gene)
		if len(table.Sample) != n || len(table.Class) != n || len(table.Change) != n || len(table.Position) != n {
			t.Fatal("columns differ in length")
		}
		for i := range n {
			if table.Genes[table.Gene[i]] == "" || table.Samples[table.Sample[i]] == "" || table.Classes[table.Class[i]] == "" || table.Position[i] < 0 {
				t.Fatalf("row %d", i)
			}
			_ = table.Changes[table.Change[i]]
		}
	})
}

func FuzzMatrix(f *testing.F) {
	f.Add(cna)
	f.Add("Composite.Element.REF\tA\tB\nTP53|7157\t1e5\t-0x1p4\n\nTP53\t1\t2\nKRAS\tNA\t\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		table := &matrixIndex{File: "f"}
		err := table.read(newLines("f", strings.NewReader(body)))
		malformedOnly(t, err)
		if err != nil {
			return
		}
		m := &Matrix{index: table, number: make([]int, len(table.Samples))}
		for i := range m.number {
			m.number[i] = i
		}
		values := make([]float64, len(m.number))
		for i, gene := range table.Genes {
			line := []byte(body)[table.Offset[i] : table.Offset[i]+int64(table.Length[i])]
			if bytes.Count(line, []byte("\n")) > 1 || gene == "" {
				t.Fatalf("gene %q at %q", gene, line)
			}
			if i == 0 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			malformedOnly(t, m.parse(line, 1, values))
			for _, v := range values {
				if math.IsInf(v, 0) {
					t.Fatalf("a value of %q is infinite", line)
				}
			}
		}
	})
}

func FuzzClinical(f *testing.F) {
	f.Add(base["patients.txt"], "AGE")
	f.Add("\ufeff#\n\n#x\ty\nPATIENT_ID\tA\t\t\nP1\t\xe9\n", "A")
	f.Fuzz(func(t *testing.T, body, name string) {
		l := newLines("f", strings.NewReader(body))
		h, err := l.header()
		malformedOnly(t, err)
		if err != nil {
			return
		}
		rows := 0
		err = l.rows(h, []int{h.column("PATIENT_ID"), h.column(name), -1, h.column(name)}, func(fields [][]byte) error {
			rows++
			if len(fields) != 4 || len(fields[2]) != 0 || !bytes.Equal(fields[1], fields[3]) || bytes.ContainsAny(fields[1], "\t\n") {
				t.Fatalf("%q", fields)
			}
			return nil
		})
		malformedOnly(t, err)
		if rows > strings.Count(body, "\n") {
			t.Fatalf("%d rows", rows)
		}
	})
}

func FuzzMeta(f *testing.F) {
	f.Add(base["meta_mutations.txt"])
	f.Add("a: b\n c \n\td\te\nf:\ng")
	f.Add("#\r\n:\nName:\ta : b\n\xff: \xfe")
	f.Fuzz(func(t *testing.T, body string) {
		meta, err := parseMeta(newLines("f", strings.NewReader(body)))
		malformedOnly(t, err)
		for key, value := range meta {
			if key != strings.ToLower(key) || strings.TrimSpace(value) != value {
				t.Fatalf("%q: %q", key, value)
			}
		}
	})
}
