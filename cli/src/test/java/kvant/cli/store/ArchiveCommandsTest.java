package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.backup.FileTree;
import kvant.cli.ChildNode;
import kvant.cli.JsonSyntax;
import kvant.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Nodes that archive, as real processes, and what is restored of their archives by command.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ArchiveCommandsTest {

    @TempDir
    Path folder;

    private final NodeKeys keys = new NodeKeys();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @AfterEach
    void close() {
        keys.close();
    }

    private String place() {
        return folder.resolve("archive").toString();
    }

    private int kvant(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out), new PrintWriter(err), args);
    }

    private static double figure(ChildNode node, String name) throws IOException {
        return text(node, "/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    private static String text(ChildNode node, String path) throws IOException {
        try (InputStream in = URI.create(node.url() + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Two kills, the second with loss of the directory; another machine takes over, and the first one comes back.
    @Test
    void aNodeThatIsKilledAndLosesItsDirectoryIsRestoredElsewhere() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data, "--archive", place(), "--archive-interval", "0.1")) {
            try (NodeKeys.Writing writing = keys.writing(node)) {
                writing.awaitMore();
                node.kill(); // whatever it puts at this moment
            }
        }
        Map<String, Integer> before;
        Instant time;
        try (ChildNode node = ChildNode.serve(data, "--archive", place(), "--archive-interval", "0.1")) {
            try (NodeKeys.Writing writing = keys.writing(node)) {
                before = writing.acknowledged();
                writing.stop();
            }
            await().atMost(NodeKeys.PATIENCE)
                    .until(() -> figure(node, "kvant_archive_lag_seconds") == 0
                            && figure(node, "kvant_archive_last_base_timestamp_seconds") > 0);
            time = Instant.now().plusMillis(200);
            await().atMost(NodeKeys.PATIENCE).until(() -> Instant.now().isAfter(time.plus(Duration.ofMillis(200))));
            keys.put(node, "late", "1");
            await().atMost(NodeKeys.PATIENCE).until(() -> figure(node, "kvant_archive_lag_seconds") == 0);
            assertThat(figure(node, "kvant_archive_running")).isEqualTo(1);
            assertThat(figure(node, "kvant_backup_last_success_timestamp_seconds"))
                    .isPositive();
            node.kill();
        }
        Path gone = folder.resolve("gone");
        Files.move(data, gone);

        assertThat(kvant("archive", "verify", "--from", place()))
                .as(out + "" + err)
                .isZero();
        assertThat(kvant("archive", "list", "--from", place()))
                .as(out + "" + err)
                .isZero();
        assertThat(out.toString()).contains("from version", "written by");
        assertThat(kvant("archive", "list", "--from", place(), "--format", "json"))
                .isZero();
        assertThat(JsonSyntax.isJson(out.toString())).isTrue();
        Path at = folder.resolve("at");
        assertThat(kvant("restore", "--from", place(), "--at", time.toString(), "--to", at.toString()))
                .as(out + "" + err)
                .isZero();
        assertThat(out.toString()).contains("restored version", "sound");
        refused(
                2,
                "holds an archive: '--backup'",
                "restore",
                "--from",
                place(),
                "--backup",
                "x",
                "--to",
                folder + "/x");
        assertThat(kvant("restore", "--from", place(), "--to", data.toString()))
                .as(out + "" + err)
                .isZero();

        try (ChildNode restored = ChildNode.serve(data, "--archive", place(), "--archive-interval", "0.1");
                ChildNode earlier = ChildNode.serve(at)) {
            keys.assertThatHolds(restored, before);
            keys.assertThatHolds(earlier, before);
            assertThat(keys.get(restored, "late")).isEqualTo("1");
            assertThat(keys.get(earlier, "late")).isNotEqualTo("1");
            keys.put(restored, "after", "2");
            await().atMost(NodeKeys.PATIENCE)
                    .until(() -> figure(restored, "kvant_archive_lag_seconds") == 0
                            && figure(restored, "kvant_archive_running") == 1);
            try (ChildNode old = ChildNode.serve(gone, "--archive", place())) {
                await().atMost(NodeKeys.PATIENCE).until(() -> figure(old, "kvant_archive_running") == 0);
                keys.put(old, "old", "3"); // it serves on
                assertThat(old.stop()).isZero();
                assertThat(old.stderr()).anyMatch(line -> line.contains("is the archive of another store"));
            }
            assertThat(restored.stop()).isZero();
        }
        FileTree.delete(data);
        assertThat(kvant("restore", "--from", place(), "--latest", "--to", data.toString()))
                .as(out + "" + err)
                .isZero();
        try (ChildNode node = ChildNode.serve(data)) {
            assertThat(keys.get(node, "after")).isEqualTo("2");
            assertThat(node.stop()).isZero();
        }
    }

    /// A mirror, a full compaction, a backup and logs in a directory of their own take the same log and the same
    /// tables.
    @Test
    void anArchiveHasEverythingBesideAMirrorACompactionAndLogsApart() throws Exception {
        Path data = folder.resolve("data");
        Map<String, Integer> acknowledged;
        try (ChildNode node = ChildNode.serve(
                data,
                "--archive",
                place(),
                "--archive-interval",
                "0.1",
                "--lsm.log-dir",
                folder.resolve("logs").toString(),
                "--lsm.memtable",
                "64KiB",
                "--mirror-to",
                folder.resolve("mirror").toString())) {
            try (NodeKeys.Writing writing = keys.writing(node)) {
                assertThat(kvant("compact", "--data", data.toString()))
                        .as(out + "" + err)
                        .isZero();
                await().atMost(NodeKeys.PATIENCE)
                        .until(() -> figure(node, "kvant_archive_last_base_timestamp_seconds") > 0);
                String backups = folder.resolve("backups").toString();
                assertThat(kvant("backup", "create", "--data", data.toString(), "--target", backups))
                        .as(out + "" + err)
                        .isZero();
                writing.awaitMore();
                acknowledged = writing.acknowledged();
                writing.stop();
            }
            await().atMost(NodeKeys.PATIENCE).until(() -> figure(node, "kvant_archive_lag_seconds") == 0);
            assertThat(figure(node, "kvant_archive_gaps_total")).isZero();
            assertThat(text(node, "/v0/status"))
                    .containsPattern("\"archive\".{1,40}up to version [0-9]+, 0.0 s behind");
            assertThat(text(node, "/ui")).contains("check.name !== 'archive'");
            node.kill();
        }
        assertRestoredHolds(acknowledged);
    }

    /// The archive takes nothing between its first round and the stop: the logs hold what a compaction has flushed.
    @Test
    void whatWasFlushedMeanwhileIsStillHeldForTheArchive() throws Exception {
        Path data = folder.resolve("data");
        Map<String, Integer> acknowledged = new TreeMap<>();
        try (ChildNode node = ChildNode.serve(data, "--archive", place(), "--archive-interval", "3600")) {
            await().atMost(NodeKeys.PATIENCE)
                    .until(() -> figure(node, "kvant_archive_last_base_timestamp_seconds") > 0);
            for (int i = 0; i < 20; i++) {
                keys.put(node, "k" + i, Integer.toString(i));
                acknowledged.put("k" + i, i);
            }
            assertThat(kvant("compact", "--data", data.toString()))
                    .as(out + "" + err)
                    .isZero();
            assertThat(node.stop()).isZero();
        }
        assertRestoredHolds(acknowledged);
    }

    private void assertRestoredHolds(Map<String, Integer> acknowledged) throws Exception {
        assertThat(kvant("archive", "verify", "--from", place()))
                .as(out + "" + err)
                .isZero();
        Path elsewhere = folder.resolve("elsewhere");
        assertThat(kvant("restore", "--from", place(), "--to", elsewhere.toString()))
                .as(out + "" + err)
                .isZero();
        try (ChildNode restored = ChildNode.serve(elsewhere)) {
            keys.assertThatHolds(restored, acknowledged);
            assertThat(restored.stop()).isZero();
        }
    }

    /// The disk of the node loses all that was not synced, and is not looked at again. Where no file system can be
    /// mounted and cut off, the node is killed, and its directory is not looked at either.
    @Test
    void withAckAnArchiveHasAllThatWasAcknowledgedBeforeAPowerCut() throws Exception {
        Path image = folder.resolve("image");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(256 << 20);
        }
        boolean mounted = ran("mkfs.ext4", "-q", image.toString())
                && ran("mount", "-o", "loop", image.toString(), disk.toString());
        try {
            Map<String, Integer> acknowledged = new TreeMap<>();
            try (ChildNode node = ChildNode.serve(
                    disk.resolve("data"), "--archive", place(), "--archive-ack", "--archive-interval", "3600")) {
                await().atMost(NodeKeys.PATIENCE)
                        .until(() -> figure(node, "kvant_archive_last_base_timestamp_seconds") > 0);
                for (int i = 0; i < 20; i++) {
                    keys.put(node, "k" + i, Integer.toString(i));
                    acknowledged.put("k" + i, i);
                }
                if (mounted) {
                    // EXT4_IOC_SHUTDOWN without a flush of the journal
                    boolean _ = ran(
                            "perl",
                            "-e",
                            "$flag = pack('L', 2);"
                                    + " sysopen(F, $ARGV[0], 0) && ioctl(F, 0x8004587D, $flag) || die $!",
                            disk.toString());
                }
                node.kill();
            }
            assertRestoredHolds(acknowledged);
        } finally {
            if (mounted) {
                ran("umount", "-l", disk.toString());
            }
        }
    }

    private static boolean ran(String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false; // there is no such program
        }
    }

    @Test
    void whatCannotBeIsOneLine() {
        for (String engine : new String[] {"rocksdb", "cassandra"}) {
            refused(2, "'--archive' needs '--engine lsm'", "serve", "--engine", engine, "--archive", place());
        }
        String data = folder.resolve("data").toString();
        refused(2, "need '--archive TARGET'", "serve", "--data", data, "--archive-keep", "3");
        refused(2, "lies in the data directory", "serve", "--data", data, "--archive", data + "/copy");
        refused(2, "'--archive-interval' is", "serve", "--archive", place(), "--archive-interval", "0");
        refused(2, "'--archive-keep' is", "serve", "--archive", place(), "--archive-keep", "0");
        refused(2, "at least two memtables", "serve", "--archive", place(), "--archive-backlog", "1KiB");
        String to = folder.resolve("to").toString();
        refused(1, "there is no directory", "restore", "--from", place(), "--to", to);
        refused(2, "'--from' needs a value", "restore", "--from", "", "--to", to);
        refused(2, "'--at' is a time such as", "restore", "--from", place(), "--at", "yesterday", "--to", to);
        for (String time : new String[] {"2026-11-27 10:15:00", "2026-11-27T10:15:00.5Z", "2026-11-27 10:15 +03:00"}) {
            refused(1, "there is no directory", "restore", "--from", place(), "--at", time, "--to", to);
        }
        refused(2, "'--from' needs a value", "archive", "list", "--from", "");
    }

    private void refused(int code, String message, String... args) {
        assertThat(kvant(args)).as(String.join(" ", args)).isEqualTo(code);
        assertThat(err.toString()).contains(message);
        assertThat(err.toString().lines()).as(err.toString()).hasSizeLessThan(4);
    }
}
