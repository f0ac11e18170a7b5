package kvant.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.backup.ObjectStore;
import kvant.backup.SealedText;
import org.jspecify.annotations.Nullable;

/// The small objects of an archive, created once and never changed: its identity, its epochs, and the version at which
/// each begins.
///
/// Format document: docs/formats/archive.md
final class EpochFormat {

    /// No small object is longer.
    private static final int LONGEST_BYTES = 4 << 10;

    private static final SealedText TEXT =
            new SealedText("kvant archive", ArchiveFormat.VERSION, "no part of an archive of Kvant");
    private static final Pattern ID = Pattern.compile("id=([0-9a-f-]{36})\n");
    private static final Pattern EPOCH =
            Pattern.compile("parent=(\\d{1,8})\nnonce=([0-9a-f-]{36})\nmillis=(\\d{1,15})\nby=([\\w. -]{1,300})\n");
    private static final Pattern BEGINNING = Pattern.compile("from=(\\d{1,17})\n");

    /// The time in which one process writes an archive.
    ///
    /// @param parent the epoch that it continues; 0 for none
    /// @param nonce unique
    /// @param by host and process, for people
    record Epoch(int number, int parent, String nonce, long millis, String by) {}

    private EpochFormat() {}

    static void createIdentity(ObjectStore store, String id) throws IOException {
        store.create(ArchiveFormat.IDENTITY, TEXT.seal("id=" + id + "\n"));
    }

    /// The identity of an archive, or null if there is none.
    static @Nullable String identity(ObjectStore store) throws IOException {
        Matcher found = read(store, ArchiveFormat.IDENTITY, ID);
        return found == null ? null : found.group(1);
    }

    static void create(ObjectStore store, Epoch epoch) throws IOException {
        String by = epoch.by().replaceAll("[^\\w. -]", "_");
        String lines = "parent=" + epoch.parent() + "\nnonce=" + epoch.nonce() + "\nmillis=" + epoch.millis() + "\nby="
                + by + "\n";
        store.create(name(ArchiveFormat.EPOCHS, epoch.number()), TEXT.seal(lines));
    }

    /// An epoch, or null if it has not begun or was deleted.
    static @Nullable Epoch epoch(ObjectStore store, int number) throws IOException {
        Matcher found = read(store, name(ArchiveFormat.EPOCHS, number), EPOCH);
        if (found == null) {
            return null;
        }
        int parent = Integer.parseInt(found.group(1));
        return new Epoch(number, parent, found.group(2), Long.parseLong(found.group(3)), found.group(4));
    }

    static void createBeginning(ObjectStore store, int number, long from) throws IOException {
        store.create(name(ArchiveFormat.BEGINNINGS, number), TEXT.seal("from=" + from + "\n"));
    }

    /// The version behind which an epoch continues, or null where it was broken off before it wrote anything.
    static @Nullable Long beginning(ObjectStore store, int number) throws IOException {
        Matcher found = read(store, name(ArchiveFormat.BEGINNINGS, number), BEGINNING);
        return found == null ? null : Long.valueOf(found.group(1));
    }

    private static String name(String folder, int number) {
        return String.format(Locale.ROOT, "%s/%08d", folder, number);
    }

    private static @Nullable Matcher read(ObjectStore store, String name, Pattern lines) throws IOException {
        try (InputStream in = store.get(name)) {
            Matcher found = lines.matcher(TEXT.open(in.readNBytes(LONGEST_BYTES), store.describe(name)));
            if (!found.matches()) {
                throw TEXT.damaged(store.describe(name));
            }
            return found;
        } catch (NoSuchFileException _) {
            return null;
        }
    }
}
