package kvant.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The modules of a source tree, and their files.
final class Modules {

    private static final Pattern PARENTS = Pattern.compile("\\b(?:extends|implements)\\s+(\\w+(?:\\s*,\\s*\\w+)*)");

    /// Depth of `lab/tools/dist`.
    private static final int DEPTH = 3;

    /// Build output, including copies of the tree, and folders of tools.
    private static final Pattern NO_MODULE = Pattern.compile("target|\\..*");

    private final Path root;
    private final Map<Path, List<Path>> files = new ConcurrentHashMap<>();

    Modules(Path root) {
        this.root = root;
    }

    /// Modules with mutants, sorted by name.
    List<Path> withMutants() {
        return all().filter(one -> Files.isDirectory(mutants(one))).toList();
    }

    static Path mutants(Path module) {
        return module.resolve("src/test/mutants");
    }

    /// @param name last folder, such as `load` of `lab/load`
    Path named(String name) {
        return all().filter(one -> one.endsWith(name)).findFirst().orElse(root.resolve(name));
    }

    /// The path relative to the root, such as `lab/load`.
    String path(Path module) {
        return root.relativize(module).toString();
    }

    private Stream<Path> all() {
        return below(root, DEPTH);
    }

    private static Stream<Path> below(Path folder, int depth) {
        return list(folder)
                .filter(one -> Files.isDirectory(one)
                        && !NO_MODULE.matcher(one.getFileName().toString()).matches())
                .flatMap(one ->
                        depth == 1 || Files.isDirectory(one.resolve("src")) ? Stream.of(one) : below(one, depth - 1));
    }

    /// Files of the main sources and resources whose path ends with a name.
    List<Path> sources(Path module, String name) {
        return below(module.resolve("src/main"))
                .filter(one -> one.endsWith(name))
                .toList();
    }

    Optional<Path> test(Path module, String type) {
        return below(module.resolve("src/test/java"))
                .filter(one -> one.endsWith(type + ".java"))
                .findFirst();
    }

    /// True if a test class, or one of its superclasses in any module, has a method of that name.
    boolean hasMethod(Path module, String type, String method) {
        return hasMethod(module, type, method, new HashSet<>());
    }

    /// @param seen visited types, so that a class that is found as its own parent causes no infinite recursion
    private boolean hasMethod(Path module, String type, String method, Set<String> seen) {
        Optional<Path> file = test(module, type).or(() -> anywhere(type));
        if (!seen.add(type) || file.isEmpty()) {
            return false;
        }
        String text = read(file.get());
        return Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                        .matcher(text)
                        .find()
                || PARENTS.matcher(text)
                        .results()
                        .flatMap(parents -> Stream.of(parents.group(1).split("\\s*,\\s*")))
                        .anyMatch(parent -> hasMethod(module, parent, method, seen));
    }

    private Optional<Path> anywhere(String type) {
        return all().map(module -> test(module, type)).flatMap(Optional::stream).findFirst();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Empties a folder whose contents are not needed after a mutant.
    static void empty(Path folder) {
        try {
            if (Files.exists(folder)) {
                List<Path> contents;
                try (Stream<Path> all = Files.walk(folder)) {
                    contents = all.sorted(Comparator.reverseOrder()).toList();
                }
                for (Path one : contents) {
                    Files.deleteIfExists(one);
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<Path> below(Path folder) {
        return files.computeIfAbsent(folder, Modules::walk).stream();
    }

    private static List<Path> walk(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
