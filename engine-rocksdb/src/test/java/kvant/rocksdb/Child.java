package kvant.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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

    private Child() {}

    /// Starts it on a directory.
    ///
    /// @param shellPrefix what the shell does first, such as setting a limit; may be empty
    static Process start(Path directory, String durability, int valueBytes, String shellPrefix) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", shellPrefix + "exec \"$@\"", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
        command.addAll(List.of(directory.toString(), durability, "" + valueBytes));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /// Writes numbered keys in bursts; after each burst prints the highest number that was acknowledged.
    static void main(String[] args) {
        RocksDbOptions options = RocksDbOptions.defaults()
                .withDurability(Durability.parse(args[1]))
                .withWriteBufferBytes(64 << 20);
        String value = "v".repeat(Integer.parseInt(args[2]));
        RocksDbEngine engine = RocksDbEngine.open(Path.of(args[0]), options);
        for (int first = 0; ; first += BURST) {
            RecordingSink sink = new RecordingSink();
            for (int i = first; i < first + BURST; i++) {
                engine.submit(new Write(WriteBatch.of(Samples.put("key" + i, i + value)), sink));
            }
            sink.awaitCompleted(BURST);
            for (Write write : sink.completed()) {
                if (write.failure() instanceof EngineException.LogFailed) {
                    System.out.println(LOG_FAILED + afterFailure(engine));
                    return;
                }
                String key = Samples.text(write.batch().mutations().getFirst().key());
                System.out.println(ACKNOWLEDGED + key.substring("key".length()));
            }
        }
    }

    /// Reads must go on, and no write may be acknowledged any more; says which of it is not so.
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
