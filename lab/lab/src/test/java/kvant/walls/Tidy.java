package kvant.walls;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// The project's rules about text, as pure functions from files to complaints.
final class Tidy {

    /// A file of the project.
    ///
    /// @param path relative to the root, with `/`
    record SourceFile(String path, String text) {

        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean isMainJava() {
            return isJava() && path.contains("/src/main/java/");
        }

        String folder() {
            return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
        }

        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /// Something with a number of lines or files.
    record Sized(String what, int size) {}

    private static final String LINES = ".lines";

    /// Bounds of modules and trees; those of files and methods are of the largest one.
    private static final String TREE_LINES = "(?!largest\\.).*\\.lines";

    private static final int LONGEST_LINE = 120;

    /// The words of a line that is left over where the formatter split one that was too long, and the columns that the
    /// line before it then has at least.
    private static final int LEFT_OVER_WORDS = 2;

    private static final int SPLIT_LINE = 100;

    /// A number below this share of the recorded one must be recorded, so that what was won stays won.
    private static final double SLACK = 0.9;

    private static final Set<String> SHAPELESS_PACKAGES =
            Set.of("util", "utils", "helper", "helpers", "common", "misc");

    /// Others' files, which come as they are.
    private static final Set<String> NOT_OURS =
            Set.of("mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties", "LICENSE");

    private static final Pattern TAG = Pattern.compile("(?m)^\\s*@Tag\\(\"(.*?)\"\\)");
    private static final String RUNS_ALONE = "<kvant.test.alone.skip>false</kvant.test.alone.skip>";
    private static final Pattern PROMISE = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.$}*])/(home|Users|root|work|tmp/wt)/[\\w.]|[A-Z]:\\\\Users\\\\");

    private static final Pattern REGISTRY = Pattern.compile(Stream.of(
                    "repo\\d?\\.maven",
                    "registry\\.npmjs",
                    "pypi\\.org",
                    "crates\\.io",
                    "proxy\\.golang",
                    "deb\\.debian")
            .collect(Collectors.joining("|")));

    private static final Pattern FORMAT_DOCUMENT = Pattern.compile("Format document: (docs/formats/[\\w.-]+\\.md)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)[^)]*\\)|(?:src|srcset|href)=\"([^\"]+)\"");

    private static final String INDEX = "docs/README.md";

    /// The pages that the index must name: a page, the first one of a folder of pages, an example project.
    private static final Pattern PAGE =
            Pattern.compile("docs/(dev/)?(?!README)[\\w-]+\\.md|docs/([\\w-]+/)+README\\.md|examples/[\\w-]+");

    /// Generated from texts of the code.
    private static final Set<String> UNCHECKED_WORDS = Set.of("docs/configuration.md", "docs/dev/mutants.md");

    /// Between blanks, with a letter or a digit: marks of tables are no words.
    private static final Pattern DOCUMENT_WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    /// Code, targets of links, quotations.
    private static final Pattern NO_PROSE = Pattern.compile("(?m)^ {4}.*$|`[^`]*`|\\]\\([^)]*\\)|\"[^\"\\n]*\"");

    /// A riddle in place of a noun, and its remedy.
    private record Riddle(Pattern pattern, String remedy) {

        Riddle(String regex, String remedy) {
            this(Pattern.compile(regex), remedy);
        }
    }

    private static final List<Riddle> RIDDLES = List.of(
            new Riddle("\\b[Ww]hoever\\b", "name the actor, such as an unauthenticated client"),
            new Riddle("(?<=[.!?] |^)Who (?![^.?!]*\\?)", "name the actor"),
            new Riddle("\\b([Nn]obody|[Ss]omebody)\\b", "name the actor"),
            new Riddle("(?<=[.!?] |^)What [^.?!]*\\.(?= |$)", "begin with the noun"),
            new Riddle("\\b[Ww]hat [^.?!|]{1,90} is what\\b", "name the thing"),
            new Riddle("\\b[Bb]eside\\b", "versus, next to or with"),
            new Riddle("\\b[Tt]old\\b", "reported or sent"),
            new Riddle("\\b[Gg]o(es|ing)? on\\b", "continue"),
            new Riddle("\\bby no half\\b", "give the number"),
            new Riddle("\\b(begun|begins?|starts?) anew\\b", "start again"),
            new Riddle("^[^|]*?[^.;|]{3,};[^.;|]{3,};[^.;|]{3,};", "make sentences or a list of it"));

    /// The worst of them, but no part of a longer name.
    private static final Pattern IN_SOURCES = Pattern.compile(
            "(?<![-.])\\b([Ww]hoever|[Nn]obody|[Ss]omebody|[Bb]eside|[Tt]old|[Gg]o(es|ing)? on|anew)\\b");

    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|//.*");
    private static final Pattern LINE = Pattern.compile(".+");
    private static final Pattern NOTHING = Pattern.compile("(?!)");

    /// Sources in other languages: pages, texts of reports, clients, experiments.
    private static final Pattern SOURCE = Pattern.compile(
            "(?!docs/|.*/src/test/|.*/tests?/|.*/target/).*\\.(js|html|css|properties|py|go|sh|yaml|yml)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?) *$");

    /// A line of a paragraph in a comment: not a list, table, heading, tag, code or fence.
    private static final Pattern COMMENT_LINE = Pattern.compile("( *///?) ((?![-*|@#`<>] |```|@|\\d+\\.)\\S.*)");

    /// Of a package of two words or more, and a class.
    private static final Pattern QUALIFIED_NAME = Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*)+\\.[A-Z]\\w*");

    private Tidy() {}

    static Sized largestFile(List<SourceFile> files) {
        return files.stream()
                .filter(SourceFile::isMainJava)
                .map(file -> new Sized(file.path(), (int) file.text().lines().count()))
                .max(Comparator.comparingInt(Sized::size))
                .orElse(new Sized("none", 0));
    }

    static Sized largestMethod(List<SourceFile> files) throws IOException {
        List<Sized> methods = new ArrayList<>();
        parse(
                files.stream().filter(SourceFile::isMainJava).toList(),
                (file, unit, positions) -> methods.addAll(methods(file, unit, positions)));
        return methods.stream().max(Comparator.comparingInt(Sized::size)).orElse(new Sized("none", 0));
    }

    static Sized largestPackage(List<SourceFile> files) {
        Map<String, Long> packages = files.stream()
                .filter(file -> file.isMainJava() && !file.name().equals("package-info.java"))
                .collect(Collectors.groupingBy(SourceFile::folder, Collectors.counting()));
        return packages.entrySet().stream()
                .map(entry -> new Sized(entry.getKey(), entry.getValue().intValue()))
                .max(Comparator.comparingInt(Sized::size))
                .orElse(new Sized("none", 0));
    }

    /// A number that may only go down, until it reaches what the project aims at.
    ///
    /// @param name in tidy.properties; its last word is the unit
    static List<String> ratchet(String name, Sized largest, int recorded, int aim) {
        String unit = name.substring(name.lastIndexOf('.') + 1);
        if (largest.size() > recorded) {
            String remedy = name.matches(TREE_LINES) ? "take out what you put in" : "split it by its reasons to change";
            return List.of(largest.what() + " has " + largest.size() + " " + unit + ", and " + name + " is " + recorded
                    + ": " + remedy + "; the number may only go down");
        }
        if (recorded > aim && largest.size() < recorded * SLACK) {
            return List.of((name.matches(TREE_LINES) ? "there is now " : "the largest is now ") + largest.what()
                    + " with " + largest.size() + " " + unit + ": lower " + name + " in tidy.properties from "
                    + recorded + " to that, so that it stays so");
        }
        return List.of();
    }

    /// Lines of the main sources of each module and of each of the two trees, by their names in tidy.properties.
    static Map<String, Integer> mainLines(List<SourceFile> files) {
        Map<String, Integer> lines = new TreeMap<>();
        for (SourceFile file : files) {
            if (file.isMainJava() && !file.path().startsWith("examples/")) {
                String module = file.path().substring(0, file.path().indexOf("/src/"));
                int own = (int) file.text().lines().count();
                lines.merge(module.substring(module.lastIndexOf('/') + 1) + LINES, own, Integer::sum);
                lines.merge((module.startsWith("lab/") ? "laboratory" : "node") + LINES, own, Integer::sum);
            }
        }
        return lines;
    }

    /// Modules and trees that are larger than their bounds, and those that have none.
    ///
    /// @param bounds a bound and an aim each, such as `client.lines=2053 1900`
    static List<String> beyondBounds(List<SourceFile> files, Properties bounds) {
        List<String> complaints = new ArrayList<>();
        Map<String, Integer> lines = mainLines(files);
        lines.forEach((name, count) -> {
            String[] bound = bounds.getProperty(name, "").split(" ");
            if (bound.length != 2) {
                complaints.add("tidy.properties: add a bound and an aim, such as " + name + "=" + count + " " + count);
                return;
            }
            Sized size = new Sized(name.replace(LINES, ""), count);
            complaints.addAll(ratchet(name, size, Integer.parseInt(bound[0]), Integer.parseInt(bound[1])));
        });
        bounds.stringPropertyNames().stream()
                .filter(name -> name.matches(TREE_LINES) && !lines.containsKey(name))
                .forEach(name -> complaints.add("tidy.properties: there is nothing for " + name));
        return complaints;
    }

    static List<String> formatsWithoutDocument(List<SourceFile> files) {
        Set<String> paths = files.stream().map(SourceFile::path).collect(Collectors.toSet());
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.isMainJava() && file.name().matches("\\w*(Descriptor|Format)\\.java")) {
                Matcher document = FORMAT_DOCUMENT.matcher(file.text());
                if (!document.find()) {
                    complaints.add(file.path() + ": needs a line 'Format document: docs/formats/NAME.md'");
                } else if (!paths.contains(document.group(1))) {
                    complaints.add(file.path() + ": " + document.group(1) + " does not exist");
                }
            }
        }
        return complaints;
    }

    /// Tests of a module that are alone run where its pom says so, and a tag that Surefire does not know runs always.
    static List<String> tagsWithoutEffect(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (!file.path().contains("/src/test/java/")) {
                continue;
            }
            String pom = file.path().substring(0, file.path().indexOf("/src/")) + "/pom.xml";
            TAG.matcher(file.text()).results().map(tag -> tag.group(1)).forEach(tag -> {
                boolean runs = tag.equals("full")
                        || tag.equals("alone")
                                && files.stream()
                                        .anyMatch(each -> each.path().equals(pom)
                                                && each.text().contains(RUNS_ALONE));
                if (!runs) {
                    complaints.add(file.path() + ": @Tag(\"" + tag + "\") is neither full, nor alone with " + RUNS_ALONE
                            + " in " + pom);
                }
            });
        }
        return complaints;
    }

    static List<String> packagesWithoutNullMarked(List<SourceFile> files) {
        Set<String> packages = new TreeSet<>();
        files.stream()
                .filter(file -> file.isMainJava() && !file.name().equals("module-info.java"))
                .map(SourceFile::folder)
                .forEach(packages::add);
        files.stream()
                .filter(file ->
                        file.name().equals("package-info.java") && file.text().contains("@NullMarked"))
                .map(SourceFile::folder)
                .forEach(packages::remove);
        return packages.stream()
                .map(folder -> folder + ": needs a package-info.java with @NullMarked")
                .toList();
    }

    static List<String> shapelessPackages(List<SourceFile> files) {
        return files.stream()
                .filter(SourceFile::isJava)
                .map(SourceFile::folder)
                .distinct()
                .filter(folder -> Stream.of(folder.split("/")).anyMatch(SHAPELESS_PACKAGES::contains))
                .map(folder -> folder + ": name the package after its concept")
                .toList();
    }

    static List<String> promises(List<SourceFile> files) {
        return matches(files, PROMISE, "do it, or write an issue");
    }

    static List<String> machinePaths(List<SourceFile> files) {
        return matches(files, MACHINE_PATH, "a path of one machine");
    }

    static List<String> registryHosts(List<SourceFile> files) {
        return matches(files, REGISTRY, "the host of a package registry");
    }

    static List<String> longLines(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.name().matches(".*\\.(java|lua|sh|properties)|kvant|run") && !NOT_OURS.contains(file.path())) {
                List<String> lines = file.text().lines().toList();
                for (int i = 0; i < lines.size(); i++) {
                    if (lines.get(i).length() > LONGEST_LINE) {
                        complaints.add(file.path() + ":" + (i + 1) + ": longer than " + LONGEST_LINE + " columns");
                    }
                }
            }
        }
        return complaints;
    }

    /// Comments with a line of one or two words inside a paragraph: the formatter splits a line that is too long, and
    /// does not fill the next one.
    static List<String> brokenComments(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.isJava()) {
                List<String> lines = file.text().lines().toList();
                for (int i = 1; i < lines.size() - 1; i++) {
                    if (isLeftOver(lines.get(i - 1), lines.get(i), lines.get(i + 1))) {
                        complaints.add(file.path() + ":" + (i + 1) + ": '"
                                + lines.get(i).strip() + "': let the paragraph fill its lines");
                    }
                }
            }
        }
        return complaints;
    }

    private static boolean isLeftOver(String before, String line, String after) {
        Matcher first = COMMENT_LINE.matcher(before);
        Matcher second = COMMENT_LINE.matcher(line);
        Matcher third = COMMENT_LINE.matcher(after);
        if (before.length() < SPLIT_LINE || !first.matches() || !second.matches() || !third.matches()) {
            return false;
        }
        boolean oneParagraph =
                first.group(1).equals(second.group(1)) && second.group(1).equals(third.group(1));
        String nextWord = third.group(2).split(" ", 2)[0];
        return oneParagraph
                && second.group(2).split(" +").length <= LEFT_OVER_WORDS
                && line.length() + 1 + nextWord.length() <= LONGEST_LINE;
    }

    /// Relative links of Markdown files that lead nowhere, to a file or to a heading.
    static List<String> brokenLinks(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.path().endsWith(".md")) {
                Matcher link = LINK.matcher(withoutCode(file.text()));
                while (link.find()) {
                    String target = link.group(1) == null ? link.group(2) : link.group(1);
                    if (!target.matches("[a-z]+:.*") && !resolves(file, target, files)) {
                        complaints.add(file.path() + ": link to " + target + " leads nowhere");
                    }
                }
            }
        }
        return complaints;
    }

    /// Pages and examples that the index does not name.
    static List<String> missingInIndex(List<SourceFile> files) {
        Set<String> named = files.stream()
                .filter(file -> file.path().equals(INDEX))
                .flatMap(index -> LINK.matcher(index.text()).results())
                .map(link -> String.valueOf(link.group(1)).replaceFirst("#.*", ""))
                .map(target -> Path.of("docs").resolve(target).normalize().toString())
                .collect(Collectors.toSet());
        return files.stream()
                .map(file -> file.path().replaceFirst("^(examples/[^/]+)/.*", "$1"))
                .distinct()
                .filter(page -> PAGE.matcher(page).matches() && !named.contains(page))
                .map(page -> page + ": " + INDEX + " does not name it")
                .toList();
    }

    /// The worst patterns in documents, one complaint for each paragraph and pattern. Tables may have semicolons.
    static List<String> riddles(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.path().endsWith(".md") && !UNCHECKED_WORDS.contains(file.path())) {
                String prose = NO_PROSE.matcher(withoutCode(file.text())).replaceAll("~");
                for (String paragraph : prose.split("\n\\s*\n|\n(?=\\s*(- |\\d+\\. |\\|))")) {
                    String text = paragraph.replaceAll("\\s+", " ").strip();
                    for (Riddle riddle : RIDDLES) {
                        Matcher found = riddle.pattern().matcher(text);
                        if (found.find()) {
                            complaints.add(file.path() + ": '" + found.group() + "': " + riddle.remedy());
                        }
                    }
                }
            }
        }
        return complaints;
    }

    /// The worst of them in other files: literals and comments of Java, comments of its tests, all of other sources.
    static List<String> sourceRiddles(List<SourceFile> files) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            Pattern prose = file.isJava()
                    ? LITERAL_OR_COMMENT
                    : SOURCE.matcher(file.path()).matches() ? LINE : NOTHING;
            prose.matcher(file.text())
                    .results()
                    .map(MatchResult::group)
                    .filter(text -> !file.isJava() || file.isMainJava() || text.startsWith("//"))
                    .filter(text -> text.contains(" ")
                            && IN_SOURCES
                                    .matcher(text.replaceAll("`[^`]*`", ""))
                                    .find())
                    .forEach(text -> complaints.add(file.path() + ": name the thing: " + text.strip()));
        }
        return complaints;
    }

    /// Words of all documents.
    static int documentWords(List<SourceFile> files) {
        return files.stream()
                .filter(file -> file.path().endsWith(".md"))
                .mapToInt(file ->
                        (int) DOCUMENT_WORD.matcher(file.text()).results().count())
                .sum();
    }

    private static boolean resolves(SourceFile from, String target, List<SourceFile> files) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        String resolved = path.isEmpty()
                ? from.path()
                : Path.of(from.folder()).resolve(path).normalize().toString();
        for (SourceFile file : files) {
            if (file.path().equals(resolved)) {
                return hash < 0 || anchors(file).contains(target.substring(hash + 1));
            }
        }
        return hash < 0 && files.stream().anyMatch(file -> file.path().startsWith(resolved + "/"));
    }

    private static Set<String> anchors(SourceFile markdown) {
        return HEADING.matcher(withoutCode(markdown.text()))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String withoutCode(String markdown) {
        return markdown.replaceAll("(?ms)^```.*?^```", "");
    }

    private static List<String> matches(List<SourceFile> files, Pattern pattern, String complaint) {
        List<String> complaints = new ArrayList<>();
        for (SourceFile file : files) {
            Matcher matcher = pattern.matcher(file.text());
            if (!NOT_OURS.contains(file.path()) && matcher.find()) {
                complaints.add(file.path() + ": '" + matcher.group() + "': " + complaint);
            }
        }
        return complaints;
    }

    /// Class names with their packages in front, outside of imports: imported ones read as the code around them. They
    /// stay only where another class of that simple name is imported or in the same package.
    static List<String> qualifiedNames(List<SourceFile> files) throws IOException {
        Set<String> paths = files.stream().map(SourceFile::path).collect(Collectors.toSet());
        List<String> complaints = new ArrayList<>();
        parse(
                files.stream().filter(SourceFile::isJava).toList(),
                (file, unit, _) -> qualifiedNames(unit)
                        .filter(name -> !isTaken(name, unit, file, paths))
                        .forEach(name -> complaints.add(file.path() + ": import " + name)));
        return complaints;
    }

    private static Stream<String> qualifiedNames(CompilationUnitTree unit) {
        Set<String> names = new TreeSet<>();
        TreeScanner<Void, Void> scanner = new TreeScanner<>() {
            @Override
            public Void visitMemberSelect(MemberSelectTree select, Void nothing) {
                if (isDottedName(select)
                        && QUALIFIED_NAME.matcher(select.toString()).matches()) {
                    names.add(select.toString());
                }
                return super.visitMemberSelect(select, nothing);
            }
        };
        unit.getTypeDecls().forEach(type -> scanner.scan(type, null));
        return names.stream();
    }

    /// Whether it is names and dots alone. The text of anything else may be a whole method, and is no name.
    private static boolean isDottedName(MemberSelectTree select) {
        ExpressionTree before = select.getExpression();
        while (before instanceof MemberSelectTree inner) {
            before = inner.getExpression();
        }
        return before instanceof IdentifierTree;
    }

    private static boolean isTaken(String name, CompilationUnitTree unit, SourceFile file, Set<String> paths) {
        String simple = name.substring(name.lastIndexOf('.'));
        return unit.getImports().stream()
                        .map(imported -> imported.getQualifiedIdentifier().toString())
                        .anyMatch(imported -> imported.endsWith(simple) && !imported.equals(name))
                || paths.contains(file.folder() + "/" + simple.substring(1) + ".java")
                || file.text().matches("(?s).*\\b(class|record|enum|interface) " + simple.substring(1) + "\\b.*");
    }

    private static List<Sized> methods(SourceFile file, CompilationUnitTree unit, SourcePositions positions) {
        List<Sized> methods = new ArrayList<>();
        LineMap lines = unit.getLineMap();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(positions.getEndPosition(unit, method));
                methods.add(new Sized(file.path() + " " + method.getName(), (int) (last - first + 1)));
                return super.visitMethod(method, nothing);
            }
        }.scan(unit, null);
        return methods;
    }

    /// All by one compiler, because each takes longer to start than to parse.
    private static void parse(List<SourceFile> files, UnitReader reader) throws IOException {
        if (files.isEmpty()) {
            return; // which the compiler would refuse
        }
        Map<URI, SourceFile> byUri = files.stream().collect(Collectors.toMap(Tidy::uri, file -> file));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(
                null, null, null, null, null, files.stream().map(Tidy::source).toList());
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            SourceFile file =
                    Objects.requireNonNull(byUri.get(unit.getSourceFile().toUri()));
            reader.read(file, unit, positions);
        }
    }

    @FunctionalInterface
    private interface UnitReader {
        void read(SourceFile file, CompilationUnitTree unit, SourcePositions positions);
    }

    private static URI uri(SourceFile file) {
        return URI.create("string:///" + file.path());
    }

    private static SimpleJavaFileObject source(SourceFile file) {
        return new SimpleJavaFileObject(uri(file), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return file.text();
            }
        };
    }
}
