package kvant.lsm.version;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;

/// Layout of a version edit in the manifest. Numbers are varints, lists begin with their length.
///
/// Format document: docs/formats/manifest.md
///
///     edit  = next-file flushed-sequence added-tables removed-tables added-logs removed-logs
///     table = number run id (8) bytes checksum (4) last-sequence
///     log   = number id (8)
final class VersionEditDescriptor {

    private VersionEditDescriptor() {}

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
        }
        encodeNumbers(edit.removedLogs(), out);
    }

    static VersionEdit decode(ByteReader in) {
        long nextFileNumber = in.getVarint();
        long flushedSequence = in.getVarint();
        List<TableInfo> tables = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            tables.add(new TableInfo(
                    in.getVarint(), in.getVarint(), in.getLong(), in.getVarint(), in.getInt(), in.getVarint()));
        }
        VersionEdit edit = new VersionEdit(
                tables, decodeNumbers(in), decodeLogs(in), decodeNumbers(in), flushedSequence, nextFileNumber);
        if (in.hasRemaining()) {
            throw new IndexOutOfBoundsException("there is more than one edit in it");
        }
        return edit;
    }

    private static List<LogInfo> decodeLogs(ByteReader in) {
        List<LogInfo> logs = new ArrayList<>();
        for (long left = in.getVarint(); left > 0; left--) {
            logs.add(new LogInfo(in.getVarint(), in.getLong()));
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
