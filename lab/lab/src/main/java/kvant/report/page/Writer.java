package kvant.report.page;

import java.util.ArrayList;
import java.util.List;
import kvant.lab.result.Remark;
import kvant.report.folder.Results;
import kvant.report.page.Block.Cell;
import kvant.report.sentence.Remarks;
import kvant.report.words.Phrase;
import kvant.report.words.Words;

/// What the writers of sections share: the results, the words, and the blocks so far.
final class Writer {

    private final Results results;
    private final Words words;
    private final List<Block> blocks = new ArrayList<>();

    Writer(Results results, Words words) {
        this.results = results;
        this.words = words;
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

    Writer add(Block block) {
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

    Writer heading(int level, String id, String text) {
        return add(new Block.Heading(level, id, text));
    }

    Writer text(String text) {
        return add(new Block.Text(text));
    }

    Writer note(String text) {
        return add(new Block.Note(text));
    }

    /// A table, or nothing where it has no rows.
    Writer table(List<String> head, List<List<Cell>> rows) {
        return rows.isEmpty() ? this : add(new Block.Table(head, rows));
    }

    /// A writer of its own for what is folded away.
    Writer aside() {
        return new Writer(results, words);
    }
}
