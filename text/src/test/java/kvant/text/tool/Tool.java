package kvant.text.tool;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/// Programs that tests run and that a machine may lack. A test that needs one asks here and nowhere else: where it is
/// not there the test is left out, and one line says so and from which package it comes. `KVANT_TOOLS=required`, or
/// the system property `kvant.test.tools`, makes that a failure. CONTRIBUTING.md lists them.
public enum Tool {
    BASH("bash", "bash"),
    CHROMIUM("chromium", "chromium", "chromium-browser", "google-chrome"),
    CURL("curl", "curl"),
    DPKG_DEB("dpkg", "dpkg-deb"),
    GO("golang-go", "go"),
    GROFF("groff", "groff"),
    NODE("nodejs", "node"),
    PROMTOOL("prometheus", "promtool"),
    PYTHON("python3-venv", "python3"),
    REDIS_BENCHMARK("redis-tools", "redis-benchmark"),
    REDIS_CLI("redis-tools", "redis-cli"),
    SCRIPT("bsdutils", "script"),
    SETPRIV("util-linux", "setpriv");

    private static final String REQUIRED = "required";

    /// The lines printed in this process so far: each comes once.
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private final String packageName;
    private final List<String> programs;

    Tool(String packageName, String... programs) {
        this.packageName = packageName;
        this.programs = List.of(programs);
    }

    /// The one with a program of this name.
    public static Tool of(String program) {
        return Arrays.stream(values())
                .filter(tool -> tool.programs.contains(program))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(program + " is not among the tools"));
    }

    /// Its package in Debian.
    public String packageName() {
        return packageName;
    }

    /// The name by which it is known.
    public String program() {
        return programs.getFirst();
    }

    /// Where it is, or leaves the test out.
    public Path need() {
        return need(System.getenv().getOrDefault("PATH", ""), isRequired());
    }

    Path need(String path, boolean required) {
        Optional<Path> found = find(path);
        if (found.isEmpty()) {
            leaveOut(String.join(" or ", programs) + " is not on PATH", packageName, required);
        }
        return found.orElseThrow();
    }

    private Optional<Path> find(String path) {
        return programs.stream()
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Ends a test that needs what is not there.
    ///
    /// @param what is missing, in a few words
    /// @param from the package or the place where it comes from
    public static void leaveOut(String what, String from) {
        leaveOut(what, from, isRequired());
    }

    static void leaveOut(String what, String from, boolean required) {
        String line = what.strip().lines().reduce((_, last) -> last).orElse("") + "; it comes from " + from;
        if (required) {
            throw new AssertionError("needed, because KVANT_TOOLS=" + REQUIRED + ": " + line);
        }
        if (SAID.add(line)) {
            System.out.println("NOT RUN: " + line);
        }
        throw new TestAbortedException("NOT RUN: " + line);
    }

    private static boolean isRequired() {
        return REQUIRED.equals(System.getProperty("kvant.test.tools", System.getenv("KVANT_TOOLS")));
    }
}
