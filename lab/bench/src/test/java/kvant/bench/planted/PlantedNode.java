package kvant.bench.planted;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import kvant.cli.Main;
import kvant.lsm.LsmEngine;

/// A program that serves as `kvant serve` does, with look-ups that are slower by a known amount:
/// `serve --planted LAW OPTION...`.
final class PlantedNode {

    private static final String OPTION = "--planted";

    private PlantedNode() {}

    public static void main(String[] arguments) {
        List<String> options = new ArrayList<>(List.of(arguments));
        options.removeFirst(); // serve
        int at = options.indexOf(OPTION);
        Planted planted = Planted.parse(options.get(at + 1));
        options.subList(at, at + 2).clear();
        System.exit(Main.serve(
                (data, lsm) -> PlantedEngine.around(LsmEngine.open(data, lsm), planted),
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                options));
    }
}
