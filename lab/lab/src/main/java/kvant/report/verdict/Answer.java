package kvant.report.verdict;

import java.util.List;
import kvant.lab.result.ExperimentRecord;

/// A question with its verdicts: one for each phase and each variant compared with the first.
public record Answer(ExperimentRecord.Question question, List<Verdict> verdicts) {}
