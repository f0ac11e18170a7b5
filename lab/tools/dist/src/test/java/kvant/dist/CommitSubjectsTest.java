package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Which subjects of commits CI refuses.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommitSubjectsTest {

    private static final Path SCRIPT = SmallPackages.root().resolve(".ci/subjects");

    @TempDir
    Path tree;

    private record Ran(int exitCode, String output) {}

    private Ran run(String... command) throws IOException, InterruptedException {
        Path output = tree.resolveSibling(tree.getFileName() + ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("KVANT_ROOT", tree.toString());
        int exitCode = builder.start().waitFor();
        return new Ran(exitCode, Files.readString(output));
    }

    private void commit(String subject) throws Exception {
        Ran ran = run(
                "git",
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@localhost",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                subject);
        assertThat(ran.exitCode()).as(ran.output()).isZero();
    }

    @Test
    void aLongSubjectAndATrailingPeriodAreRefusedAfterTheBase() throws Exception {
        assertThat(run("git", "init", "-q").exitCode()).isZero();
        commit("Base with a period.");
        String base = run("git", "rev-parse", "HEAD").output().strip();
        commit("x".repeat(72));
        assertThat(run(SCRIPT.toString(), base)).isEqualTo(new Ran(0, ""));

        commit("y".repeat(73));
        commit("End with a period.");
        Ran refused = run(SCRIPT.toString(), base);
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output().lines()).hasSize(2);
        assertThat(refused.output()).contains("73 characters, 72 are allowed", "ends with a period: End");
    }

    @Test
    void aCloneWithoutTheBaseHasNothingToCheck() throws Exception {
        assertThat(run("git", "init", "-q").exitCode()).isZero();
        commit("End with a period.");
        Ran ran = run(SCRIPT.toString());
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.output()).contains("nothing to check");
    }
}
