package kvant.lab.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import kvant.text.FileTrouble;
import kvant.text.UserException;

/// The profiler's native library as a temporary file while it is being loaded.
///
/// Only the owner has access to the directory, because a writer of the file could run code in the other process. The
/// names of directory and file are the same for all commands to one process. The dynamic linker compares names first:
/// the second command thus reaches the library already loaded, not a copy whose profiler does not know the running one.
final class ProfilerLibrary implements AutoCloseable {

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// Folders in the jar, by the JVM's name for the processor on Linux.
    private static final Map<String, String> LINUX =
            Map.of("amd64", "linux-x64", "x86_64", "linux-x64", "aarch64", "linux-arm64", "arm64", "linux-arm64");

    private final Path folder;
    private final Path file;

    private ProfilerLibrary(Path folder, Path file) {
        this.folder = folder;
        this.file = file;
    }

    /// @throws UserException when there is no profiler for this kind of machine, or its file cannot be written
    static ProfilerLibrary extract(Path temporary, long pid) {
        byte[] library = bytes();
        Path folder = temporary.toAbsolutePath().resolve("kvant-profiler-" + pid);
        JvmProcess.refuseUnspeakable(folder);
        CRC32C checksum = new CRC32C();
        checksum.update(library);
        Path file = folder.resolve(String.format(Locale.ROOT, "libasyncProfiler-%08x.so", checksum.getValue()));
        ProfilerLibrary extracted = new ProfilerLibrary(folder, file);
        try {
            extracted.delete(); // what a killed run left
            Files.createDirectory(folder, OWNER_ONLY);
            Files.write(file, library);
            return extracted;
        } catch (IOException e) {
            throw new UserException(
                    "cannot put the profiler's library into " + folder + ": " + FileTrouble.reading(e), e);
        }
    }

    private static byte[] bytes() {
        String machine = machine(System.getProperty("os.name"), System.getProperty("os.arch"));
        try (InputStream in = ClassLoader.getSystemResourceAsStream(machine + "/libasyncProfiler.so")) {
            if (in == null) {
                throw new UserException("the profiler's library for " + machine + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UserException("cannot read the profiler's library: " + e.getMessage(), e);
        }
    }

    /// The folder of the jar with the library for a kind of machine.
    static String machine(String system, String processor) {
        if (system.toLowerCase(Locale.ROOT).startsWith("mac")) {
            return "macos";
        }
        String known = system.equals("Linux") ? LINUX.get(processor) : null;
        if (known != null) {
            return known;
        }
        throw new UserException("there is no profiler for " + system + " on " + processor
                + ": Linux on x64 or arm64 and macOS have one");
    }

    Path file() {
        return file;
    }

    /// The profiler's log file, to be read before this is closed.
    Path log() {
        return folder.resolve("log");
    }

    private void delete() throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "{libasyncProfiler-*.so,log}")) {
                for (Path old : files) {
                    Files.delete(old);
                }
            }
        }
        Files.deleteIfExists(folder);
    }

    @Override
    public void close() {
        try {
            delete();
        } catch (IOException e) {
            throw new UserException("cannot remove " + folder + ": " + FileTrouble.reading(e), e);
        }
    }
}
