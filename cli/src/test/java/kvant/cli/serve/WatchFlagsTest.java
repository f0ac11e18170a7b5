package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.server.accesslog.AccessLog.LogRotation;
import kvant.text.Units;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/// The help says what holds without an option.
class WatchFlagsTest {

    private static String help(String option) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new WatchFlags());
        return String.join(" ", spec.findOption(option).description());
    }

    @Test
    void theHelpSaysHowAnAccessLogIsRotated() {
        LogRotation usual = LogRotation.DEFAULT;
        assertThat(help("--access-log-rotate"))
                .endsWith("(default: " + Units.bytes(usual.bytes()).replace(" ", "") + ").");
        assertThat(help("--access-log-keep")).endsWith("(default: " + usual.keep() + ").");
    }
}
