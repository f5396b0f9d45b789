package gene_test

import (
	"testing"

	"biomcp/cli/clitest"
)

func TestMain(m *testing.M) { clitest.Main(m) }
