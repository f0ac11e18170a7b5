package kvant.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.report.folder.Results;
import kvant.report.page.Block.Cell;
import kvant.report.sentence.Remarks;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.words.Numbers;
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
        for (PhaseRecord phase : to.phases()) {
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
        ExperimentRecord experiment = experiment();
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

    Numbers numbers() {
        return words.numbers();
    }

    ExperimentRecord experiment() {
        return results.run().experiment();
    }

    List<PhaseRecord> phases() {
        return results.run().phases();
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

    /// @param arguments a name and a value in turn
    String say(String key, Object... arguments) {
        return words.say(key, arguments);
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

    /// A table defined by its columns: their headings, and their cells for a row. A table without rows is
    /// omitted.
    ///
    /// @param <T> type of the rows
    static final class Columns<T> {

        private final Content to;
        private final List<String> head = new ArrayList<>();
        private final List<Function<T, Cell>> cells = new ArrayList<>();

        Columns(Content to) {
            this.to = to;
        }

        /// A table with a row for each variant under each load, named in the first two columns.
        static Columns<Measured> measured(Content to) {
            return new Columns<Measured>(to)
                    .text("column.phase", one -> one.phase().name())
                    .text("column.variant", one -> one.label(to.words()));
        }

        /// @param head literal heading
        Columns<T> column(String head, Function<T, Cell> cell) {
            this.head.add(head);
            cells.add(cell);
            return this;
        }

        /// @param key of the heading in the catalogue
        Columns<T> cell(String key, Function<T, Cell> cell) {
            return column(to.get(key), cell);
        }

        Columns<T> text(String key, Function<T, String> text) {
            return cell(key, row -> Cell.text(text.apply(row)));
        }

        Columns<T> number(String key, Function<T, String> number) {
            return cell(key, row -> Cell.number(number.apply(row)));
        }

        void write(Collection<T> rows) {
            if (!rows.isEmpty()) {
                to.add(of(rows));
            }
        }

        Block.Table of(Collection<T> rows) {
            return new Block.Table(
                    head,
                    rows.stream()
                            .map(row ->
                                    cells.stream().map(cell -> cell.apply(row)).toList())
                            .toList());
        }
    }
}
