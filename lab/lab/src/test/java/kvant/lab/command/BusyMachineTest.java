package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Measuring on a busy machine gives a warning before the run begins.
@EnabledOnOs(OS.LINUX)
@Tag("alone")
class BusyMachineTest {

    private static final String WARNING = "kvant: this machine is busy before the run begins: other processes use ";

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();
    private final List<Process> others = new ArrayList<>();

    /// More than a fifth of the processors, also where tests want them too.
    @BeforeEach
    void keepTheMachineBusy() throws IOException {
        int allowed = Runtime.getRuntime().availableProcessors();
        long all = Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(line -> line.matches("cpu[0-9]+ .*"))
                .count();
        assumeThat(allowed).as("a control group leaves enough of the machine").isGreaterThan((int) (all / 4));
        int count = 1 + allowed / 2;
        for (int i = 0; i < count; i++) {
            others.add(new ProcessBuilder("timeout", "60", "sh", "-c", "while :; do :; done").start());
        }
    }

    @AfterEach
    void endTheOthers() throws InterruptedException {
        for (Process other : others) {
            other.destroy(); // which `timeout` hands on to its child
            other.waitFor();
        }
    }

    private void kvant(String... arguments) {
        Main.execute(new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
    }

    @Test
    void theLoadGeneratorSaysSo() {
        kvant("load", "-c1", "-d100ms", "--warmup", "0s", "http://127.0.0.1:1/nobody");
        assertThat(err.toString()).startsWith(WARNING);
    }

    @Test
    void theLaboratorySaysSo() throws IOException {
        Path experiment = Files.writeString(folder.resolve("none.yaml"), """
                name: none
                title: Nothing that starts
                variants: [{name: odd, serve: {no.such.option: 1}}]
                phases: [{name: put, workload: put}]
                """);
        String results = folder.resolve("results").toString();
        kvant("lab", "run", experiment.toString(), "--out", results, "--work", folder.toString());
        assertThat(err.toString()).startsWith(WARNING).contains("no variant can be started");
    }
}
