package study

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

type cohortSplit struct {
	Study            string      `json:"study_id"`
	Gene             string      `json:"gene"`
	Stratification   string      `json:"stratification"`
	MutantSamples    int         `json:"mutant_samples"`
	WildtypeSamples  int         `json:"wildtype_samples"`
	MutantPatients   int         `json:"mutant_patients"`
	WildtypePatients int         `json:"wildtype_patients"`
	TotalSamples     int         `json:"total_samples"`
	TotalPatients    int         `json:"total_patients"`
	Denominator      denominator `json:"denominator"`
}

func cohort() *command.Command {
	return &command.Command{
		Use:   "cohort --study <id> --gene <gene>",
		Short: "Split a study by mutation of a gene", Effect: command.Reads,
		Help: command.Help{
			Surprises: "A patient with one mutated sample is mutant, and so are all of the patient's profiled " +
				"samples. Patients not profiled for the gene are in no group.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene symbol")
			silentFlag(f)
			rowsFlag(f, "")
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study cohort -s synthetic_demo -g TP53",
				Explanation: "samples and patients with and without a mutation",
			},
			{
				Line:        "biomcp study cohort -s synthetic_demo -g TP53 --rows groups.csv",
				Explanation: "a file with the group of each sample",
			},
		},
		Run: runCohort, Check: checkGenes("gene"), Synonyms: []string{"split", "stratify", "groups"},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "gene"}),
	}
}

func silentFlag(f *command.Flags) {
	f.Bool("include-silent", false, "count variants that do not change the protein: silent, intronic, UTR, flank, RNA")
	f.Rare("include-silent")
}

func runCohort(_ context.Context, in *command.Input) (*result.Result, error) {
	g, err := gene(in, "gene")
	if err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	mutations, err := mutationsOf(in, s, "gene", g)
	if err != nil {
		return nil, err
	}
	groups := mutations.GroupByMutation()
	samples := mutations.Profiled.Samples
	a := cohortSplit{
		Study: s.ID, Gene: g, Stratification: "mutation", TotalPatients: mutations.Profiled.Patients,
		TotalSamples: mutations.Profiled.N, Denominator: denominatorOf(mutations.Profiled),
	}
	for patient, of := range samples.ByPatient {
		for _, i := range of {
			switch {
			case !mutations.Profiled.Included[i]:
			case groups.Group[patient] == mutant:
				a.MutantSamples++
			default:
				a.WildtypeSamples++
			}
		}
		switch groups.Group[patient] {
		case mutant:
			a.MutantPatients++
		case wildtype:
			a.WildtypePatients++
		}
	}
	r := &result.Result{Payload: a, Next: otherGenes(s, mutations, survivalOf(s, g)...)}
	noteMutations(r, s, mutations)
	r.Notice(unmutatedNotice(mutations, a.MutantSamples))
	group := column{"group", func(i int) any {
		if of := groups.Group[samples.PatientOf[i]]; of >= 0 && mutations.Profiled.Included[i] {
			return groups.Names[of]
		}
		return nil
	}}
	return r, writeSamples(in, r, s, true, group, flagOf("mutated", mutations.Mutated, mutations.Profiled.Included))
}

func (a cohortSplit) Doc() result.Doc {
	return result.Doc{
		result.Heading{Level: 1, Text: "Study Cohort: " + a.Gene + " (" + a.Study + ")"},
		result.Para{Text: "Stratification: mutation status, of " + a.Denominator.text()},
		result.Table{Columns: result.Columns("Group", ">Samples", ">Patients"), Rows: [][]string{
			{a.Gene + "-mutant", count(a.MutantSamples), count(a.MutantPatients)},
			{a.Gene + "-wildtype", count(a.WildtypeSamples), count(a.WildtypePatients)},
			{"Total", count(a.TotalSamples), count(a.TotalPatients)},
		}},
	}
}
