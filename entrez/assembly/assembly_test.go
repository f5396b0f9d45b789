package assembly

import "testing"

func TestAccessionsNameAssemblyAndChromosome(t *testing.T) {
	for accession, want := range map[string][2]string{
		"NC_000007.14": {GRCh38, "7"}, "NC_000007.13": {GRCh37, "7"}, "NC_000008.10": {GRCh37, "8"}, "NC_000008.11": {GRCh38, "8"},
		"NC_000023.11": {GRCh38, "X"}, "NC_000024.9": {GRCh37, "Y"}, "NC_000017.11": {GRCh38, "17"}, "NC_000019.9": {GRCh37, "19"},
		"NC_012920.1": {GRCh38, "MT"}, "NC_000007.12": {"", ""}, "NM_000237.2": {"", ""}, "": {"", ""}, "NC_000025.1": {"", ""},
	} {
		t.Run(accession, func(t *testing.T) {
			if name, chr := Lookup(accession); name != want[0] || chr != want[1] {
				t.Errorf("%s: %s %s", accession, name, chr)
			}
			if want[0] != "" && want[1] != "MT" && Accession(want[0], "chr"+want[1]) != accession {
				t.Errorf("%v: %s", want, Accession(want[0], want[1]))
			}
		})
	}
	if Accession("GRCh36", "7") != "" || Accession(GRCh38, "77") != "" || Chromosome("chrM") != "MT" || Chromosome("x") != "X" || Chromosome("chr0") != "" {
		t.Error("an unknown name")
	}
}

func TestRegion(t *testing.T) {
	if c, first, last, ok := Region("chr7:140,719,327-140,924,929"); !ok || c != "7" || first != 140719327 || last != 140924929 {
		t.Error(c, first, last, ok)
	}
	if c, first, last, ok := Region("chr7:140,453,136"); !ok || c != "7" || first != 140453136 || last != first {
		t.Error(c, first, last, ok)
	}
	for _, bad := range []string{"7:5-4", "25:1-2", "7:0-5", "7:0", "7:1-", "", "7:1-2-3", "7:99999999999-99999999999"} {
		t.Run(bad, func(t *testing.T) {
			if _, _, _, ok := Region(bad); ok {
				t.Errorf("%q is a region", bad)
			}
		})
	}
}
