package kvant.report.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a report in one language, before it is formatted as HTML or Markdown.
sealed interface Block {

    /// @param id anchor in the page, for links
    record Heading(int level, String id, String text) implements Block {}

    /// A paragraph.
    record Text(String text) implements Block {}

    /// A paragraph of secondary importance.
    record Note(String text) implements Block {}

    /// A prominent warning.
    ///
    /// @param lines may be empty
    record Warning(String title, List<String> lines) implements Block {}

    /// Commands to be typed.
    record Code(List<String> lines) implements Block {}

    record Table(List<String> head, List<List<Cell>> rows) implements Block {}

    /// @param detail smaller text below
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

    /// The answer of a run: a sentence, and a chart with a line for each verdict.
    ///
    /// @param axis title of the axis
    record Forest(String sentence, String axis, List<Row> rows) implements Block {}

    /// One verdict. Rows of the same question are adjacent.
    ///
    /// @param question text of the question
    /// @param label titles of the compared variants
    /// @param interval as in a card
    /// @param margin smallest relevant difference, as a logarithm
    /// @param target link to the question
    record Row(
            String question, String label, String value, String tone, double[] interval, double margin, String target) {

        /// A text version without the chart.
        String line() {
            return question + " " + label + ": " + value;
        }
    }

    /// @param tone CSS class
    /// @param caveats that could change the verdict
    /// @param interval the ends and the change itself, as logarithms of the ratio; empty if there is none
    /// @param tail time of the slowest requests on both sides; null if unknown, or not the topic of the question
    /// @param links to explanations
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

    /// A chart drawn by the script of the page.
    ///
    /// @param json data for the script
    /// @param description alternative text
    record Chart(String kind, String description, String json) implements Block {}

    /// Parts of a total, as stacked bars whose length is the total.
    ///
    /// @param title above them, or empty
    /// @param keys names of all parts, in the order of the legend
    record Bars(String title, List<Key> keys, List<Bar> bars) implements Block {}

    /// @param colour CSS class
    record Key(String colour, String name) {}

    /// @param share length relative to the longest
    record Bar(String label, String value, double share, List<Part> parts) {}

    /// @param share of the bar
    record Part(String colour, String name, double share, String value) {}

    /// Flame graphs that open next to each other on a click.
    ///
    /// @param links relative
    record Flames(String button, List<Cell> links) implements Block {}

    /// Details that are collapsed at first.
    record Folded(String summary, List<Block> blocks) implements Block {}
}
