package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import kvant.walls.Tidy.SourceFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The project keeps its rules about text. That each rule can fail is shown by TidyRulesTest.
class TidyTest {

    private static List<SourceFile> files = List.of();
    private static final Properties LIMITS = new Properties();

    @BeforeAll
    static void readProject() throws Exception {
        files = read(root());
        try (InputStream limits = Objects.requireNonNull(TidyTest.class.getResourceAsStream("tidy.properties"))) {
            LIMITS.load(limits);
        }
    }

    @Test
    void theLargestFileDoesNotGrow() {
        assertThat(Tidy.ratchet("largest.file.lines", Tidy.largestFile(files), limit("largest.file.lines"), 600))
                .isEmpty();
    }

    @Test
    void theLargestMethodDoesNotGrow() throws IOException {
        assertThat(Tidy.ratchet("largest.method.lines", Tidy.largestMethod(files), limit("largest.method.lines"), 40))
                .isEmpty();
    }

    @Test
    void theLargestPackageDoesNotGrow() {
        assertThat(Tidy.ratchet(
                        "largest.package.files", Tidy.largestPackage(files), limit("largest.package.files"), 40))
                .isEmpty();
    }

    @Test
    void noModuleAndNoTreeGrows() {
        assertThat(Tidy.beyondBounds(files, LIMITS)).isEmpty();
    }

    @Test
    void classesAreImported() throws IOException {
        assertThat(Tidy.qualifiedNames(files))
                .as("import these; qualified.names in tidy.properties may only go down")
                .hasSizeLessThanOrEqualTo(limit("qualified.names"));
    }

    @Test
    void everyFormatHasItsDocument() {
        assertThat(Tidy.formatsWithoutDocument(files)).isEmpty();
    }

    @Test
    void everyTagOfATestHasAnEffect() {
        assertThat(Tidy.tagsWithoutEffect(files)).isEmpty();
    }

    @Test
    void everyPackageSaysWhatMayBeNull() {
        assertThat(Tidy.packagesWithoutNullMarked(files)).isEmpty();
    }

    @Test
    void everyPackageIsNamedAfterAConcept() {
        assertThat(Tidy.shapelessPackages(files)).isEmpty();
    }

    @Test
    void nothingIsLeftToDo() {
        assertThat(Tidy.promises(files)).isEmpty();
    }

    @Test
    void noFileKnowsAMachine() {
        assertThat(Tidy.machinePaths(files)).isEmpty();
    }

    @Test
    void noFileKnowsARegistry() {
        assertThat(Tidy.registryHosts(files)).isEmpty();
    }

    @Test
    void noLineIsTooLong() {
        assertThat(Tidy.longLines(files)).isEmpty();
    }

    @Test
    void noCommentIsBrokenByTheFormatter() {
        assertThat(Tidy.brokenComments(files)).isEmpty();
    }

    @Test
    void everyLinkLeadsSomewhere() {
        assertThat(Tidy.brokenLinks(files)).isEmpty();
    }

    @Test
    void theIndexNamesEveryPageAndExample() {
        assertThat(Tidy.missingInIndex(files)).isEmpty();
    }

    @Test
    void documentsNameTheThing() {
        assertThat(Tidy.riddles(files)).isEmpty();
    }

    @Test
    void sourcesNameTheThing() {
        assertThat(Tidy.sourceRiddles(files)).isEmpty();
    }

    @Test
    void documentsStayShort() {
        assertThat(Tidy.documentWords(files))
                .as("words of all *.md; docs.words in tidy.properties may only go down")
                .isLessThanOrEqualTo(limit("docs.words"));
    }

    private static int limit(String name) {
        return Integer.parseInt(LIMITS.getProperty(name));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not inside the project");
        }
        return folder;
    }

    /// Every text file that git knows or would take.
    private static List<SourceFile> read(Path root) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as("git ls-files").isZero();
        List<SourceFile> read = new ArrayList<>();
        for (String name : names.split("\0")) {
            if (Files.isRegularFile(root.resolve(name))) {
                try {
                    byte[] bytes = Files.readAllBytes(root.resolve(name));
                    read.add(new SourceFile(
                            name,
                            StandardCharsets.UTF_8
                                    .newDecoder()
                                    .decode(ByteBuffer.wrap(bytes))
                                    .toString()));
                } catch (CharacterCodingException _) {
                    read.add(new SourceFile(name, "")); // not text, but links may lead to it
                }
            }
        }
        assertThat(read).hasSizeGreaterThan(30);
        return read;
    }
}
