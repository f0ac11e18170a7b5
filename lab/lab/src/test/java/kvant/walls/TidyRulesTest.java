package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kvant.walls.Tidy.Sized;
import kvant.walls.Tidy.SourceFile;
import org.junit.jupiter.api.Test;

/// Each rule of [Tidy] complains about a planted fault and is silent without it.
class TidyRulesTest {

    private static final String MAIN = "m/src/main/java/kvant/m/";

    @Test
    void measuresTheLargestFileOfTheMainSources() {
        List<SourceFile> files = List.of(
                new SourceFile(MAIN + "A.java", "1\n2\n"),
                new SourceFile(MAIN + "B.java", "1\n2\n3\n"),
                new SourceFile("m/src/test/java/kvant/m/C.java", "1\n2\n3\n4\n"));

        assertThat(Tidy.largestFile(files)).isEqualTo(new Sized(MAIN + "B.java", 3));
    }

    @Test
    void measuresTheLargestMethodWhateverItsBracesSay() throws IOException {
        String text = """
                class A {
                    void small() {}

                    String large() {
                        String brace = "}";
                        // }
                        return brace;
                    }
                }
                """;

        assertThat(Tidy.largestMethod(List.of(new SourceFile(MAIN + "A.java", text))))
                .isEqualTo(new Sized(MAIN + "A.java large", 5));
    }

    @Test
    void aRatchetTurnsOneWay() {
        assertThat(Tidy.ratchet("n", new Sized("A", 101), 100, 50))
                .singleElement()
                .asString()
                .contains("split it");
        assertThat(Tidy.ratchet("n", new Sized("A", 100), 100, 50)).isEmpty();
        assertThat(Tidy.ratchet("n", new Sized("A", 90), 100, 50)).isEmpty();
        assertThat(Tidy.ratchet("n", new Sized("A", 89), 100, 50))
                .singleElement()
                .asString()
                .contains("lower n");
        assertThat(Tidy.ratchet("n", new Sized("A", 10), 50, 50)).isEmpty();
    }

    @Test
    void boundsTheLinesOfEachModuleAndOfTheTwoTrees() {
        List<SourceFile> files = List.of(
                new SourceFile("client/src/main/java/kvant/client/A.java", "1\n2\n"),
                new SourceFile("client/src/test/java/kvant/client/ATest.java", "1\n2\n3\n"),
                new SourceFile("lab/tools/dist/src/main/java/kvant/dist/B.java", "1\n2\n3\n"),
                new SourceFile("lab/load/src/main/java/kvant/load/C.java", "1\n"));

        assertThat(Tidy.mainLines(files))
                .isEqualTo(Map.of(
                        "client.lines", 2, "node.lines", 2, "dist.lines", 3, "load.lines", 1, "laboratory.lines", 4));
        assertThat(Tidy.beyondBounds(files, bounds("client=2 1 node=2 1 dist=3 3 load=1 1 laboratory=4 4")))
                .isEmpty();
        assertThat(Tidy.beyondBounds(files, bounds("client=1 1 node=2 1 dist=3 3 load=1 1 laboratory=3 3")))
                .hasSize(2)
                .allMatch(complaint -> complaint.endsWith(": take out what you put in; the number may only go down"))
                .anyMatch(complaint -> complaint.startsWith("client has 2 lines, and client.lines is 1"))
                .anyMatch(complaint -> complaint.startsWith("laboratory has 4 lines, and laboratory.lines is 3"));
        assertThat(Tidy.beyondBounds(files, bounds("client=9 1 node=2 1 dist=3 3 laboratory=4 4 gone=1 1")))
                .containsExactlyInAnyOrder(
                        "there is now client with 2 lines: lower client.lines in tidy.properties from 9 to that,"
                                + " so that it stays so",
                        "tidy.properties: add a bound and an aim, such as load.lines=1 1",
                        "tidy.properties: there is nothing for gone.lines");
    }

    private static Properties bounds(String text) {
        Properties bounds = new Properties();
        for (String bound : text.split(" (?=[a-z])")) {
            String[] words = bound.split("=");
            bounds.setProperty(words[0] + ".lines", words[1]);
        }
        return bounds;
    }

    @Test
    void countsTheFilesOfThePackagesOfTheMainSources() {
        List<SourceFile> files = List.of(
                new SourceFile(MAIN + "A.java", ""),
                new SourceFile(MAIN + "B.java", ""),
                new SourceFile(MAIN + "package-info.java", ""),
                new SourceFile(MAIN + "n/C.java", ""),
                new SourceFile("m/src/test/java/kvant/m/D.java", ""),
                new SourceFile("m/src/test/java/kvant/m/E.java", ""),
                new SourceFile("m/src/test/java/kvant/m/F.java", ""));

        assertThat(Tidy.largestPackage(files)).isEqualTo(new Sized("m/src/main/java/kvant/m", 2));
    }

    @Test
    void refusesQualifiedNamesWhereAnImportWouldDo() throws IOException {
        String text = """
                package kvant.m;
                import java.util.List;
                /// Like java.util.Set.
                class A {
                    java.util.Map.Entry<String, String> entry; // java.util.Queue
                    String text = "java.util.Deque";
                    java.awt.List other;
                    java.beans.B beside;
                    List<String> fine = this.a.b;
                }
                """;
        SourceFile beside = new SourceFile(MAIN + "B.java", "");

        assertThat(Tidy.qualifiedNames(List.of(new SourceFile(MAIN + "A.java", text), beside)))
                .containsExactly(MAIN + "A.java: import java.util.Map");
    }

    @Test
    void demandsADocumentForEachFormat() {
        SourceFile silent = new SourceFile(MAIN + "WalDescriptor.java", "class WalDescriptor {}");
        SourceFile named = new SourceFile(MAIN + "TableFormat.java", "/// Format document: docs/formats/table.md");
        SourceFile document = new SourceFile("docs/formats/table.md", "");

        assertThat(Tidy.formatsWithoutDocument(List.of(silent))).hasSize(1);
        assertThat(Tidy.formatsWithoutDocument(List.of(named))).hasSize(1);
        assertThat(Tidy.formatsWithoutDocument(List.of(named, document))).isEmpty();
    }

    @Test
    void findsTestsThatNoRunHas() {
        SourceFile test = new SourceFile("m/src/test/java/kvant/m/ATest.java", "@Tag(\"alone\")\nclass ATest {");
        SourceFile unknown = new SourceFile("m/src/test/java/kvant/m/BTest.java", "@Tag(\"slow\")\nclass BTest {");
        SourceFile full = new SourceFile("m/src/test/java/kvant/m/CTest.java", "@Tag(\"full\")\nclass CTest {");
        SourceFile silent = new SourceFile("m/pom.xml", "<project/>");
        SourceFile saying = new SourceFile("m/pom.xml", "<kvant.test.alone.skip>false</kvant.test.alone.skip>");

        assertThat(Tidy.tagsWithoutEffect(List.of(test, silent))).hasSize(1);
        assertThat(Tidy.tagsWithoutEffect(List.of(unknown, saying))).hasSize(1);
        assertThat(Tidy.tagsWithoutEffect(List.of(test, full, saying))).isEmpty();
    }

    @Test
    void demandsNullMarkedInEachPackage() {
        SourceFile code = new SourceFile(MAIN + "A.java", "");
        SourceFile unmarked = new SourceFile(MAIN + "package-info.java", "package kvant.m;");
        SourceFile marked = new SourceFile(MAIN + "package-info.java", "@NullMarked package kvant.m;");

        assertThat(Tidy.packagesWithoutNullMarked(List.of(code))).hasSize(1);
        assertThat(Tidy.packagesWithoutNullMarked(List.of(code, unmarked))).hasSize(1);
        assertThat(Tidy.packagesWithoutNullMarked(List.of(code, marked))).isEmpty();
    }

    @Test
    void refusesShapelessPackages() {
        assertThat(Tidy.shapelessPackages(List.of(new SourceFile("m/src/main/java/kvant/util/A.java", ""))))
                .hasSize(1);
        assertThat(Tidy.shapelessPackages(List.of(new SourceFile(MAIN + "A.java", "import java.util.List;"))))
                .isEmpty();
    }

    @Test
    void refusesPromises() {
        assertThat(Tidy.promises(List.of(new SourceFile("a.md", "later, see TO" + "DO"))))
                .hasSize(1);
        assertThat(Tidy.promises(List.of(new SourceFile("a.md", "TO" + "DOS is a word"))))
                .isEmpty();
    }

    @Test
    void refusesPathsOfOneMachine() {
        assertThat(Tidy.machinePaths(List.of(new SourceFile("a.md", "see /ho" + "me/me/notes"))))
                .hasSize(1);
        assertThat(Tidy.machinePaths(List.of(new SourceFile("a.md", "cd /wo" + "rk/x"))))
                .hasSize(1);
        assertThat(Tidy.machinePaths(List.of(new SourceFile("a.md", "at work/rest, /var/lib/kvant"))))
                .isEmpty();
    }

    @Test
    void refusesHostsOfRegistries() {
        assertThat(Tidy.registryHosts(List.of(new SourceFile("pom.xml", "https://repo1.mav" + "en.org/x"))))
                .hasSize(1);
        assertThat(Tidy.registryHosts(List.of(new SourceFile("pom.xml", "http://maven.apache.org/POM/4.0.0"))))
                .isEmpty();
    }

    @Test
    void refusesLongLines() {
        assertThat(Tidy.longLines(List.of(new SourceFile(MAIN + "A.java", "x".repeat(121)))))
                .hasSize(1);
        assertThat(Tidy.longLines(List.of(new SourceFile(MAIN + "A.java", "x".repeat(120)))))
                .isEmpty();
    }

    @Test
    void refusesCommentsThatTheFormatterBroke() {
        String full = "/// " + "word ".repeat(22) + "end\n";
        String left = "/// left over\n";
        String more = "/// more of it.\n";

        assertThat(brokenComments(full + left + more)).isEqualTo(1);
        assertThat(brokenComments((full + left + more).replace("///", "    //")))
                .isEqualTo(1);
        assertThat(brokenComments(full + left)).isZero();
        assertThat(brokenComments(full + left + "// another comment")).isZero();
        assertThat(brokenComments(full + left + "///\n" + more)).isZero();
        assertThat(brokenComments(full + left + "/// - a list")).isZero();
        assertThat(brokenComments(full + left + "/// 1. a list")).isZero();
        assertThat(brokenComments(full + left + "///     code")).isZero();
        assertThat(brokenComments(full + left + "/// @param of")).isZero();
        assertThat(brokenComments(full + "/// @param of\n" + more)).isZero();
        assertThat(brokenComments(full + left + "/// " + "x".repeat(110))).isZero();
        assertThat(brokenComments("/// a short line\n" + left + more)).isZero();
        assertThat(brokenComments(full + "/// a third word\n" + more)).isZero();
    }

    private static int brokenComments(String text) {
        return Tidy.brokenComments(List.of(new SourceFile(MAIN + "A.java", text + "\n")))
                .size();
    }

    @Test
    void refusesLinksThatLeadNowhere() {
        SourceFile target = new SourceFile("docs/b.md", "# A heading, here\n");

        assertThat(Tidy.brokenLinks(List.of(new SourceFile("a.md", "[b](docs/b.md)"))))
                .hasSize(1);
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("a.md", "[b](docs/b.md)"), target)))
                .isEmpty();
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("docs/a.md", "[b](b.md#a-heading-here)"), target)))
                .isEmpty();
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("docs/a.md", "[b](b.md#gone)"), target)))
                .hasSize(1);
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("a.md", "<img src=\"no.svg\">"))))
                .hasSize(1);
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("a.md", "[web](https://example.org/x)"))))
                .isEmpty();
        assertThat(Tidy.brokenLinks(List.of(new SourceFile("a.md", "[folder](docs)"), target)))
                .isEmpty();
    }

    @Test
    void refusesPagesThatTheIndexDoesNotName() {
        SourceFile index = new SourceFile("docs/README.md", "[a](a.md#heading), [results](results/README.md)");
        SourceFile named = new SourceFile("docs/a.md", "");

        assertThat(Tidy.missingInIndex(List.of(
                        index,
                        named,
                        new SourceFile("docs/b.md", ""),
                        new SourceFile("docs/dev/c.md", ""),
                        new SourceFile("docs/results/README.md", ""),
                        new SourceFile("docs/results/one-run.md", ""),
                        new SourceFile("docs/formats/README.md", ""),
                        new SourceFile("examples/d/pom.xml", ""),
                        new SourceFile("examples/d/src/D.java", ""))))
                .containsExactly(
                        "docs/b.md: docs/README.md does not name it",
                        "docs/dev/c.md: docs/README.md does not name it",
                        "docs/formats/README.md: docs/README.md does not name it",
                        "examples/d: docs/README.md does not name it");
        assertThat(Tidy.missingInIndex(List.of(index, named))).isEmpty();
    }

    @Test
    void refusesRiddlesInDocuments() {
        assertThat(riddles("Whoever has no token gets 401.")).isEqualTo(1);
        assertThat(riddles("It is closed. Who comes later waits.")).isEqualTo(1);
        assertThat(riddles("Then nobody\nwaits for it.")).isEqualTo(1);
        assertThat(riddles("What does not fit is refused.")).isEqualTo(1);
        assertThat(riddles("It counts what clients hold is what they pay.")).isEqualTo(1);
        assertThat(riddles("Kvant beside Redis")).isEqualTo(1);
        assertThat(riddles("| metric | changes that were told |")).isEqualTo(1);
        assertThat(riddles("Reads go on.")).isEqualTo(1);
        assertThat(riddles("The copy starts anew.")).isEqualTo(1);
        assertThat(riddles("One thing; a second one; a third one; a fourth one."))
                .isEqualTo(1);

        assertThat(riddles("Unauthenticated clients get 401. What is a token? See `nobody told`.\n\n    echo beside\n"))
                .isZero();
        assertThat(riddles("```\nwhoever\n```\n[link](beside.md), the line \"goes on\""))
                .isZero();
        assertThat(riddles("| one; two; three | four; five; six |")).isZero();
        assertThat(riddles("- one; two\n- three; four\n- five; six")).isZero();
        assertThat(Tidy.riddles(List.of(new SourceFile(MAIN + "A.java", "/// Whoever"))))
                .isEmpty();
    }

    @Test
    void refusesRiddlesInSources() {
        String literal = "throw new UserException(where + \"nobody has to say\");";
        String comment = "int a = 1; // one beside another";
        assertThat(sourceRiddles(MAIN + "A.java", literal)).isEqualTo(1);
        assertThat(sourceRiddles(MAIN + "A.java", "    /// Reads go on.\n" + comment))
                .isEqualTo(2);
        assertThat(sourceRiddles("engine/src/test/java/a/A.java", comment + "\n" + literal))
                .isEqualTo(1);
        assertThat(sourceRiddles("lab/words/report_en.properties", "a.b=a line told"))
                .isEqualTo(1);

        assertThat(sourceRiddles(MAIN + "A.java", "put(\"beside\"); say(\"reads continue\"); // by `bench beside`"))
                .isZero();
        assertThat(sourceRiddles(MAIN + "A.java", "boolean told = true; see(page.beside);"))
                .isZero();
        assertThat(sourceRiddles("lab/words/report_en.properties", "page.beside=a line"))
                .isZero();
        assertThat(sourceRiddles("docs/results/page.html", "a line told")).isZero();
    }

    private static int sourceRiddles(String path, String text) {
        return Tidy.sourceRiddles(List.of(new SourceFile(path, text))).size();
    }

    private static int riddles(String text) {
        return Tidy.riddles(List.of(new SourceFile("docs/a.md", text))).size();
    }

    @Test
    void countsTheWordsOfDocuments() {
        SourceFile document = new SourceFile("docs/a.md", "# A\n\n| b-c |  2 |\n| --- | - |\n");
        SourceFile code = new SourceFile(MAIN + "A.java", "class A {}");

        assertThat(Tidy.documentWords(List.of(document, code))).isEqualTo(3);
    }
}
