package kvant.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import kvant.lab.process.Programs;
import kvant.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `kvant bench one-nio`: a map behind one-nio's HTTP server, with Kvant's paths for one key. It shows the cost of HTTP
/// on the JVM without storage.
@Command(
        name = "one-nio",
        mixinStandardHelpOptions = true,
        description = "Serve a map in memory through one-nio, until SIGTERM. For 'kvant lab run peers'.",
        sortOptions = false)
public final class OneNioCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--port", paramLabel = "N", description = "Port on 127.0.0.1; 0 for a free one (default: 0).")
    private int port;

    @Option(names = "--selectors", paramLabel = "N", description = "Event loops (default: 1).")
    private int selectors = 1;

    @Option(names = "--data", paramLabel = "DIR", description = "Where its native library is unpacked; else /tmp.")
    private @Nullable Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (data != null) {
            System.setProperty("java.io.tmpdir", Files.createDirectories(data).toString());
        }
        int chosen = port == 0 ? Programs.freePort() : port;
        OneNioServer server = OneNioServer.start(chosen, selectors);
        Runtime.getRuntime().addShutdownHook(new Thread(server::stop, "kvant-one-nio-stop"));
        spec.commandLine().getOut().println("listening on http://127.0.0.1:" + chosen);
        spec.commandLine().getOut().flush();
        Thread.currentThread().join(); // until a signal ends the process
        return ExitCode.DONE;
    }
}
