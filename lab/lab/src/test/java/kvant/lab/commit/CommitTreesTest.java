package kvant.lab.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvant.lab.commit.CommitTrees.Commit;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With a small repository, whose launcher writes down that it was built.
class CommitTreesTest {

    private static final String LAUNCHER = """
            #!/bin/sh
            cd "$(dirname "$0")"
            echo "$1" >>built
            [ ! -f broken ] || { echo "kvant: the build failed" >&2; echo "" >&2; exit 1; }
            """;

    @TempDir
    private Path tree;

    private final StopSwitch stop = new StopSwitch();
    private @Nullable CommitTrees opened;

    @BeforeEach
    void plantRepository() throws Exception {
        git("init", "--quiet", "--initial-branch=main");
        Path launcher = Files.writeString(tree.resolve("kvant"), LAUNCHER);
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(tree.resolve(".gitignore"), "/.build/\nbuilt\n");
        commit("The first");
    }

    private void commit(String subject) throws Exception {
        git("add", "--all");
        git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", subject);
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", tree.toString()));
        command.addAll(List.of(words));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
    }

    private CommitTrees trees() {
        CommitTrees trees = opened == null ? CommitTrees.of(tree, stop) : opened;
        opened = trees;
        return trees;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    @Test
    void oneComparisonHasTheTreesAtATime() {
        CommitTrees first = trees();

        refused(() -> CommitTrees.of(tree, stop), "another 'kvant lab compare-commits' compares commits of ");

        first.close();
        CommitTrees.of(tree, stop).close();
    }

    @Test
    void aRangeHasTwoEndsAndAnAbsentOneIsHead() throws Exception {
        commit("The second");

        List<Commit> ends = trees().ends("HEAD~1..");

        assertThat(ends).extracting(Commit::subject).containsExactly("The first", "The second");
        assertThat(ends.getFirst().title()).isEqualTo(ends.getFirst().shortId() + " The first");
        assertThat(trees().ends("..HEAD~1").reversed()).isEqualTo(ends);
    }

    @Test
    void whatIsNoCommitIsOneLine() {
        refused(() -> trees().ends("HEAD~1..HEAD"), "there is no commit 'HEAD~1' in ");
        refused(() -> trees().ends("--all..HEAD"), "there is no commit '--all'");
        refused(() -> trees().ends("HEAD"), "'HEAD' is not A..B");
        refused(() -> trees().ends("HEAD...HEAD"), "'HEAD...HEAD' is not A..B");
    }

    @Test
    void eachCommitIsBuiltInATreeOfItsOwn() throws Exception {
        Files.writeString(tree.resolve("file"), "new");
        commit("The second");
        Files.writeString(tree.resolve("file"), "not committed");
        CommitTrees trees = trees();
        List<Commit> ends = trees.ends("HEAD~1..HEAD");

        ends.forEach(trees::build);

        assertThat(trees.folder(ends.getFirst()).resolve("file")).doesNotExist();
        assertThat(trees.folder(ends.getLast()).resolve("file")).hasContent("new");
        assertThat(trees.folder(ends.getLast()).resolve("built")).hasContent("version");
        assertThat(tree.resolve("built")).doesNotExist();
        assertThat(tree.resolve("file")).hasContent("not committed");
    }

    @Test
    void aTreeIsKeptForTheNextComparison() throws IOException {
        Commit head = trees().ends("..").getFirst();
        trees().build(head);
        Path mark = Files.writeString(trees().folder(head).resolve("mark"), "");

        trees().build(head);

        assertThat(mark).exists();
    }

    @Test
    void aTreeThatWasDeletedOrIsAnotherCommitsIsMadeAgain() throws Exception {
        commit("The second");
        List<Commit> ends = trees().ends("HEAD~1..HEAD");
        Path own = trees().folder(ends.getFirst());
        trees().build(ends.getFirst());
        try (Stream<Path> all = Files.walk(own)) {
            for (Path one : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(one);
            }
        }
        trees().build(ends.getFirst());
        assertThat(own.resolve("built")).exists();

        git(
                "-C",
                own.toString(),
                "checkout",
                "--quiet",
                "--detach",
                ends.getLast().id());
        Path mark = Files.writeString(own.resolve("mark"), "");
        trees().build(ends.getFirst());
        assertThat(mark).doesNotExist();
    }

    @Test
    void aTreeThatSomebodyChangedIsNotMeasured() throws IOException {
        Commit head = trees().ends("..").getFirst();
        trees().build(head);
        Path changed = trees().folder(head).resolve(".gitignore");
        Files.writeString(changed, "mine");

        refused(() -> trees().build(head), "is not as it was committed");
        assertThat(changed).hasContent("mine");
    }

    @Test
    void aBuildThatFailsIsTold() throws Exception {
        Files.writeString(tree.resolve("broken"), "");
        commit("It does not compile");
        Commit head = trees().ends("..").getFirst();

        refused(() -> trees().build(head), "commit " + head.shortId() + " cannot be built: kvant: the build failed");

        git("rm", "--quiet", "broken", "kvant");
        commit("Without a launcher");
        Commit without = trees().ends("..").getFirst();
        refused(() -> trees().build(without), "commit " + without.shortId() + " has no ./kvant");
    }

    @Test
    void ofManyTreesThoseThatWereNotUsedForLongGo() throws Exception {
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i <= CommitTrees.MOST_KEPT; i++) {
            commit("Number " + i);
            Commit head = trees().ends("..").getFirst();
            commits.add(head);
            if (i == CommitTrees.MOST_KEPT) {
                break;
            }
            trees().build(head);
            Files.setLastModifiedTime(trees().folder(head), FileTime.fromMillis(1_000_000L * (i + 1)));
        }
        trees().build(commits.getFirst()); // used again
        trees().build(commits.getLast());

        assertThat(commits.stream().filter(one -> !Files.exists(trees().folder(one))))
                .containsExactly(commits.get(1));
    }

    @Test
    void aStoppedRunBuildsNothing() {
        Commit head = trees().ends("..").getFirst();
        stop.stop();

        refused(() -> trees().build(head), "stopped before ");
    }

    private static void refused(Runnable attempt, String why) {
        assertThatThrownBy(attempt::run)
                .isInstanceOf(UserException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }
}
