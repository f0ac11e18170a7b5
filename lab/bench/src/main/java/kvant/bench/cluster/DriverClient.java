package kvant.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.bench.process.KvantProgram;
import kvant.bench.process.Workbench;
import kvant.lab.process.ProcessSampler;
import kvant.text.JsonFile;
import org.jspecify.annotations.Nullable;

/// The bare driver in a process that stays warm, with the heap of a node; [DriverBench] is what runs there.
///
/// Belongs to one thread, except for [#close()].
final class DriverClient implements AutoCloseable {

    private static final int STOP_SECONDS = 20;

    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;

    private DriverClient(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    static DriverClient start(Workbench bench, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("driver", "--contact-points", LocalCluster.contactPoints()));
        arguments.addAll(Arrays.asList(options));
        Process process = new ProcessBuilder(KvantProgram.bench(List.of("-Xmx512m"), arguments))
                .redirectError(bench.folder().resolve("driver.err").toFile())
                .start();
        DriverClient client = bench.keep(new DriverClient(process));
        client.answer();
        return client;
    }

    private Map<String, @Nullable Object> answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the bare client ended");
        }
        return JsonFile.object(line, "the answer of the bare client", "an answer");
    }

    /// Sends a line and waits for the answer.
    Map<String, @Nullable Object> ask(String line) throws IOException {
        questions.write(line + "\n");
        questions.flush();
        return answer();
    }

    long cpuNanos() {
        return ProcessSampler.look(process.toHandle()).cpuNanos();
    }

    @Override
    public void close() throws IOException {
        if (!process.isAlive()) {
            return;
        }
        questions.close(); // its end of input, at which it ends
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
