package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import kvant.engine.CompletionSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.SmallDisk;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.StorageFullException.Limit;
import org.junit.jupiter.api.Test;

/// When the disk is looked at, what goes for want of room, and what is said.
class SpaceGuardTest {

    private static final long HEADROOM_BYTES = 16_000;

    /// Times that retained logs were given up.
    private int spared;

    /// Times that scans were asked to give way.
    private int gaveWay;

    /// Bytes of the disk held by scans.
    private long keptByScans;

    /// The time between two looks has not passed, so that only what was written can be the reason for one.
    @Test
    void whatIsWrittenMeanwhileIsCounted() {
        SmallDisk disk = new SmallDisk(1 << 20);
        SpaceGuard guard = guard(disk);
        long lookedNanos = System.nanoTime(); // before the look, which may take long the first time
        assertThat(guard.check()).isNull();
        disk.setUsableBytes(HEADROOM_BYTES - 1);
        guard.admit(ofBytes(500));
        boolean unseen = guard.check() == null;
        guard.admit(ofBytes(501));
        assertThat(guard.check()).isNotNull();
        if (System.nanoTime() - lookedNanos < SpaceGuard.CHECK_NANOS) {
            assertThat(unseen).as("a look for each group would cost too much").isTrue();
        }
    }

    /// A file of the tables that finds no room, such as the manifest, gains nothing by logs on another disk.
    @Test
    void logsThatAreKeptGoForTheirOwnDiskAlone() {
        SpaceGuard guard = guard(new LogsApart(disk("tables"), disk("logs")));
        guard.full(new StorageFullException(Limit.DISK, "tables/" + FileNames.MANIFEST, new IOException()));
        guard.full(new StorageFullException(Limit.QUOTA, "tables/" + FileNames.MANIFEST, new IOException()));
        assertThat(spared).isZero();
        guard.full(new StorageFullException(Limit.QUOTA, "logs/" + FileNames.log(1), new IOException()));
        assertThat(spared).isEqualTo(1);
    }

    /// Others may still grow, and it does not grow when they go.
    @Test
    void logsThatAreKeptDoNotGoForAFileThatMayNotGrow() {
        SpaceGuard guard = guard(disk("store"));
        for (String file : List.of(FileNames.log(1), FileNames.MANIFEST)) {
            guard.full(new StorageFullException(Limit.FILE_SIZE, "store/" + file, new IOException()));
        }
        assertThat(spared).isZero();
        guard.full(new StorageFullException(Limit.DISK, "store/" + FileNames.MANIFEST, new IOException()));
        assertThat(spared).isEqualTo(1);
    }

    /// They keep tables and files of values, and nothing of a disk that has the logs alone.
    @Test
    void scansGiveWayForTheDiskOfTheTables() {
        SmallDisk tables = disk("tables");
        SmallDisk logs = disk("logs");
        logs.setUsableBytes(HEADROOM_BYTES - 1);
        assertThat(guard(new LogsApart(tables, logs)).check()).isNotNull();
        SpaceGuard guard = guard(new LogsApart(tables, disk("logs")));
        guard.full(new StorageFullException(Limit.QUOTA, "logs/" + FileNames.log(1), new IOException()));
        guard.full(new StorageFullException(Limit.FILE_SIZE, "tables/" + FileNames.MANIFEST, new IOException()));
        assertThat(gaveWay).isZero();
        guard.full(new StorageFullException(Limit.QUOTA, "tables/" + FileNames.MANIFEST, new IOException()));
        assertThat(gaveWay).isEqualTo(1);
        tables.setUsableBytes(HEADROOM_BYTES - 1);
        assertThat(guard(tables).check()).isNotNull();
        assertThat(gaveWay).isEqualTo(2);
    }

    /// A scan can continue behind its last key; a follower of changes would have to start again.
    @Test
    void scansThatKeepEnoughGiveWayBeforeLogsGo() {
        SmallDisk disk = disk("store");
        disk.setUsableBytes(HEADROOM_BYTES - 100);
        keptByScans = 100;
        assertThat(guard(disk).check()).as("until their files have gone").isNotNull();
        assertThat(gaveWay).isEqualTo(1);
        assertThat(spared).isZero();
        keptByScans = 99;
        assertThat(guard(disk).check()).isNotNull();
        assertThat(spared).as("too little, so both").isEqualTo(1);
        assertThat(gaveWay).isEqualTo(2);
    }

    /// The number of missing bytes is unknown.
    @Test
    void whereAWriteMeetsAQuotaScansGiveWayBeforeLogsGo() {
        StorageFullException met =
                new StorageFullException(Limit.QUOTA, "store/" + FileNames.MANIFEST, new IOException());
        SpaceGuard guard = guard(disk("store"));
        keptByScans = 1;
        guard.full(met);
        assertThat(gaveWay).isEqualTo(1);
        assertThat(spared).isZero();
        keptByScans = 0;
        guard.full(met);
        assertThat(spared).isEqualTo(1);
    }

    /// A deletion needs the log, and its quota is used up; a log that may not grow is followed by another.
    @Test
    void theRefusalSaysWhatHelps() {
        SpaceGuard guard = guard(disk("store"));
        String log = "store/" + FileNames.log(1);
        assertThat(guard.full(new StorageFullException(Limit.DISK, log, new IOException())))
                .hasMessageContaining("delete something");
        assertThat(guard.full(new StorageFullException(Limit.QUOTA, log, new IOException())))
                .hasMessageContaining("free space there")
                .message()
                .doesNotContain("delete");
        assertThat(guard.full(new StorageFullException(Limit.FILE_SIZE, log, new IOException())))
                .hasMessageContaining("the next log begins");
    }

    private SpaceGuard guard(Storage storage) {
        return new SpaceGuard(
                storage,
                HEADROOM_BYTES,
                Long.MAX_VALUE,
                () -> 0,
                new SpaceGuard.Spare(bytes -> keptByScans >= bytes && haveScansGiveWay(), this::spareLogs, () -> {
                    boolean any = keptByScans > 0;
                    return haveScansGiveWay() && any;
                }));
    }

    private boolean haveScansGiveWay() {
        gaveWay++;
        return true;
    }

    private boolean spareLogs() {
        spared++;
        return true;
    }

    private static SmallDisk disk(String name) {
        return new SmallDisk(1 << 20).named(name);
    }

    private static List<Write> ofBytes(int bytes) {
        int empty = Math.toIntExact(WriteBatch.put(new byte[1], new byte[0]).bytes());
        return List.of(new Write(WriteBatch.put(new byte[1], new byte[bytes - empty]), new UnusedSink()));
    }

    private static final class UnusedSink implements CompletionSink {

        @Override
        public void completed(Write write) {
            throw new AssertionError("nothing is settled");
        }

        @Override
        public void wake() {
            throw new AssertionError("nobody is woken");
        }
    }
}
