package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Reads files of backups through and compares them with their lists. Changes nothing, and needs no lock: what is
/// deleted meanwhile is reported as missing.
public final class Verification {

    private final ObjectStore store;
    private final Consumer<String> problem;
    private final Map<String, List<String>> users = new LinkedHashMap<>();
    private final Map<String, Backup.Stored> files = new LinkedHashMap<>();

    /// @param problem gets a line for each
    public Verification(ObjectStore store, Consumer<String> problem) {
        this.store = store;
        this.problem = problem;
    }

    /// @return how many problems there are
    public int verify(List<Backup> backups) throws IOException {
        for (Backup backup : backups) {
            for (Backup.Stored file : backup.files()) {
                files.putIfAbsent(file.sha256(), file);
                users.computeIfAbsent(file.sha256(), _ -> new ArrayList<>()).add(backup.id());
            }
        }
        int problems = 0;
        for (Backup.Stored file : files.values()) {
            String damage = damage(file);
            if (!damage.isEmpty()) {
                String needed = String.join(", ", users.getOrDefault(file.sha256(), List.of()));
                problem.accept(damage + ": no good for backup " + needed);
                problems++;
            }
        }
        return problems;
    }

    private String damage(Backup.Stored file) throws IOException {
        String name = BackupFormat.file(file.sha256());
        String where = store.describe(name) + " (" + file.path() + ")";
        try (InputStream in = store.get(name)) {
            MessageDigest digest = Hashes.sha256();
            byte[] buffer = new byte[Hashes.BUFFER_BYTES];
            long bytes = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
                bytes += read;
            }
            if (bytes != file.bytes()) {
                return where + " is damaged: it has " + bytes + " bytes in place of " + file.bytes();
            }
            return Hashes.hex(digest).equals(file.sha256()) ? "" : where + " is damaged: its checksum does not fit";
        } catch (NoSuchFileException _) {
            return where + " is missing";
        }
    }
}
