package kvant.prove.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.prove.stage.Stage;

/// FULL: a tmpfs with a size, and a ballast that can be taken out.
public final class FullDisk {

    private static final int CHUNK = 64 << 10;

    private final Path folder;

    public FullDisk(Stage stage, int mebibytes) throws IOException {
        String options = "mode=0755,size=" + mebibytes + "m";
        folder = new Mount(stage, "full", "-t", "tmpfs", "-o", options, "kvant-prove").folder();
    }

    public static String obstacle() {
        return Mount.obstacle("tmpfs");
    }

    public Path folder() {
        return folder;
    }

    /// Takes all that is left.
    public void fill() {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(chunk);
            }
        } catch (IOException _) {
            // full
        }
    }

    public void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }
}
