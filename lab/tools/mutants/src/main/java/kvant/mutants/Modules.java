package kvant.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The folders of a tree of sources that are modules, and the files in them.
final class Modules {

    private static final Pattern PARENT = Pattern.compile("\\bextends\\s+(\\w+)|\\bimplements\\s+(\\w+)");

    /// Of `lab/tools/dist`.
    private static final int DEPTH = 3;

    /// What is built, among it copies of the tree, and what tools keep.
    private static final Pattern NO_MODULE = Pattern.compile("target|\\..*");

    private final Path root;
    private final Map<Path, List<Path>> files = new HashMap<>();

    Modules(Path root) {
        this.root = root;
    }

    /// Modules that have mutants, in the order of their names.
    List<Path> withMutants() {
        return all().filter(one -> Files.isDirectory(mutants(one))).toList();
    }

    static Path mutants(Path module) {
        return module.resolve("src/test/mutants");
    }

    /// @param name its last folder, such as `load` of `lab/load`
    Path named(String name) {
        return all().filter(one -> one.endsWith(name)).findFirst().orElse(root.resolve(name));
    }

    /// Its folders below the root, such as `lab/load`.
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

    /// Whether a class of tests, or one that it inherits from, in whatever module, has a method of that name.
    boolean hasMethod(Path module, String type, String method) {
        Optional<Path> file = test(module, type).or(() -> anywhere(type));
        if (file.isEmpty()) {
            return false;
        }
        String text = read(file.get());
        if (Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                .matcher(text)
                .find()) {
            return true;
        }
        Matcher parent = PARENT.matcher(text);
        return parent.find() && hasMethod(module, parent.group(parent.group(1) == null ? 2 : 1), method);
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
