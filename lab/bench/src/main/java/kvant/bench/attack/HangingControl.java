package kvant.bench.attack;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.KvantProgram;

/// Holds connections to the control socket while an operator sends a command.
final class HangingControl implements Assault {

    private static final int CONNECTIONS = 8;
    private static final int PATIENCE_SECONDS = 20;

    private String complaint = "";

    @Override
    public void begin(Scene scene) throws IOException, InterruptedException {
        UnixDomainSocketAddress control =
                UnixDomainSocketAddress.of(scene.data().resolve("control.sock"));
        for (int i = 0; i < CONNECTIONS; i++) {
            scene.keep(SocketChannel.open(control));
        }
        complaint = inspect(scene);
    }

    private static String inspect(Scene scene) throws IOException, InterruptedException {
        List<String> arguments = List.of("inspect", "--data", scene.data().toString());
        Process inspect = new ProcessBuilder(KvantProgram.command(List.of(), arguments))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!inspect.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return "no answer to inspect in " + PATIENCE_SECONDS + " s";
            }
            return inspect.exitValue() == 0 ? "" : "inspect failed with " + inspect.exitValue();
        } finally {
            inspect.destroyForcibly();
        }
    }

    @Override
    public List<String> complaints(Scene scene) {
        return complaint.isEmpty() ? List.of() : List.of(complaint);
    }
}
