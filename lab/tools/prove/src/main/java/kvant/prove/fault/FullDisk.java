package kvant.prove.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.process.Programs;
import kvant.prove.stage.Stage;

/// FULL: a tmpfs with a size, and a ballast that can be taken out.
public final class FullDisk extends Disk {

    private final Path ballast = folder().resolve("ballast");

    public FullDisk(Stage stage, int mebibytes) throws IOException {
        super(stage, "full", "-t", "tmpfs", "-o", "mode=0755,size=" + mebibytes + "m", "kvant-prove");
    }

    public static String obstacle() {
        return obstacle("tmpfs");
    }

    /// Takes all that is left.
    public void fill() throws IOException {
        Programs.run("sh", "-c", "cat /dev/zero >\"$0\" || true", ballast.toString()); // fails once it is full
    }

    public void free() throws IOException {
        Files.deleteIfExists(ballast);
    }
}
