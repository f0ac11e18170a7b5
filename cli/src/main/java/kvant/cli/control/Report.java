package kvant.cli.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Content;
import kvant.engine.Inspection.Figure;
import kvant.text.Json;
import kvant.text.TextTable;
import kvant.text.Units;

/// Formats the result of an inspection as lines: readable tables, or JSON.
public final class Report {

    private Report() {}

    public static List<String> of(Inspection inspection, boolean json) {
        return json ? json(inspection) : text(inspection);
    }

    // Readable tables.

    private static List<String> text(Inspection inspection) {
        List<String> lines = new ArrayList<>();
        lines.add("engine " + inspection.engine());
        TextTable figures = new TextTable("figure", ">value");
        for (Figure figure : inspection.figures()) {
            figures.add(figure.name().replace('_', ' '), value(figure));
        }
        section(lines, "", figures);
        section(lines, "levels", contents("level", ">runs", inspection.levels(), true));
        section(lines, "runs, newest first", contents("run", ">level", inspection.runs(), false));
        section(lines, "tables", contents("table", ">level", inspection.tables(), false));
        TextTable logs = new TextTable("log", ">size");
        inspection.logs().forEach(log -> logs.add(log.name(), Units.bytes(log.bytes())));
        section(lines, "logs", logs);
        return lines;
    }

    private static String value(Figure figure) {
        return switch (figure.unit()) {
            case BYTES -> Units.bytes((long) figure.value());
            case COUNT -> Units.count((long) figure.value());
            case RATIO -> String.format(Locale.ROOT, "%.2f", figure.value());
            case SECONDS -> String.format(Locale.ROOT, "%.3f s", figure.value());
        };
    }

    private static TextTable contents(String first, String second, List<Content> contents, boolean levelFirst) {
        TextTable table = new TextTable(first, second, ">tables", ">size", ">records", ">deletions", ">sequences");
        for (Content content : contents) {
            String level = Integer.toString(content.level());
            table.add(
                    levelFirst ? level : content.name(),
                    levelFirst ? content.name() : level,
                    Long.toString(content.tables()),
                    Units.bytes(content.bytes()),
                    Units.count(content.records()),
                    Units.count(content.deletions()),
                    content.firstSequence() + "-" + content.lastSequence());
        }
        return table;
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

    // JSON.

    private static List<String> json(Inspection inspection) {
        Json json = new Json().open().put("engine", inspection.engine());
        json.open("figures");
        inspection.figures().forEach(figure -> json.put(figure.name(), figure.value()));
        json.close();
        list(json, "levels", inspection.levels(), "runs");
        list(json, "runs", inspection.runs(), "run");
        list(json, "tables", inspection.tables(), "table");
        json.openList("logs");
        inspection
                .logs()
                .forEach(log -> json.open()
                        .put("log", log.name())
                        .put("bytes", log.bytes())
                        .close());
        return json.closeList().close().toString().lines().toList();
    }

    private static void list(Json json, String name, List<Content> contents, String nameOfName) {
        json.openList(name);
        for (Content content : contents) {
            json.open()
                    .put("level", content.level())
                    .put(nameOfName, content.name())
                    .put("tables", content.tables())
                    .put("bytes", content.bytes())
                    .put("records", content.records())
                    .put("deletions", content.deletions())
                    .put("first_sequence", content.firstSequence())
                    .put("last_sequence", content.lastSequence())
                    .close();
        }
        json.closeList();
    }
}
