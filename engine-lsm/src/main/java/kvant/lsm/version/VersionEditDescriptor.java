package kvant.lsm.version;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueReference;

/// Layout of a version edit in the manifest. Numbers are varints, lists begin with their length.
///
/// Format document: docs/formats/manifest.md
///
///     edit  = next-file flushed-sequence added-tables removed-tables added-logs removed-logs
///     table = number run id (8) bytes checksum (4) last-sequence
///     log   = number id (8) bytes last-sequence
///
///     edit      = ... added-values removed-values references{as many as added-tables}
///     values    = number id (8) bytes checksum (4) records
///     reference = count (number records bytes){count}
///
/// Version 3 is written. In version 2 a log has neither bytes nor a last sequence; in version 1 an edit also ends
/// behind the removed logs.
final class VersionEditDescriptor {

    private VersionEditDescriptor() {}

    /// The version that is written.
    static final int VERSION = 3;

    private static final int WITH_VALUES = 2;
    private static final int WITH_FINISHED_LOGS = 3;

    static void encode(VersionEdit edit, ByteWriter out) {
        out.putVarint(edit.nextFileNumber());
        out.putVarint(edit.flushedSequence());
        out.putVarint(edit.addedTables().size());
        for (TableInfo table : edit.addedTables()) {
            out.putVarint(table.number());
            out.putVarint(table.run());
            out.putLong(table.id());
            out.putVarint(table.bytes());
            out.putInt(table.checksum());
            out.putVarint(table.lastSequence());
        }
        encodeNumbers(edit.removedTables(), out);
        out.putVarint(edit.addedLogs().size());
        for (LogInfo log : edit.addedLogs()) {
            out.putVarint(log.number());
            out.putLong(log.id());
            out.putVarint(log.bytes());
            out.putVarint(log.lastSequence());
        }
        encodeNumbers(edit.removedLogs(), out);
        encodeValues(edit, out);
    }

    private static void encodeValues(VersionEdit edit, ByteWriter out) {
        out.putVarint(edit.addedValues().size());
        for (ValueFileInfo file : edit.addedValues()) {
            out.putVarint(file.number());
            out.putLong(file.id());
            out.putVarint(file.bytes());
            out.putInt(file.checksum());
            out.putVarint(file.records());
        }
        encodeNumbers(edit.removedValues(), out);
        for (TableInfo table : edit.addedTables()) {
            out.putVarint(table.values().size());
            for (ValueReference reference : table.values()) {
                out.putVarint(reference.file());
                out.putVarint(reference.records());
                out.putVarint(reference.bytes());
            }
        }
    }

    /// @param version of the manifest
    static VersionEdit decode(ByteReader in, int version) {
        long nextFileNumber = in.getVarint();
        long flushedSequence = in.getVarint();
        List<TableInfo> tables = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            tables.add(new TableInfo(
                    in.getVarint(),
                    in.getVarint(),
                    in.getLong(),
                    in.getVarint(),
                    in.getInt(),
                    in.getVarint(),
                    List.of()));
        }
        List<Long> removedTables = decodeNumbers(in);
        List<LogInfo> logs = decodeLogs(in, version);
        List<Long> removedLogs = decodeNumbers(in);
        List<ValueFileInfo> values = new ArrayList<>();
        List<Long> removedValues = List.of();
        if (version >= WITH_VALUES) {
            for (long left = in.getVarint(); left > 0; left--) {
                values.add(
                        new ValueFileInfo(in.getVarint(), in.getLong(), in.getVarint(), in.getInt(), in.getVarint()));
            }
            removedValues = decodeNumbers(in);
            tables.replaceAll(table -> table.referringTo(decodeReferences(in)));
        }
        if (in.hasRemaining()) {
            throw new IndexOutOfBoundsException("there is more than one edit in it");
        }
        WrittenRun added = new WrittenRun(tables, values);
        return new VersionEdit(added, removedTables, removedValues, logs, removedLogs, flushedSequence, nextFileNumber);
    }

    private static List<ValueReference> decodeReferences(ByteReader in) {
        List<ValueReference> references = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            references.add(new ValueReference(in.getVarint(), in.getVarint(), in.getVarint()));
        }
        return references;
    }

    private static List<LogInfo> decodeLogs(ByteReader in, int version) {
        List<LogInfo> logs = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            logs.add(
                    version >= WITH_FINISHED_LOGS
                            ? new LogInfo(in.getVarint(), in.getLong(), in.getVarint(), in.getVarint())
                            : new LogInfo(in.getVarint(), in.getLong()));
        }
        return logs;
    }

    private static void encodeNumbers(List<Long> numbers, ByteWriter out) {
        out.putVarint(numbers.size());
        for (long number : numbers) {
            out.putVarint(number);
        }
    }

    private static List<Long> decodeNumbers(ByteReader in) {
        List<Long> numbers = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            numbers.add(in.getVarint());
        }
        return numbers;
    }
}
