package kvant.prove.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Trial;
import kvant.prove.stage.Violation;

/// Tests that keep a row, run as `./kvant test` runs them, once and at their longer length.
///
/// @param module of Maven
/// @param tests names of classes, separated by commas
/// @param with properties of the run, separated by blanks
public record TestTrial(int row, String promise, String module, String tests, String with) implements Trial {

    private static final long MINUTES = 30;
    private static final Pattern COUNTED = Pattern.compile("<testsuite [^>]*? tests=\"(\\d+)\"");
    private static final Pattern SKIPPED = Pattern.compile("<testsuite [^>]*? skipped=\"(\\d+)\"");

    @Override
    public String name() {
        return "tests-" + row;
    }

    @Override
    public String obstacle() {
        return Files.exists(root().resolve("mvnw")) ? "" : "no source tree";
    }

    private static Path root() {
        return Path.of(System.getProperty("kvant.root", "."));
    }

    @Override
    public Figures run(Stage stage) throws Exception {
        stage.say(tests);
        FileTime begin = FileTime.fromMillis(System.currentTimeMillis() - 1_000);
        Path log = stage.folder().resolve("tests.log");
        ProcessBuilder builder = new ProcessBuilder(words(stage.seed()))
                .directory(root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        AutoCloseable kept = stage.keep(() -> {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        });
        boolean ended = maven.waitFor(MINUTES, TimeUnit.MINUTES);
        stage.drop(kept);
        if (!ended || maven.exitValue() != 0) {
            throw new Violation(ended ? reason(log) : "the tests do not end within " + MINUTES + " minutes");
        }
        Figures figures = new Figures().add("tests", 0);
        try (Stream<Path> reports = Files.list(root().resolve(module).resolve("target/surefire-reports"))) {
            for (Path report : reports.filter(file -> file.getFileName().toString().startsWith("TEST-")).toList()) {
                if (Files.getLastModifiedTime(report).compareTo(begin) >= 0) {
                    String xml = Files.readString(report);
                    figures.add("tests", number(COUNTED, xml) - number(SKIPPED, xml));
                }
            }
        }
        if (figures.of("tests") == 0) {
            throw new IOException("no test of " + tests + " ran: see " + log);
        }
        return figures.add("failed", 0);
    }

    private List<String> words(long seed) {
        List<String> words = new ArrayList<>(List.of("./mvnw", "-q", "-B", "-ntp", "-Dspotless.check.skip"));
        words.addAll(List.of("-pl", module, "-am", "test", "-Dtest=" + tests, "-Dsurefire.failIfNoSpecifiedTests=false"));
        words.addAll(List.of("-Dkvant.seed=" + seed, "-Dkvant.sim.seed=" + seed, "-Dkvant.fuzz.seed=" + seed));
        if (!with.isEmpty()) {
            words.addAll(List.of(with.split(" ")));
        }
        return words;
    }

    private static long number(Pattern pattern, String xml) {
        Matcher matcher = pattern.matcher(xml);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String reason(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith("[ERROR]")).findFirst().orElse("Maven failed") + " (see " + log
                    + ")";
        }
    }
}
