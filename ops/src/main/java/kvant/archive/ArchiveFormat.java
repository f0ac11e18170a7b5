package kvant.archive;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import kvant.archive.ArchiveIndex.LogObject;
import kvant.engine.Limits;
import kvant.engine.Mutation;
import kvant.text.UserException;

/// The names of an archive's objects, and the format of those with changes.
///
/// Format document: docs/formats/archive.md
final class ArchiveFormat {

    static final String IDENTITY = "archive";
    static final String EPOCHS = "epochs";
    static final String BEGINNINGS = "begins";
    static final String LOGS = "log";
    static final String BASES = "bases";

    /// The folder of the backups that bases are.
    static final String BACKUPS = "base";

    static final int VERSION = 1;

    /// Highest plausible format version; a larger number means damage.
    private static final int NEWEST_VERSION = 1 << 16;

    private static final byte[] MAGIC = "KVANTARC".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int DELETE = 0;
    private static final int PUT = 1;
    private static final int PUT_EXPIRING = 2;
    private static final int END_OF_GROUP = 0xFE;
    private static final int END = 0xFF;

    /// Larger than any real time, and within the width of names.
    static final long MOST_MILLIS = 999_999_999_999_999L;

    /// Takes the content of an object, in order. The mutations of a group are sound only once `group` is called.
    interface Visitor {
        default void mutation(Mutation mutation) throws IOException {}

        /// @param version of the last change of the group
        void group(long version, long millis) throws IOException;
    }

    /// Puts groups into an object.
    interface Content {
        void to(Writer writer) throws IOException;
    }

    private ArchiveFormat() {}

    /// Writes an object to a file of this machine.
    static LogObject write(Path file, int epoch, long from, Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
            Writer writer = new Writer(out, epoch, from);
            content.to(writer);
            return writer.end();
        }
    }

    /// Writes an object, group by group. Belongs to one thread.
    static final class Writer implements Visitor {

        private final CRC32C sum = new CRC32C();
        private final DataOutputStream out;
        private final int epoch;
        private final long from;
        private long version;
        private long pending;
        private long firstMillis = MOST_MILLIS;
        private long lastMillis;

        Writer(OutputStream target, int epoch, long from) throws IOException {
            this.out = new DataOutputStream(new CheckedOutputStream(target, sum));
            this.epoch = epoch;
            this.from = from;
            this.version = from;
            out.write(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(epoch);
            out.writeLong(from);
        }

        @Override
        public void mutation(Mutation mutation) throws IOException {
            pending++;
            switch (mutation) {
                case Mutation.Delete(byte[] key) -> {
                    out.writeByte(DELETE);
                    bytes(key);
                }
                case Mutation.Put(byte[] key, byte[] value, long expiresAtMillis) -> {
                    boolean expires = expiresAtMillis != Mutation.Put.NEVER;
                    out.writeByte(expires ? PUT_EXPIRING : PUT);
                    bytes(key);
                    if (expires) {
                        out.writeLong(expiresAtMillis);
                    }
                    bytes(value);
                }
            }
        }

        private void bytes(byte[] value) throws IOException {
            out.writeInt(value.length);
            out.write(value);
        }

        @Override
        public void group(long newVersion, long millis) throws IOException {
            if (newVersion != version + pending) {
                throw new IOException("versions " + version + " to " + newVersion + " have " + pending + " changes");
            }
            version = newVersion;
            pending = 0;
            firstMillis = Math.clamp(millis, 0, firstMillis);
            lastMillis = Math.clamp(millis, lastMillis, MOST_MILLIS);
            out.writeByte(END_OF_GROUP);
            out.writeLong(version);
            out.writeLong(millis);
            out.writeInt((int) sum.getValue());
        }

        boolean isBetweenGroups() {
            return pending == 0;
        }

        /// About how many bytes were written so far.
        long bytes() {
            return out.size();
        }

        /// Ends the object; the last call.
        LogObject end() throws IOException {
            out.writeByte(END);
            out.writeLong(version);
            out.writeInt((int) sum.getValue());
            out.flush();
            return new LogObject(epoch, from, version, firstMillis, lastMillis, out.size());
        }
    }

    /// Reads an object to its end.
    ///
    /// @param where for messages
    /// @throws UserException where the content does not fit the name or a checksum, with the last sound group
    static void read(InputStream from, LogObject expected, String where, Visitor visitor) throws IOException {
        CRC32C sum = new CRC32C();
        DataInputStream in = new DataInputStream(new CheckedInputStream(from, sum));
        long version = expected.from();
        try {
            readHeader(in, expected, where);
            long count = 0;
            while (true) {
                int kind = in.readUnsignedByte();
                if (kind == END_OF_GROUP) {
                    version += count;
                    count = 0;
                    requireEqual(in.readLong(), version);
                    long millis = in.readLong();
                    requireSum(sum, in);
                    visitor.group(version, millis);
                } else if (kind == END) {
                    requireEqual(in.readLong(), version);
                    requireSum(sum, in);
                    requireEqual(version, expected.to());
                    requireEqual(count, 0);
                    requireEqual(in.read(), -1);
                    return;
                } else {
                    visitor.mutation(mutation(in, kind));
                    count++;
                }
            }
        } catch (EOFException | Mismatch _) {
            throw new UserException(where + " is damaged behind version " + version
                    + ": that is the last state that can be restored; --version " + version + " restores it");
        }
    }

    private static void readHeader(DataInputStream in, LogObject expected, String where) throws IOException {
        for (byte each : MAGIC) {
            requireEqual(in.readByte(), each);
        }
        int version = in.readInt();
        if (version > VERSION && version < NEWEST_VERSION) {
            throw new UserException(where + " has format version " + version + ", this version of Kvant knows "
                    + VERSION + ": use the version that wrote it");
        }
        requireEqual(version, VERSION);
        requireEqual(in.readInt(), expected.epoch());
        requireEqual(in.readLong(), expected.from());
    }

    private static Mutation mutation(DataInputStream in, int kind) throws IOException {
        if (kind > PUT_EXPIRING) {
            throw new Mismatch();
        }
        byte[] key = bytes(in, Limits.DEFAULT.maxKeyBytes());
        if (kind == DELETE) {
            return new Mutation.Delete(key);
        }
        long expiresAtMillis = kind == PUT_EXPIRING ? in.readLong() : Mutation.Put.NEVER;
        return new Mutation.Put(key, bytes(in, Limits.DEFAULT.maxValueBytes()), expiresAtMillis);
    }

    /// No checksum covers the length yet: so it is bounded, and no more memory is allocated than there are bytes.
    private static byte[] bytes(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new Mismatch();
        }
        byte[] bytes = in.readNBytes(length);
        requireEqual(bytes.length, length);
        return bytes;
    }

    private static void requireSum(CRC32C sum, DataInputStream in) throws IOException {
        int expected = (int) sum.getValue();
        requireEqual(in.readInt(), expected);
    }

    private static void requireEqual(long found, long expected) throws Mismatch {
        if (found != expected) {
            throw new Mismatch();
        }
    }

    private static final class Mismatch extends IOException {
        private static final long serialVersionUID = 1;
    }
}
