package release

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// bill writes the bill of materials of a binary, in CycloneDX, with the licences of its modules. It
// returns an error if the bill has few licences.
func bill(version, binary, document string) error {
	cmd := exec.Command("go", "run", modfile, "-trimpath", tag, gcflags, cyclonedx,
		"bin", "-json", "-licenses", "-noserial", "-notimestamp", "-version", version, "-output", document, binary)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// The tool looks for the modules in a folder without a go.sum. There the go command would ask the
	// checksum database about each module. The module cache is filled with modules that agree with go.sum.
	cmd.Env = append(os.Environ(), "GOSUMDB=off")
	if err := cmd.Run(); err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	return checkBill(text)
}

// checkBill returns an error if more than a tenth of the modules in a bill have no licence. The tool
// does not know the licence of each text. It leaves out a licence without an error if it does not
// find the module.
func checkBill(text []byte) error {
	type licensed struct{ Licenses []json.RawMessage }
	var bill struct {
		Components []struct {
			licensed
			Name     string
			Evidence licensed
		}
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		return fmt.Errorf("the bill of materials: %w", err)
	}
	unlicensed := []string{}
	for _, c := range bill.Components {
		if len(c.Licenses)+len(c.Evidence.Licenses) == 0 {
			unlicensed = append(unlicensed, c.Name)
		}
	}
	if all := len(bill.Components); all == 0 || 10*len(unlicensed) > all {
		return fmt.Errorf("the bill of materials has no licence for %d of %d modules: %q", len(unlicensed), all, unlicensed)
	}
	return nil
}
