package kvant.cli.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Content;
import kvant.engine.Inspection.Figure;

/// What an inspection looks like, as tables for a person or as JSON for a program: a list of lines.
public final class Report {

    private Report() {}

    public static List<String> of(Inspection inspection, boolean json) {
        return json ? json(inspection) : text(inspection);
    }

    // For a person.

    private static List<String> text(Inspection inspection) {
        List<String> lines = new ArrayList<>();
        lines.add("engine " + inspection.engine());
        TextTable figures = new TextTable("figure", ">value");
        for (Figure figure : inspection.figures()) {
            figures.add(figure.name().replace('_', ' '), Quantity.of(figure));
        }
        section(lines, "", figures);
        TextTable levels = new TextTable("level", ">runs", ">tables", ">size", ">records", ">deletions", ">sequences");
        inspection
                .levels()
                .forEach(level -> levels.add(
                        Integer.toString(level.level()),
                        level.name(),
                        Long.toString(level.tables()),
                        Quantity.bytes(level.bytes()),
                        Quantity.count(level.records()),
                        Quantity.count(level.deletions()),
                        sequences(level)));
        section(lines, "levels", levels);
        section(lines, "runs, newest first", contents("run", inspection.runs()));
        section(lines, "tables", contents("table", inspection.tables()));
        TextTable logs = new TextTable("log", ">size");
        inspection.logs().forEach(log -> logs.add(log.name(), Quantity.bytes(log.bytes())));
        section(lines, "logs", logs);
        return lines;
    }

    private static TextTable contents(String what, List<Content> contents) {
        TextTable table = new TextTable(what, ">level", ">tables", ">size", ">records", ">deletions", ">sequences");
        for (Content content : contents) {
            table.add(
                    content.name(),
                    Integer.toString(content.level()),
                    Long.toString(content.tables()),
                    Quantity.bytes(content.bytes()),
                    Quantity.count(content.records()),
                    Quantity.count(content.deletions()),
                    sequences(content));
        }
        return table;
    }

    private static String sequences(Content content) {
        return content.firstSequence() + "-" + content.lastSequence();
    }

    private static void section(List<String> lines, String title, TextTable table) {
        if (table.isEmpty()) {
            return;
        }
        lines.add("");
        if (!title.isEmpty()) {
            lines.add(title);
        }
        lines.addAll(table.lines());
    }

    // For a program.

    private static List<String> json(Inspection inspection) {
        List<String> lines = new ArrayList<>();
        lines.add("{\"engine\":" + Json.quote(inspection.engine()) + ",");
        lines.add("\"figures\":{");
        lines.addAll(joined(inspection.figures().stream()
                .map(figure -> Json.quote(figure.name()) + ":" + number(figure.value()))
                .toList()));
        lines.add("},");
        array(lines, "levels", inspection.levels(), "runs");
        lines.add(",");
        array(lines, "runs", inspection.runs(), "run");
        lines.add(",");
        array(lines, "tables", inspection.tables(), "table");
        lines.add(",\"logs\":[");
        lines.addAll(joined(inspection.logs().stream()
                .map(log -> "{\"log\":" + Json.quote(log.name()) + ",\"bytes\":" + log.bytes() + "}")
                .toList()));
        lines.add("]}");
        return lines;
    }

    private static void array(List<String> lines, String name, List<Content> contents, String nameOfName) {
        lines.add(Json.quote(name) + ":[");
        lines.addAll(joined(contents.stream()
                .map(content -> "{\"level\":" + content.level() + "," + Json.quote(nameOfName) + ":"
                        + Json.quote(content.name()) + ",\"tables\":" + content.tables() + ",\"bytes\":"
                        + content.bytes() + ",\"records\":" + content.records() + ",\"deletions\":"
                        + content.deletions() + ",\"first_sequence\":" + content.firstSequence()
                        + ",\"last_sequence\":" + content.lastSequence() + "}")
                .toList()));
        lines.add("]");
    }

    private static List<String> joined(List<String> members) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            lines.add(members.get(i) + (i + 1 < members.size() ? "," : ""));
        }
        return lines;
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.4f", value);
    }
}
