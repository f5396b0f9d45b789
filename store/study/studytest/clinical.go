package studytest

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
)

func (g *generator) clinical() {
	end := "\n"
	if g.WindowsLineEnds {
		end = "\r\n"
	}
	g.meta("meta_clinical_patient.txt", "genetic_alteration_type: CLINICAL\n"+
		"datatype: PATIENT_ATTRIBUTES\ndata_filename: data_clinical_patient.txt\n")
	g.meta("meta_clinical_sample.txt", "genetic_alteration_type: CLINICAL\n"+
		"datatype: SAMPLE_ATTRIBUTES\ndata_filename: data_clinical_sample.txt\n")
	g.file("data_clinical_patient.txt", func(w *bufio.Writer) {
		for _, line := range []struct{ text, more string }{
			{"#Patient Identifier\tAge\tSex\tStage\tOverall Survival Status\tOverall Survival (Months)\t" +
				"Progression Free Status\tProgression Free Survival (Months)", "Attribute"},
			{"#Identifier of the patient\tAge at diagnosis in years\tSex\tStage at diagnosis\t" +
				"Overall survival status\tOverall survival in months\t" +
				"Progression-free survival status\tProgression-free survival in months", "An attribute"},
			{"#STRING\tNUMBER\tSTRING\tSTRING\tSTRING\tNUMBER\tSTRING\tNUMBER", "NUMBER"},
			{"#1\t1\t1\t1\t1\t1\t1\t1", "1"},
			{"PATIENT_ID\tAGE\tSEX\tSTAGE\tOS_STATUS\tOS_MONTHS\tPFS_STATUS\tPFS_MONTHS", "ATTRIBUTE_"},
		} {
			w.WriteString(line.text)
			for c := range g.Columns {
				w.WriteString("\t" + line.more)
				if line.more == "ATTRIBUTE_" {
					w.WriteString(strconv.Itoa(c))
				}
			}
			w.WriteString(end)
		}
		last := ""
		for _, s := range g.samples {
			if s.patient == last {
				continue
			}
			last = s.patient
			g.person(w, s.patient)
			for range g.Columns {
				w.WriteString("\t" + strconv.Itoa(g.r.IntN(100)))
			}
			w.WriteString(end)
		}
	})
	g.file("data_clinical_sample.txt", func(w *bufio.Writer) {
		w.WriteString("#Sample Identifier\tPatient Identifier\tCancer Type\tSample Type" + end)
		w.WriteString("#Identifier of the sample\tIdentifier of the patient\tCancer type\tPrimary or metastasis" + end)
		w.WriteString("#STRING\tSTRING\tSTRING\tSTRING" + end + "#1\t1\t1\t1" + end)
		w.WriteString("SAMPLE_ID\tPATIENT_ID\tCANCER_TYPE\tSAMPLE_TYPE" + end)
		types := []string{"Lung Cancer", "Lung Cancer", "Breast Cancer", "Colorectal Cancer"}
		for i, s := range g.samples {
			kind := "Primary"
			if i%4 == 3 {
				kind = "Metastasis"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s%s", s.id, s.patient, types[hash(s.patient)%len(types)], kind, end)
		}
	})
}

// hash returns a small number derived from a patient's ID.
func hash(patient string) int {
	n := 0
	for _, c := range patient {
		n = (n*31 + int(c)) % 1009
	}
	return n
}

// person writes the row of a patient. The hazard of death increases with age, stage and a
// mutation of TP53. Some values are missing.
func (g *generator) person(w *bufio.Writer, patient string) {
	age := math.Round(64 + 11*g.r.NormFloat64())
	sex := [2]string{"Female", "Male"}[g.r.IntN(2)]
	stage := g.r.IntN(4)
	risk := 0.03*(age-64) + 0.45*float64(stage)
	if g.mutated[patient] {
		risk += 0.75
	}
	death := g.r.ExpFloat64() / (0.006 * math.Exp(risk))
	progress := death * (0.2 + 0.8*g.r.Float64())
	followed := 6 + 90*g.r.Float64()
	cell := func(s string, share float64) string {
		if g.r.Float64() < share {
			return ""
		}
		return s
	}
	outcome := func(t float64, words [2]string) string {
		if t <= followed {
			return "1:" + words[1]
		}
		return "0:" + words[0]
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", patient,
		cell(strconv.FormatFloat(age, 'f', 0, 64), 0.03), sex, cell([]string{"I", "II", "III", "IV"}[stage], 0.05),
		cell(outcome(death, [2]string{"LIVING", "DECEASED"}), 0.02),
		cell(fmt.Sprintf("%.2f", min(death, followed)), 0.02),
		outcome(progress, [2]string{"CENSORED", "PROGRESSION"}), fmt.Sprintf("%.2f", min(progress, followed)))
}
