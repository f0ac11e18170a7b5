package kvant.archive;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.backup.DirectoryStore;
import kvant.engine.directory.OwnFiles;

/// The store's note of its archive: the file `archive/OWNER` of its data directory. Backups and checkpoints of a store
/// lack it, so that a copy is not taken for the store.
///
/// @param archive identity of the archive; empty for none
/// @param nonce of the epoch that the store is about to begin, or has begun
/// @param previous nonce of the epoch before
/// @param epoch that the store wrote last, or was restored from; 0 for none
/// @param version that it was restored to, or [#NOT_RESTORED]
record OwnerFile(String archive, String nonce, String previous, int epoch, long version) {

    static final long NOT_RESTORED = -1;
    static final OwnerFile NONE = new OwnerFile("", "", "", 0, NOT_RESTORED);

    private static final String FOLDER = "archive";
    private static final Pattern TEXT = Pattern.compile("archive=([0-9a-f-]*)\nnonce=([0-9a-f-]*)\n"
            + "previous=([0-9a-f-]*)\nepoch=(\\d{1,8})\nversion=(-?\\d{1,17})\n");

    /// The folder for this file and for objects under way; created where it is missing.
    static Path folder(Path data) throws IOException {
        Path folder = data.resolve(FOLDER); // not its parents: a missing data directory is a failure
        return Files.isDirectory(folder) ? folder : Files.createDirectory(folder, DirectoryStore.OWNER_DIRECTORY);
    }

    /// A damaged file counts as none: a person then has to say that the archive is this store's.
    static OwnerFile read(Path folder) throws IOException {
        try {
            Matcher text = TEXT.matcher(OwnFiles.read(folder.resolve("OWNER")));
            if (text.matches()) {
                int epoch = Integer.parseInt(text.group(4));
                return new OwnerFile(text.group(1), text.group(2), text.group(3), epoch, Long.parseLong(text.group(5)));
            }
            return NONE;
        } catch (NoSuchFileException | CharacterCodingException _) {
            return NONE;
        }
    }

    void write(Path folder) throws IOException {
        OwnFiles.replace(
                folder.resolve("OWNER"),
                "archive=" + archive + "\nnonce=" + nonce + "\nprevious=" + previous + "\nepoch=" + epoch + "\nversion="
                        + version + "\n");
    }

    /// True if this store started an epoch.
    boolean began(EpochFormat.Epoch newest) {
        return newest.nonce().equals(nonce) || newest.nonce().equals(previous);
    }
}
