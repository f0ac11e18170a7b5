package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.process.Programs;
import kvant.prove.stage.Stage;

/// POWER: a file system on a loop file, whose power can be cut: the shutdown ioctl of ext4 and XFS stops all writing at
/// once, its journal included, and after an unmount and a mount there is what had reached the loop file.
///
/// Two limits. A sync under way at the moment of the ioctl may say that it is done although it is not, so that the
/// processes that use the disk must stand still first ([kvant.lab.run.ServedNode#pause]). And the loop file keeps the
/// order of writes: a disk that loses its own cache is not part of this.
public final class LoopDisk extends Disk {

    private static final String SIZE = "512M";

    /// `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN` are the same number; 2: neither data nor the journal is written.
    private static final String SHUTDOWN =
            "$f = pack('i', 2); open(D, '<', $ARGV[0]) && ioctl(D, 0x8004587D, $f) || die \"does not shut down: $!\"";

    /// An empty one.
    ///
    /// @param type `ext4` or `xfs`, which have the ioctl
    public LoopDisk(Stage stage, String type) throws IOException {
        Path image = stage.folder().resolve("disk." + type);
        stage.keep(() -> Files.deleteIfExists(image)); // a violation keeps the journal, the nodes' logs and the seed
        Programs.run("truncate", "--size", SIZE, image.toString());
        Programs.run("mkfs." + type, "-q", type.equals("ext4") ? "-F" : "-f", image.toString());
        super(stage, "mounted." + type, "-o", "loop", "-t", type, image.toString());
    }

    public static String obstacle(String type) {
        return obstacle(type, "mkfs." + type, "perl");
    }

    /// From now on nothing reaches the disk. Processes that stand still should be ended next.
    public void cut() throws IOException {
        Programs.run("perl", "-e", SHUTDOWN, folder().toString());
    }
}
