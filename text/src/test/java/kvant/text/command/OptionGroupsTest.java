package kvant.text.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import kvant.text.command.OptionGroups.Heading;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

class OptionGroupsTest {

    @Heading("Threads")
    static final class Threads {

        @Option(names = "--workers", description = "How many.")
        private int workers;
    }

    @Command(name = "try", sortOptions = false)
    static final class Try implements Runnable {

        @Option(names = "--plain", description = "In no group.")
        private int plain;

        @Mixin
        private Threads threads = new Threads();

        @Heading("Threads")
        @Option(names = "--loops", description = "Of the same group.")
        private int loops;

        @Option(names = "--help", usageHelp = true)
        private boolean help;

        @Override
        public void run() {}
    }

    @Test
    void theHelpHasAHeadingForEachGroupAndItsOptionsTogether() {
        StringWriter out = new StringWriter();
        new CommandRunner(new CommandLine(new Try()), List.of())
                .run(new PrintWriter(out), new PrintWriter(out), "--help");

        List<String> lines = out.toString()
                .lines()
                .map(line -> line.replaceFirst("=.*", "").strip())
                .toList();
        assertThat(lines).containsSubsequence("--plain", "--help", "", "Threads:", "--workers", "--loops");
        assertThat(lines).filteredOn("Threads:"::equals).hasSize(1);
    }
}
