package kvant.lab.profile;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import kvant.text.FileTrouble;
import kvant.text.UserException;

/// A running JVM that accepts commands for the profiler.
///
/// Attaching starts with a signal that kills other processes, so nothing is sent before the process is known to be a
/// JVM.
final class JvmProcess {

    /// A JVM answers within a second, unless it is stopped or overloaded; ending a long recording takes longer.
    private static final long PATIENCE_SECONDS = 60;

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    /// The profiler's answer to a command.
    ///
    /// @param accepted whether the command was executed
    /// @param lines of its log
    record Answer(boolean accepted, List<String> lines) {

        /// The reason for a refusal, without the log level.
        String reason() {
            return lines.stream()
                    .filter(line -> line.startsWith("[ERROR]"))
                    .map(line -> line.substring("[ERROR]".length()).strip())
                    .findFirst()
                    .orElse("the profiler gave no reason");
        }

        /// Its warnings.
        List<String> warnings() {
            return lines.stream()
                    .filter(line -> line.startsWith("[WARN]"))
                    .map(line -> line.substring("[WARN]".length()).strip())
                    .toList();
        }
    }

    private final ProcessHandle process;

    private JvmProcess(ProcessHandle process) {
        this.process = process;
    }

    /// @throws UserException if this is no JVM, or belongs to another user
    static JvmProcess of(long pid) {
        ProcessHandle process = ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .orElseThrow(() -> new UserException("there is no process " + pid));
        ProcessHandle self = ProcessHandle.current();
        if (process.equals(self)) {
            throw new UserException("process " + pid + " is this command itself");
        }
        String owner = process.info().user().orElse("unknown");
        if (!process.info().user().equals(self.info().user())) {
            throw new UserException("process " + pid + " belongs to user " + owner + ": run this command as " + owner);
        }
        if (!isJvm(pid)) {
            throw new UserException("process " + pid + " ("
                    + process.info().command().orElse("without a command") + ") is not a Java virtual machine");
        }
        return new JvmProcess(process);
    }

    private static boolean isJvm(long pid) {
        Path maps = Path.of("/proc", Long.toString(pid), "maps");
        if (!Files.exists(maps)) { // not Linux
            return VirtualMachine.list().stream()
                    .map(VirtualMachineDescriptor::id)
                    .anyMatch(Long.toString(pid)::equals);
        }
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.contains("/libjvm.so"));
        } catch (IOException | UncheckedIOException e) {
            throw new UserException("may not look into process " + pid + ": " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Sends a command to the profiler in that process, and loads the profiler first if necessary.
    ///
    /// @param command returns the command for the path of a log file
    /// @throws UserException if the command could not be delivered
    Answer tell(Function<Path, String> command) {
        try (ProfilerLibrary library = ProfilerLibrary.extract(TEMPORARY, pid())) {
            boolean accepted = load(library.file(), command.apply(library.log()));
            return new Answer(accepted, linesOf(library.log()));
        }
    }

    /// Ends a recording.
    Answer stop(Path jfr) {
        return tell(log -> "stop,jfr,file=" + jfr + ",log=" + log);
    }

    /// The profiler interprets a comma as the end of a path, and a percent sign as a placeholder.
    ///
    /// @throws UserException if it would use a different path
    static void refuseUnspeakable(Path path) {
        String text = path.toString();
        if (text.indexOf(',') >= 0 || text.indexOf('%') >= 0) {
            throw new UserException("cannot write profiles to '" + path
                    + "': the profiler takes no path with a comma or a percent sign");
        }
    }

    private static List<String> linesOf(Path log) {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            return List.of("[ERROR] cannot read what the profiler said: " + FileTrouble.reading(e));
        }
    }

    /// On its own thread, because a stopped JVM accepts the connection and never answers.
    private boolean load(Path library, String command) {
        FutureTask<Boolean> loading = new FutureTask<>(() -> attachAndLoad(library, command));
        Thread.ofPlatform().daemon().name("kvant-attach").start(loading);
        try {
            return loading.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw refusal("it did not answer within " + PATIENCE_SECONDS + " s: is it stopped?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusal("interrupted", e);
        } catch (ExecutionException e) {
            throw explained(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private boolean attachAndLoad(Path library, String command)
            throws AttachNotSupportedException, IOException, AgentLoadException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid()));
        try {
            machine.loadAgentPath(library.toString(), command);
            return true;
        } catch (AgentInitializationException _) { // a refusal by the profiler, with its reason in the log
            return false;
        } finally {
            machine.detach();
        }
    }

    private UserException explained(Throwable failure) {
        if (!isAlive()) {
            return new UserException("process " + pid() + " has ended", failure);
        }
        String message = String.valueOf(failure.getMessage());
        if (message.contains("EnableDynamicAgentLoading")) {
            return refusal("it was started with -XX:-EnableDynamicAgentLoading; start it without that option", failure);
        }
        if (failure instanceof AttachNotSupportedException) {
            return refusal("it takes no attachment (was it started with -XX:+DisableAttachMechanism?)", failure);
        }
        return refusal(message.lines().findFirst().orElse("no reason given"), failure);
    }

    private UserException refusal(String why, Throwable cause) {
        return new UserException("cannot attach to process " + pid() + ": " + why, cause);
    }

    /// The profiler's native library as a temporary file while it is being loaded.
    ///
    /// Only the owner has access to the directory, because a writer of the file could run code in the other
    /// process. The names of directory and file are the same for all commands to one process. The dynamic
    /// linker compares names first: the second command thus reaches the library already loaded, not a copy
    /// whose profiler does not know the running one.
    record ProfilerLibrary(Path folder, Path file) implements AutoCloseable {

        private static final FileAttribute<?> OWNER_ONLY =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

        /// Folders in the jar, by the JVM's name for the processor on Linux.
        private static final Map<String, String> LINUX =
                Map.of("amd64", "linux-x64", "x86_64", "linux-x64", "aarch64", "linux-arm64", "arm64", "linux-arm64");

        /// @throws UserException when there is no profiler for this kind of machine, or its file cannot be
        ///     written
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
}
