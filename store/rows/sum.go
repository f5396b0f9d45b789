package rows

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"modernc.org/sqlite"
)

// Every row carries a CRC-32C of its values in a column that SQLite computes when the row is
// written (migrations). Readers verify it for the rows that searches and imports depend on; Check
// verifies all.
func init() {
	sum := func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		return sumOf(values...), nil
	}
	sqlite.MustRegisterDeterministicScalarFunction("crc32c", -1, sum)
	sqlite.MustRegisterScalarFunction("intact", 1, intact)
}

// intact is an SQL function for the WHERE clause of a query. It returns 1 if its argument is true,
// and otherwise an error: the row is damaged.
func intact(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
	if values[0] != int64(1) {
		return nil, ErrDamaged
	}
	return int64(1), nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the checksum of the values of a row: over the eight bytes of a number, the lowest
// first, and over the bytes of a text or blob.
func sumOf[T any](values ...T) int64 {
	var sum uint32
	for _, v := range values {
		switch v := any(v).(type) {
		case int64:
			sum = addNumber(sum, v)
		case float64: // only a damaged row has one
			sum = addNumber(^sum, int64(math.Float64bits(v)))
		case string:
			sum = crc32.Update(sum, castagnoli, []byte(v))
		case []byte:
			sum = crc32.Update(sum, castagnoli, v)
		}
	}
	return int64(int32(sum)) // stored in four bytes
}

func addNumber(sum uint32, n int64) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	return crc32.Update(sum, castagnoli, b[:])
}

// CheckSum returns ErrDamaged unless sum is the checksum of the table name and the values of a row.
func CheckSum(sum int64, table string, values ...any) error {
	if sumOf(append([]any{table}, values...)...) != sum {
		return ErrDamaged
	}
	return nil
}

// Blobs accesses the rows of a table that start with a number and a blob.
type Blobs struct {
	sum   uint32 // checksum of the table name
	query string // query for one row
}

// NewBlobs returns Blobs for a table and the name of its blob column.
func NewBlobs(table, column string) Blobs {
	return Blobs{crc32.Checksum([]byte(table), castagnoli), "SELECT sum, " + column + " FROM " + table + " WHERE id=?"}
}

// Check returns ErrDamaged unless sum is the checksum of a row.
func (b Blobs) Check(sum, id int64, data []byte) error {
	if int64(int32(crc32.Update(addNumber(b.sum, id), castagnoli, data))) != sum {
		return ErrDamaged
	}
	return nil
}

// Read returns the blob of a row, or nil if there is none. It is safe for concurrent use.
func (b Blobs) Read(r *Conn, id int64) (data []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var sum int64
	found, err := r.RowFound(b.query, []any{id}, &sum, (*Blob)(&data))
	if found && err == nil {
		err = b.Check(sum, id, data)
	}
	return data, err
}

// Blob scans a value without copying it: the driver already returns a copy. It is nil for NULL.
type Blob []byte

func (b *Blob) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		*b = nil
	case []byte:
		*b = value
	default:
		*b = fmt.Append(nil, value)
	}
	return nil
}
