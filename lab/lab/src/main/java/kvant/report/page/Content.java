package kvant.report.page;

import java.util.List;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.PhaseRecord;
import kvant.report.folder.Results;
import kvant.report.verdict.Answer;
import kvant.report.words.Words;

/// All that the report says, in one language, verdicts first. The page and the Markdown are two ways to
/// write this down, so that they cannot say different things.
public record Content(String title, String subtitle, Words words, List<Block> blocks) {

    public static Content of(Results results, List<Answer> answers, Words words) {
        Writer to = new Writer(results, words);
        AnswerSection.write(to, answers);
        VerdictSection.write(to, answers);
        int number = 1;
        for (PhaseRecord phase : results.phases()) {
            PhaseSection.write(to, phase, number++);
        }
        CostSection.objective(to);
        CostSection.errors(to);
        CostSection.resources(to);
        TailSection.write(to);
        ProfileSection.write(to);
        PublishedSection.write(to);
        RunSection.write(to);
        ExperimentRecord experiment = results.experiment();
        String given = words.choose(experiment.title(), experiment.titleRu());
        String title = given.isEmpty() ? experiment.name() : given;
        return new Content(
                title.isEmpty() ? words.get("page.untitled") : title, RunSection.where(to), words, to.blocks());
    }
}
