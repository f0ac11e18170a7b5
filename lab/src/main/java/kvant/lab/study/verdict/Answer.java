package kvant.lab.study.verdict;

import java.util.List;
import kvant.lab.study.folder.Experiment;

/// A question with its verdicts: one for each phase and each variant beside the first.
public record Answer(Experiment.Question question, List<Verdict> verdicts) {}
