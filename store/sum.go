package store

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"modernc.org/sqlite"
)

// Every row carries the CRC-32C of its values in a column that SQLite computes when the
// row is written (migrations). Who reads what a search or an import depends on compares
// it; Check compares all.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("crc32c", -1, func(_ *sqlite.FunctionContext, values []driver.Value) (driver.Value, error) {
		return rowSum(values...), nil
	})
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errSum     = errors.New("a row does not hold what was stored")
)

// rowSum is the sum of the values of a row: of the eight bytes of a number, the lowest
// first, and of the bytes of a text or blob.
func rowSum[T any](values ...T) int64 {
	var sum uint32
	for _, v := range values {
		switch v := any(v).(type) {
		case int64:
			sum = addNumber(sum, v)
		case float64: // no column has one, unless it is damaged
			sum = addNumber(^sum, int64(math.Float64bits(v)))
		case string:
			sum = crc32.Update(sum, castagnoli, []byte(v))
		case []byte:
			sum = crc32.Update(sum, castagnoli, v)
		}
	}
	return int64(int32(sum)) // four bytes in a row
}

func addNumber(sum uint32, n int64) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	return crc32.Update(sum, castagnoli, b[:])
}

// checkSum is errSum if the name of a table and the values of a row have another sum.
func checkSum(sum int64, table string, values ...any) error {
	if rowSum(append([]any{table}, values...)...) != sum {
		return errSum
	}
	return nil
}

// blobs are the rows of a table that begin with a number and a blob.
type blobs struct {
	sum   uint32 // of the name of the table
	query string // for a row
}

func newBlobs(table, column string) blobs {
	return blobs{crc32.Checksum([]byte(table), castagnoli), "SELECT sum, " + column + " FROM " + table + " WHERE id=?"}
}

var (
	pageRows   = newBlobs("page", "data")
	vectorRows = newBlobs("vector", "data")
	leafRows   = newBlobs("vector_code", "data")
	listedRows = newBlobs("listed", "bits")
)

// check is errSum if a row has another sum.
func (b blobs) check(sum, id int64, data []byte) error {
	if int64(int32(crc32.Update(addNumber(b.sum, id), castagnoli, data))) != sum {
		return errSum
	}
	return nil
}

// read returns the blob of a row, nil if there is none.
func (b blobs) read(r *reader, id int64) (data []byte, err error) {
	var sum int64
	found, err := r.found(b.query, []any{id}, &sum, &data)
	if found && err == nil {
		err = b.check(sum, id, data)
	}
	return data, err
}
