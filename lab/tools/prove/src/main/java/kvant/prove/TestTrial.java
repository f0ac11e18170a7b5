package kvant.prove;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// Tests that keep a row, run as `./kvant test` runs them, once and at their longer length.
///
/// @param module of Maven
/// @param tests names of classes, separated by commas
/// @param with properties of the run, separated by blanks
record TestTrial(String module, String tests, String with) implements Trial.Run {

    /// The sum that Maven prints of a module.
    private static final Pattern SUM = Pattern.compile("Tests run: (\\d+), Failures: 0, Errors: 0, Skipped: (\\d+)$");

    String obstacle() {
        return Files.exists(Main.root().resolve("mvnw")) ? "" : "no source tree";
    }

    @Override
    public Figures on(Stage stage) throws Exception {
        stage.say(tests);
        Path log = stage.folder().resolve("tests.log");
        ProcessBuilder builder = new ProcessBuilder(words(stage.seed()))
                .directory(Main.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        stage.keep(() -> {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        });
        int exit = maven.waitFor();
        List<String> lines = Files.readAllLines(log);
        if (exit != 0) {
            String reason = lines.stream()
                    .filter(line -> line.startsWith("[ERROR]"))
                    .findFirst()
                    .orElse("Maven failed");
            throw new Violation(reason + " (see " + log + ")");
        }
        long run = lines.stream()
                .flatMap(line -> SUM.matcher(line).results())
                .mapToLong(sum -> Long.parseLong(sum.group(1)) - Long.parseLong(sum.group(2)))
                .sum();
        if (run == 0) {
            throw new IOException("no test of " + tests + " ran: see " + log);
        }
        return new Figures().add("tests", run).add("failed", 0);
    }

    private List<String> words(long seed) {
        String words = "./mvnw -B -ntp -Dspotless.check.skip -pl " + module + " -am test -Dtest=" + tests
                + " -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dkvant.test.left.out=none" // with those that only a full run has
                + " -Dkvant.seed=" + seed + " -Dkvant.sim.seed=" + seed + " -Dkvant.fuzz.seed=" + seed + " " + with;
        return List.of(words.strip().split(" "));
    }
}
