package kvant.lab.study.folder;

import java.util.ArrayList;
import java.util.List;

/// What the served process did during a step, from the start of the measured time.
public record Timeline(List<Sample> samples, List<Event> events) {

    static final Timeline EMPTY = new Timeline(List.of(), List.of());

    private static final int MOST = 100_000;

    /// @param cpuNanos of the process so far
    public record Sample(double fromNanos, double cpuNanos, double rssBytes) {}

    /// Something that the process did besides answering.
    public record Event(String kind, double fromNanos, double toNanos, String detail) {}

    static Timeline of(Document json) {
        List<String> columns = json.at("columns").texts();
        List<Sample> samples = new ArrayList<>();
        for (Document row : json.at("samples").list()) {
            double[] cells = row.numbers();
            if (samples.size() < MOST) {
                samples.add(new Sample(
                        cell(columns, cells, "fromNanos"),
                        cell(columns, cells, "cpuNanos"),
                        cell(columns, cells, "rssBytes")));
            }
        }
        List<Event> events = new ArrayList<>();
        for (Document one : json.at("events").list()) {
            double from = one.at("fromNanos").number();
            double to = one.at("toNanos").number();
            if (Double.isFinite(from) && events.size() < MOST) {
                events.add(new Event(
                        one.at("kind").text(),
                        from,
                        to >= from ? to : from,
                        one.at("detail").text()));
            }
        }
        return new Timeline(samples, events);
    }

    private static double cell(List<String> columns, double[] cells, String name) {
        int at = columns.indexOf(name);
        return at >= 0 && at < cells.length ? cells[at] : Double.NaN;
    }
}
