package kvant.engine.directory;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import kvant.engine.EngineException;
import kvant.engine.Threads;
import kvant.engine.kit.ExpiryClock;
import kvant.engine.kit.ExpiryClock.Epoch;
import kvant.engine.kit.ExpiryClock.State;

/// Keeps the state of an [ExpiryClock] in the file `EXPIRY` of a data directory. It is saved at the end of an
/// epoch, at a close, and by a thread of its own a little after anything was seen as expired; a store without
/// life times has no such file. Any thread may call it.
///
/// Format document: docs/formats/expiry.md
public final class ExpiryFile implements AutoCloseable {

    static final String NAME = "EXPIRY";

    private static final Logger LOGGER = System.getLogger(ExpiryFile.class.getName());
    private static final Duration DELAY = Duration.ofSeconds(10);
    private static final String TITLE = "kvant expiry ";
    private static final int VERSION = 1;
    private static final String CHECKSUM = "checksum=";

    // Constant.
    private final DataDirectory directory;
    private final ExpiryClock clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread saver;

    // Guarded by this.
    private State saved;
    private boolean failed;

    /// @param clock that begins with the state which [#read] gave
    public ExpiryFile(DataDirectory directory, ExpiryClock clock) {
        this.directory = directory;
        this.clock = clock;
        this.saved = clock.state();
        clock.onEpochEnd(this::save);
        this.saver = Thread.ofPlatform().name("kvant-expiry").daemon().start(this::saveFromTimeToTime);
    }

    /// The saved state; the state of a new store where the file is missing or damaged.
    ///
    /// @throws EngineException.CannotOpen when a newer version wrote it
    public static State read(DataDirectory directory) {
        Path file = directory.path().resolve(NAME);
        try {
            String text = OwnFiles.read(file);
            refuseLater(file, text);
            return parse(text);
        } catch (NoSuchFileException _) {
            return State.NEW;
        } catch (CharacterCodingException | IllegalArgumentException _) {
            LOGGER.log(
                    Level.WARNING,
                    file + " is damaged and not used: should the clock have been set back, what had expired may be"
                            + " read again until it expires once more");
            return State.NEW;
        } catch (IOException e) {
            throw OwnFiles.cannotOpen(directory.path(), e);
        }
    }

    /// Puts a copy of it into the directory of a checkpoint.
    static void copy(Path from, Path to) throws IOException {
        try {
            OwnFiles.replace(to.resolve(NAME), OwnFiles.read(from.resolve(NAME)));
        } catch (NoSuchFileException _) {
            // Nothing has expired there.
        }
    }

    /// Saves the state where it has changed. A failure is no reason to stop: it is logged once, and tried again.
    public synchronized void save() {
        State state = clock.state();
        if (state.equals(saved) || directory.displaced() != null) {
            return;
        }
        Path file = directory.path().resolve(NAME);
        try {
            OwnFiles.replace(file, text(state));
            saved = state;
            failed = false;
        } catch (IOException e) {
            if (!failed) {
                LOGGER.log(Level.WARNING, "cannot save " + file + " (" + OwnFiles.reason(e) + "): will be tried again");
            }
            failed = true;
        }
    }

    private void saveFromTimeToTime() {
        try {
            while (!closing.await(DELAY.toNanos(), TimeUnit.NANOSECONDS)) {
                save();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // no caller interrupts this thread; close saves the rest
        }
    }

    /// Saves for the last time.
    @Override
    public void close() {
        closing.countDown();
        save();
        Threads.join(List.of(saver));
    }

    static String text(State state) {
        StringBuilder lines = new StringBuilder(TITLE + VERSION + "\nseen=" + state.seenMillis() + "\n");
        for (Epoch epoch : state.epochs()) {
            lines.append("epoch=" + epoch.lastSequence() + " " + epoch.expiredMillis() + "\n");
        }
        return lines + checksum(lines.toString());
    }

    /// @throws IllegalArgumentException when it is not what [#text] gives
    static State parse(String text) {
        String content = content(text);
        List<String> lines = content.lines().toList();
        if (!text.equals(content + checksum(content))
                || lines.size() < 2
                || !lines.get(0).equals(TITLE + VERSION)) {
            throw new IllegalArgumentException("damaged");
        }
        long seenMillis = Long.parseLong(after("seen=", lines.get(1)));
        List<Epoch> epochs = new ArrayList<>();
        for (String line : lines.subList(2, lines.size())) {
            String[] numbers = after("epoch=", line).split(" ", 2);
            epochs.add(new Epoch(Long.parseLong(numbers[0]), Long.parseLong(numbers[numbers.length - 1])));
        }
        return new State(seenMillis, epochs);
    }

    private static String content(String text) {
        int end = text.lastIndexOf(CHECKSUM);
        return end < 0 ? text : text.substring(0, end);
    }

    /// The last line has the checksum in every version, so that a number that was damaged refuses no store.
    private static void refuseLater(Path file, String text) {
        String content = content(text);
        String first = content.lines().findFirst().orElse("");
        if (text.equals(content + checksum(content))
                && first.matches(TITLE + "[1-9][0-9]{0,8}")
                && Integer.parseInt(first.substring(TITLE.length())) > VERSION) {
            throw new EngineException.CannotOpen(file + " has format version " + first.substring(TITLE.length())
                    + ", this version of Kvant knows " + VERSION + ": use the version that wrote it");
        }
    }

    private static String after(String name, String line) {
        if (!line.startsWith(name)) {
            throw new IllegalArgumentException("no " + name);
        }
        return line.substring(name.length());
    }

    private static String checksum(String content) {
        CRC32C crc = new CRC32C();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return CHECKSUM + String.format(Locale.ROOT, "%08x\n", crc.getValue());
    }
}
