package kvant.lsm.operate;

import java.io.IOException;
import kvant.engine.MetricSink;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.SuperVersion;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;

/// Reports the metrics of a store; each call takes one view of the store.
public final class StoreMetrics {

    private StoreMetrics() {}

    public static void measure(Store store, MetricSink sink) {
        SuperVersion view = store.readers().acquire();
        try {
            measureLevels(view, sink);
            measureValues(view.version(), sink);
            measureMemory(view, sink);
            sink.gauge(
                    "kvant_lsm_data_bytes",
                    "Bytes of tables, value files and memtables: what --max-data bounds.",
                    Store.bytesOf(view));
        } finally {
            store.readers().release(view);
        }
        store.figures().measure(sink);
        FullCompaction.Progress full = store.fullCompaction().progress();
        String fullHelp = "Bytes that the running full compaction has read, and has left.";
        sink.gauge("kvant_lsm_full_compaction_bytes", fullHelp, full.doneBytes(), "state", "done");
        sink.gauge("kvant_lsm_full_compaction_bytes", fullHelp, full.leftBytes(), "state", "left");
        sink.gauge(
                "kvant_lsm_quarantined_tables",
                "Tables that merges leave alone because they could not be read.",
                store.health().quarantine().tables().size());
        measureRoom(store.storage(), sink);
        store.measure(sink);
    }

    private static void measureRoom(Storage storage, MetricSink sink) {
        String help = "Bytes that are free on the disk of the tables and on that of the logs, which may be the same.";
        try {
            sink.gauge("kvant_lsm_usable_bytes", help, storage.usableBytes(), "disk", "tables");
            sink.gauge("kvant_lsm_usable_bytes", help, storage.logs().usableBytes(), "disk", "logs");
        } catch (IOException _) {
            // The missing gauge shows the failure.
        }
    }

    private static void measureLevels(SuperVersion view, MetricSink sink) {
        long[] tables = new long[Levels.LAST + 1];
        long[] bytes = new long[Levels.LAST + 1];
        long[] records = new long[Levels.LAST + 1];
        for (Run run : view.version().runs()) {
            int level = Levels.levelOf(run.id());
            bytes[level] += run.bytes();
            for (TableProperties table : run.tableProperties()) {
                tables[level]++;
                records[level] += table.records();
            }
        }
        gauges(sink, "kvant_lsm_level_tables", "Tables of a level.", tables);
        gauges(sink, "kvant_lsm_level_bytes", "Bytes of a level.", bytes);
        gauges(sink, "kvant_lsm_level_records", "Records of a level.", records);
        sink.gauge(
                "kvant_lsm_runs",
                "Sorted runs that a look-up may have to ask.",
                view.version().runs().size());
    }

    private static void measureValues(Version version, MetricSink sink) {
        long bytes = 0;
        for (ValueFileInfo file : version.valueFileInfos()) {
            bytes += file.recordBytes();
        }
        long live = 0;
        for (Run run : version.runs()) {
            for (TableInfo table : run.tableInfos()) {
                live += table.valueBytes();
            }
        }
        String help = "Bytes of value files: what tables refer to, and what merges have left behind.";
        sink.gauge(
                "kvant_lsm_value_files",
                "Files of values that are kept out of tables.",
                version.valueFileInfos().size());
        sink.gauge("kvant_lsm_value_bytes", help, live, "state", "live");
        sink.gauge("kvant_lsm_value_bytes", help, bytes - live, "state", "garbage");
    }

    private static void gauges(MetricSink sink, String name, String help, long[] levels) {
        for (int level = 0; level < levels.length; level++) {
            sink.gauge(name, help, levels[level], "level", Integer.toString(level));
        }
    }

    private static void measureMemory(SuperVersion view, MetricSink sink) {
        String help = "Memory of memtables.";
        long sealed = 0;
        for (Memtable memtable : view.sealed()) {
            sealed += memtable.bytes();
        }
        sink.gauge("kvant_lsm_memtable_bytes", help, view.active().bytes(), "state", "active");
        sink.gauge("kvant_lsm_memtable_bytes", help, sealed, "state", "sealed");
    }
}
