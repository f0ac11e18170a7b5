package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.Remark;
import kvant.report.folder.Results;
import kvant.report.sentence.Remarks;
import kvant.report.verdict.Answer;
import kvant.report.words.Phrase;
import kvant.report.words.Words;

/// The contents of the report in one language, verdicts first. The page and the Markdown file are two formats of it, so
/// that they cannot differ in content. Sections add their blocks to it.
public final class Content {

    private final Results results;
    private final Words words;
    private final List<Block> blocks = new ArrayList<>();

    private Content(Results results, Words words) {
        this.results = results;
        this.words = words;
    }

    public static Content of(Results results, List<Answer> answers, Words words) {
        Content to = new Content(results, words);
        AnswerSection.write(to, answers);
        AnswerSection.verdicts(to, answers);
        int number = 1;
        for (PhaseRecord phase : results.run().phases()) {
            PhaseSection.write(to, phase, number++);
        }
        CostSection.objective(to);
        CostSection.errors(to);
        CostSection.resources(to);
        TailSection.write(to);
        ProfileSection.write(to);
        PublishedSection.write(to);
        RunSection.write(to);
        return to;
    }

    String title() {
        ExperimentRecord experiment = results.run().experiment();
        String given = words.choose(experiment.title(), experiment.titleRu());
        String title = given.isEmpty() ? experiment.name() : given;
        return title.isEmpty() ? get("page.untitled") : title;
    }

    String subtitle() {
        return RunSection.where(this);
    }

    Results results() {
        return results;
    }

    Words words() {
        return words;
    }

    List<Block> blocks() {
        return blocks;
    }

    Content add(Block block) {
        blocks.add(block);
        return this;
    }

    String get(String key) {
        return words.get(key);
    }

    String say(Remark remark) {
        return say(Remarks.phrase(remark));
    }

    String say(Phrase phrase) {
        return words.say(phrase);
    }

    Content heading(int level, String id, String text) {
        return add(new Block.Heading(level, id, text));
    }

    Content text(String text) {
        return add(new Block.Text(text));
    }

    Content note(String text) {
        return add(new Block.Note(text));
    }

    /// A separate list of blocks, for collapsed content.
    Content aside() {
        return new Content(results, words);
    }
}
