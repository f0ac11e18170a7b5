package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import kvant.text.UserException;

/// The backups of one place at the time of reading, oldest first.
///
/// @param backups those whose lists can be read
/// @param damaged ids of the other backups, each with the reason
public record Catalog(List<Backup> backups, Map<String, String> damaged) {

    public static Catalog read(ObjectStore store) throws IOException {
        List<Backup> backups = new ArrayList<>();
        Map<String, String> damaged = new TreeMap<>();
        for (String id : store.list(BackupFormat.LISTS).keySet()) {
            if (!BackupFormat.isId(id)) {
                continue; // not written by Kvant
            }
            String name = BackupFormat.list(id);
            try (InputStream in = store.get(name)) {
                byte[] bytes = in.readNBytes(BackupFormat.LONGEST_LIST_BYTES);
                backups.add(BackupFormat.decode(id, bytes, store.describe(name)));
            } catch (NoSuchFileException _) {
                continue; // deleted since
            } catch (UserException e) {
                damaged.put(id, String.valueOf(e.getMessage()));
            }
        }
        return new Catalog(backups, damaged);
    }

    /// @param id of a backup, or `latest`
    /// @throws UserException where there is no such backup, or its list is damaged
    public Backup find(String id, ObjectStore store) {
        String wanted = id.equals("latest") ? newest() : id;
        String damage = damaged.get(wanted);
        if (damage != null) {
            throw new UserException(damage + "; 'kvant backup list' shows the others");
        }
        for (Backup backup : backups) {
            if (backup.id().equals(wanted)) {
                return backup;
            }
        }
        String which = wanted.isEmpty() ? "" : " " + wanted;
        throw new UserException("there is no backup" + which + " in " + store.describe("")
                + ": 'kvant backup list' shows the backups there");
    }

    /// The id of the newest backup, readable or not; empty if there is none.
    String newest() {
        String newest = backups.isEmpty() ? "" : backups.getLast().id();
        for (String id : damaged.keySet()) {
            newest = newest.compareTo(id) < 0 ? id : newest;
        }
        return newest;
    }

    /// Reads files of backups completely and compares them with their lists. Changes nothing and needs no lock: files
    /// deleted meanwhile are reported as missing.
    ///
    /// @param problem receives a line for each problem
    /// @return the number of problems
    public static int verify(ObjectStore store, List<Backup> backups, Consumer<String> problem) throws IOException {
        Map<String, Backup.Stored> files = new LinkedHashMap<>();
        Map<String, List<String>> users = new HashMap<>();
        for (Backup backup : backups) {
            for (Backup.Stored file : backup.files()) {
                files.putIfAbsent(file.sha256(), file);
                users.computeIfAbsent(file.sha256(), _ -> new ArrayList<>()).add(backup.id());
            }
        }
        int problems = 0;
        for (Backup.Stored file : files.values()) {
            String damage = damage(store, file);
            if (!damage.isEmpty()) {
                String needed = String.join(", ", users.getOrDefault(file.sha256(), List.of()));
                problem.accept(damage + ": no good for backup " + needed);
                problems++;
            }
        }
        return problems;
    }

    private static String damage(ObjectStore store, Backup.Stored file) throws IOException {
        String name = BackupFormat.file(file.sha256());
        String where = store.describe(name) + " (" + file.path() + ")";
        try (InputStream in = store.get(name)) {
            Hashes.Copied found = Hashes.copy(in, OutputStream.nullOutputStream());
            if (found.bytes() != file.bytes()) {
                return where + " is damaged: it has " + found.bytes() + " bytes in place of " + file.bytes();
            }
            return found.sha256().equals(file.sha256()) ? "" : where + " is damaged: its checksum does not fit";
        } catch (NoSuchFileException _) {
            return where + " is missing";
        }
    }
}
