package kvant.prove.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import kvant.client.Key;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;
import org.jspecify.annotations.Nullable;

/// The writes that clients sent to a store, and their outcomes, kept outside of it: in this process, and for a
/// person in the file `journal` of the stage, a line for each write sent and each outcome.
///
///     write(node) -> [fault] -> stop() -> a node over the same directory -> Check
///
/// The methods belong to the thread of the trial; between `write` and `stop` the writers own their keys.
public final class Journal implements AutoCloseable {

    final Stage stage;
    final Habits habits;
    final List<Entry> entries = new ArrayList<>();
    final AtomicLong operations = new AtomicLong();
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong refused = new AtomicLong();

    /// The greatest version that was acknowledged or read.
    final AtomicLong newest = new AtomicLong();

    /// The first one.
    final AtomicReference<@Nullable Violation> violation = new AtomicReference<>();

    private final List<JournalWriter> writers = new ArrayList<>();
    private final Writer file;

    public Journal(Stage stage, Habits habits) throws IOException {
        this.stage = stage;
        this.habits = habits;
        this.file = Files.newBufferedWriter(
                stage.folder().resolve("journal"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        for (int i = 0; i < habits.keys(); i++) {
            entries.add(new Entry(Key.of(String.format(Locale.ROOT, "w%05d", i))));
        }
        stage.keep(this);
    }

    /// Writers begin, and continue until [#stop] or until each of their keys has an open outcome.
    public void write(URI node) {
        for (int i = 0; i < habits.writers(); i++) {
            writers.add(new JournalWriter(this, node, i));
        }
        writers.forEach(writer -> writer.thread.start());
    }

    /// When the last write ended that was under way.
    public void stop() throws InterruptedException, Violation {
        writers.forEach(writer -> writer.stopped = true);
        for (JournalWriter writer : writers) {
            writer.thread.join();
        }
        writers.clear();
        Violation seen = violation.get();
        if (seen != null) {
            throw seen;
        }
    }

    /// Whether a writer still has keys to write.
    public boolean isWriting() {
        return writers.stream().anyMatch(writer -> writer.thread.isAlive());
    }

    public long acknowledged() {
        return acknowledged.get();
    }

    public long refused() {
        return refused.get();
    }

    void note(String line) {
        synchronized (file) {
            try {
                file.write(line + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        writers.forEach(writer -> writer.stopped = true);
        synchronized (file) {
            file.close();
        }
    }
}
