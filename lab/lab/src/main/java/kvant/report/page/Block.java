package kvant.report.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a report in one language, before it is a page or Markdown.
sealed interface Block {

    /// @param id of the place in the page, so that links lead to it
    record Heading(int level, String id, String text) implements Block {}

    /// A paragraph.
    record Text(String text) implements Block {}

    /// A paragraph that is beside the point.
    record Note(String text) implements Block {}

    /// Something that must not be overlooked.
    ///
    /// @param lines may be empty
    record Warning(String title, List<String> lines) implements Block {}

    /// Text that is typed, not read.
    record Code(List<String> lines) implements Block {}

    record Table(List<String> head, List<List<Cell>> rows) implements Block {}

    /// @param detail below the text, smaller
    /// @param link relative, or empty
    record Cell(String text, String detail, boolean number, String link) {

        static Cell text(String text) {
            return new Cell(text, "", false, "");
        }

        static Cell number(String text) {
            return new Cell(text, "", true, "");
        }

        static Cell number(String text, String detail) {
            return new Cell(text, detail, true, "");
        }

        static Cell link(String text, String link) {
            return new Cell(text, "", false, link);
        }
    }

    /// The answer of a run: a sentence, and a line for each verdict in one picture.
    ///
    /// @param axis what is on the axis
    record Forest(String sentence, String axis, List<Row> rows) implements Block {}

    /// One verdict. Rows of one question follow each other.
    ///
    /// @param question as it is asked
    /// @param label what is compared, by titles
    /// @param interval as that of a card
    /// @param margin a difference that matters, as a logarithm
    /// @param target the question that it leads to
    record Row(
            String question, String label, String value, String tone, double[] interval, double margin, String target) {

        /// In a text without the picture.
        String line() {
            return question + " " + label + ": " + value;
        }
    }

    /// @param tone a class of the page
    /// @param caveats what could change it
    /// @param interval of the change and the change itself, as logarithms of the ratio; empty where
    ///     there is none
    /// @param tail where the slowest requests of both sides spent their time; null where that is not known, or not
    ///     asked about
    /// @param links to what explains it
    record Card(
            String badge,
            String tone,
            String headline,
            List<String> details,
            List<String> caveats,
            double[] interval,
            @Nullable Bars tail,
            List<Cell> links) {}

    record Question(String id, String text, List<Card> cards) implements Block {}

    /// Drawn by the script of the page.
    ///
    /// @param json what the script needs
    /// @param description for who does not see it
    record Chart(String kind, String description, String json) implements Block {}

    /// Parts of a whole, as bars of the length of their sum.
    ///
    /// @param title above them, or empty
    /// @param keys names of all parts, in the order of the legend
    record Bars(String title, List<Key> keys, List<Bar> bars) implements Block {}

    /// @param colour a class of the page
    record Key(String colour, String name) {}

    /// @param share length beside the longest
    record Bar(String label, String value, double share, List<Part> parts) {}

    /// @param share of the bar
    record Part(String colour, String name, double share, String value) {}

    /// Flame graphs that are opened beside each other when somebody asks for them.
    ///
    /// @param links relative
    record Flames(String button, List<Cell> links) implements Block {}

    /// What only some will want to read.
    record Folded(String summary, List<Block> blocks) implements Block {}
}
