package kvant.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// A process of its own that writes until it is killed or its log fails, and tells which writes were
/// acknowledged.
final class Child {

    static final String ACKNOWLEDGED = "acknowledged ";
    static final String LOG_FAILED = "log failed, reads ";

    private static final int BURST = 16;
    private static final int RLIMIT_FSIZE = 1; // on Linux

    private Child() {}

    /// Starts it on a directory.
    ///
    /// @param fileLimitBytes the longest file that it may write, once it runs; 0 for no limit
    static Process start(Path directory, String durability, int valueBytes, long fileLimitBytes) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
        command.addAll(List.of(directory.toString(), durability, "" + valueBytes, "" + fileLimitBytes));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /// Writes numbered keys in bursts; after each burst prints the highest number that was acknowledged.
    static void main(String[] args) throws Throwable {
        RocksDbOptions options = RocksDbOptions.defaults()
                .withDurability(Durability.parse(args[1]))
                .withWriteBufferBytes(64 << 20);
        String value = "v".repeat(Integer.parseInt(args[2]));
        RocksDbEngine engine = RocksDbEngine.open(Path.of(args[0]), options);
        limitFiles(Long.parseLong(args[3])); // only now: the native library has to be unpacked first
        for (int first = 0; ; first += BURST) {
            RecordingSink sink = new RecordingSink();
            for (int i = first; i < first + BURST; i++) {
                engine.submit(new Write(WriteBatch.of(Samples.put("key" + i, i + value)), sink));
            }
            sink.awaitCompleted(BURST);
            for (Write write : sink.completed()) {
                if (write.failure() instanceof EngineException.OutcomeUnknown) {
                    System.out.println(LOG_FAILED + afterFailure(engine));
                    return;
                }
                String key = Samples.text(write.batch().mutations().getFirst().key());
                System.out.println(ACKNOWLEDGED + key.substring("key".length()));
            }
        }
    }

    @SuppressWarnings("restricted") // the process is allowed native access by its flags
    private static void limitFiles(long bytes) throws Throwable {
        if (bytes == 0) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        MethodHandle setrlimit = linker.downcallHandle(
                linker.defaultLookup().find("setrlimit").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment softAndHard = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes, bytes);
            int result = (int) setrlimit.invokeExact(RLIMIT_FSIZE, softAndHard);
            if (result != 0) {
                throw new IllegalStateException("setrlimit failed");
            }
        }
    }

    /// Checks that reads continue and writes are not acknowledged any more; returns a line that names the violation.
    private static String afterFailure(RocksDbEngine engine) {
        if (Samples.get(engine, "key0") == null) {
            return "fail";
        }
        for (int i = 0; i < 5; i++) {
            Write later = Samples.settle(engine, WriteBatch.of(Samples.put("later", "x")));
            if (!(later.failure() instanceof EngineException.LogFailed)) {
                return "go on but a later write did not fail";
            }
        }
        boolean ready = engine.health().ready();
        engine.close();
        return ready ? "go on but health says ready" : "go on";
    }
}
