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

// blobSum is the sum of what begins the rows of a table with a number and a blob.
type blobSum uint32

func newBlobSum(table string) blobSum { return blobSum(crc32.Checksum([]byte(table), castagnoli)) }

var (
	pageSum   = newBlobSum("page")
	vectorSum = newBlobSum("vector")
	leafSum   = newBlobSum("vector_code")
	listedSum = newBlobSum("listed")
)

// check is errSum if a row has another sum.
func (s blobSum) check(sum, id int64, data []byte) error {
	if int64(int32(crc32.Update(addNumber(uint32(s), id), castagnoli, data))) != sum {
		return errSum
	}
	return nil
}
