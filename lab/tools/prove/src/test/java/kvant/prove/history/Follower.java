package kvant.prove.history;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.lab.run.RawConnection;
import kvant.prove.history.Lives.Life;
import kvant.prove.history.Operation.Cell;
import kvant.prove.stage.Violation;
import org.jspecify.annotations.Nullable;

/// A client of the change feed, which continues after its last whole group from life to life (docs/changes.md).
final class Follower implements Runnable {

    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(\"[^\"]*\"|[^,}]+)");
    private static final byte[] NONE = {};
    private static final int GONE = 410;
    private static final String DATA = "data: ";

    /// @param more whether the next one was applied with it
    record Change(long version, boolean more, Cell cell) {}

    private final Lives lives;
    private final boolean asEvents;

    // Its thread; read by others after its end.
    private final List<Change> changes = new ArrayList<>();
    private final List<Change> group = new ArrayList<>();
    private long cursor;
    private @Nullable Exception failure;

    private volatile boolean finishing;

    Follower(Lives lives, boolean asEvents) {
        this.lives = lives;
        this.asEvents = asEvents;
    }

    /// Follows until [#finish], whatever becomes of the process that serves.
    @Override
    public void run() {
        try {
            while (!finishing) {
                Life life = lives.await();
                try {
                    String end = follow(life, 1);
                    if (!end.isEmpty()) {
                        throw new Violation("the feed after version " + cursor + " ended: " + end);
                    }
                } catch (IOException _) {
                    Thread.sleep(1); // it has died, or is about to
                }
            }
        } catch (InterruptedException | TimeoutException | Violation | RuntimeException e) {
            failure = e;
        }
    }

    void finish() {
        finishing = true;
    }

    /// Reads on to the newest change.
    ///
    /// @param waitSeconds for more
    /// @return empty, or "gone" where there is no more to be had
    String follow(Life life, int waitSeconds) throws IOException, Violation {
        group.clear();
        try (RawConnection wire = new RawConnection(life.http(), HistoryClient.PATIENCE)) {
            String target = "/v0/changes?from=" + (asEvents ? 0 : cursor) + "&wait=" + waitSeconds;
            wire.http(
                            "GET",
                            target,
                            NONE,
                            asEvents ? "Accept: text/event-stream\r\nLast-Event-ID: " + cursor : "Accept: */*")
                    .flush();
            int status = wire.head().status();
            if (status != 200) {
                if (status == GONE) {
                    return "gone";
                }
                throw new IOException("HTTP " + status); // another time
            }
            String end = "";
            StringBuilder line = new StringBuilder();
            for (byte[] chunk = wire.chunk(); chunk.length > 0; chunk = wire.chunk()) {
                for (byte one : chunk) {
                    line.append((char) one);
                    if (one == '\n') {
                        end += line(line.toString().strip());
                        line.setLength(0);
                    }
                }
            }
            return end;
        }
    }

    /// @return why there is no more, or empty
    private String line(String text) throws Violation {
        String json = asEvents ? text.startsWith(DATA) ? text.substring(DATA.length()) : "" : text;
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(json);
        while (matcher.find()) {
            fields.put(matcher.group(1), matcher.group(2).replace("\"", ""));
        }
        if (fields.containsKey("key")) {
            change(fields);
        }
        return fields.containsKey("gone") ? "gone" : "";
    }

    private void change(Map<String, String> fields) throws Violation {
        long version = Long.parseLong(fields.getOrDefault("version", "0"));
        long last = group.isEmpty() ? cursor : group.getLast().version();
        if (version <= last) {
            throw new Violation("the feed goes back from version " + last + " to " + version);
        }
        int key = Keys.number(
                new String(Base64.getDecoder().decode(fields.getOrDefault("key", "")), StandardCharsets.UTF_8));
        int value = fields.containsKey("deleted")
                ? Cell.ABSENT
                : Values.number(Base64.getDecoder().decode(fields.getOrDefault("value", "")));
        boolean more = fields.containsKey("more");
        group.add(new Change(version, more, new Cell(key, value)));
        if (!more) {
            changes.addAll(group);
            group.clear();
            cursor = version;
        }
    }

    /// The changes received, in whole groups; after the end of its thread.
    List<Change> changes() throws Exception {
        if (failure != null) {
            throw failure;
        }
        return changes;
    }
}
