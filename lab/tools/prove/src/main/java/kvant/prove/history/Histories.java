package kvant.prove.history;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Trial;

/// Histories of both engines, the four executors and two transports in turn, each judged.
///
/// @param operations of each history
/// @param between through what clients reach the node by HTTP
public record Histories(int operations, UnaryOperator<InetSocketAddress> between) implements Trial {

    private static final int OPERATIONS = 5_000;

    public Histories() {
        this(OPERATIONS, UnaryOperator.identity());
    }

    @Override
    public String name() {
        return "histories";
    }

    @Override
    public int row() {
        return 18;
    }

    @Override
    public String promise() {
        return "histories of HTTP and RESP clients across kills are linearizable";
    }

    @Override
    public Figures run(Stage stage) throws Exception {
        Figures figures = new Figures();
        while (stage.next()) {
            Setup setup = Setup.of(stage.seed() + stage.trip(), stage.random(-1), operations);
            HistoryRun run = new HistoryRun(stage, setup, List.of(), between, figures);
            run.judge(run.run());
            run.dispose();
        }
        return figures;
    }
}
