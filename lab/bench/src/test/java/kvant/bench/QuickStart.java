package kvant.bench;

import java.util.Arrays;
import java.util.stream.Stream;
import kvant.cli.Main;

/// Programs as tests of the laboratory start them: `QuickStart bench serve ...`, or `QuickStart kvant serve ...`. Their
/// nodes do not compile their code first, which would take most of the time of such a test.
public final class QuickStart {

    private QuickStart() {}

    public static void main(String[] arguments) {
        Stream<String> words = Arrays.stream(arguments).skip(1);
        String[] cold = Stream.concat(words, Stream.of("--warm-up", "0")).toArray(String[]::new);
        if (arguments[0].equals("bench")) {
            kvant.bench.Main.main(cold);
        } else {
            Main.main(cold);
        }
    }
}
