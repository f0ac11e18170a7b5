package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Kinds of damage of a stored file: what each means, and what to do. For tools that look for all damage instead
/// of stopping at the first.
public enum Damage {
    MANIFEST(
            "the files of the store are unknown, and a node refuses to start",
            "restore the data directory from a backup"),
    FILE_MISSING(
            "a node refuses to start", "put the file back from a copy of this very directory, or restore a backup"),
    FILE_UNREADABLE("nothing is known of its content", "mend permissions or the disk, then check again"),
    FILE_NEWER("this version cannot read it", "use the version that wrote it"),
    TABLE("a node refuses to start, or answers 500 for keys in this file", "restore the data directory from a backup"),
    BLOCK("reads of the keys in this block are answered 500", "restore the data directory from a backup"),
    FILTER("keys of this table read as absent although they are there", "restore the data directory from a backup"),
    ORDER("some keys of these tables cannot be found", "restore the data directory from a backup"),
    VALUES(
            "a node refuses to start, or answers 500 for keys whose values are in this file",
            "restore the data directory from a backup"),
    LOG("acknowledged writes are lost, and a node refuses to start", "restore the data directory from a backup"),
    PADDING(
            "no data is touched, because nothing reads these bytes, but something has changed them",
            "check disk and memory, and make a checkpoint on another disk"),
    UNKNOWN_WRITES(
            "it holds acknowledged writes that the manifest does not know, and a node refuses to start",
            "keep the file, and restore the manifest from a copy of this very directory");

    /// Receives each damage.
    public interface Sink {
        /// @param file name as shown to the user
        /// @param offset in the file, 0 for the whole file
        /// @param what description of the damage
        void found(Damage kind, String file, long offset, String what);

        /// Maps a file for a check, and reports the fault that ends the check.
        ///
        /// @param kind of the damage if its content is wrong
        /// @return the result; null when a fault was reported
        default <T> @Nullable T look(Damage kind, Storage storage, String fileName, Look<T> look) throws IOException {
            String name = storage.describe(fileName);
            long bytes = storage.size(fileName);
            try (Arena arena = Arena.ofConfined()) {
                return look.at(storage.map(fileName, arena), name);
            } catch (EngineException.Corruption e) {
                found(kind, name, e.offset(), e.detail());
            } catch (EngineException.CannotOpen e) {
                found(FILE_NEWER, name, 0, String.valueOf(e.getMessage()));
            } catch (IndexOutOfBoundsException e) {
                found(kind, name, 0, "it cannot be decoded: " + e.getMessage());
            } catch (InternalError _) {
                found(FILE_UNREADABLE, name, 0, ReadFault.explain(storage, fileName, bytes));
            }
            return null;
        }
    }

    /// A check of a mapped file.
    public interface Look<T> {

        /// @param name of the file as shown to the user
        @Nullable
        T at(MemorySegment file, String name) throws IOException;
    }

    private final String meaning;
    private final String remedy;

    Damage(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    public String meaning() {
        return meaning;
    }

    public String remedy() {
        return remedy;
    }
}
