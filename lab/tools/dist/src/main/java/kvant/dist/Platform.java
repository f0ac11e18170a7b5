package kvant.dist;

import java.util.List;
import java.util.Locale;
import kvant.text.UserException;

/// The platform of a package: that of the building machine, because jlink links the running JDK.
enum Platform {
    LINUX_X86_64(
            "linux-x86_64", "amd64", List.of("linux/amd64/", "linux-x64/", "_x86_64.so", "librocksdbjni-linux64.so")),
    LINUX_AARCH64(
            "linux-aarch64",
            "arm64",
            List.of("linux/aarch64/", "linux-arm64/", "_aarch_64.so", "librocksdbjni-linux-aarch64.so"));

    private final String label;
    private final String architecture;
    private final List<String> natives;

    Platform(String label, String architecture, List<String> natives) {
        this.label = label;
        this.architecture = architecture;
        this.natives = natives;
    }

    String label() {
        return label;
    }

    /// The name that Debian and container images have for the processor.
    String architecture() {
        return architecture;
    }

    /// True if a file in a jar is a native library for another platform, or another libc.
    boolean isForeign(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean isNative = lower.endsWith(".so")
                || lower.endsWith(".dll")
                || lower.endsWith(".dylib")
                || lower.endsWith(".jnilib");
        return isNative && natives.stream().noneMatch(name::contains);
    }

    static Platform current() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static Platform of(String system, String machine) {
        if (system.equals("Linux") && machine.equals("amd64")) {
            return LINUX_X86_64;
        }
        if (system.equals("Linux") && machine.equals("aarch64")) {
            return LINUX_AARCH64;
        }
        throw new UserException("packages are made on Linux for x86_64 and aarch64, and not on " + system + " for "
                + machine + ": run this there");
    }
}
