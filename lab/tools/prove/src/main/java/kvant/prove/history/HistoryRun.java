package kvant.prove.history;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import kvant.lab.process.Folders;
import kvant.lab.run.RawConnection;
import kvant.lab.run.ServedNode;
import kvant.load.http.Target;
import kvant.prove.history.Linearizability.Result;
import kvant.prove.history.Linearizability.Verdict;
import kvant.prove.history.Operation.Cell;
import kvant.prove.history.Operation.Outcome;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// One history: clients of both protocols at a node over an empty store, which is killed and started again in the
/// middle.
public final class HistoryRun {

    private static final Pattern RESP = Pattern.compile("(?m)^RESP on (redis://\\S+)$");
    private static final int OPERATIONS = 5_000;
    private static final long PATIENCE_SECONDS = 300;
    private static final int ORDERLY_EVERY = 4;

    /// Of one object: some 200 bytes each.
    private static final long MOST_STATES = 500_000;

    final Stage stage;
    final Lives lives = new Lives();

    /// Requests that may still be sent, by all clients.
    final AtomicInteger left;

    /// The last number of a value, of all clients.
    final AtomicInteger values = new AtomicInteger();

    private final Setup setup;
    private final List<String> arguments;
    private final UnaryOperator<InetSocketAddress> between;
    private final Figures figures;
    private final Random random;
    private final Path folder;
    private ServedNode node;

    /// @param arguments of `kvant serve` besides those of the setup
    /// @param between through what clients reach the node by HTTP
    HistoryRun(
            Stage stage, Setup setup, List<String> arguments, UnaryOperator<InetSocketAddress> between, Figures figures)
            throws IOException {
        this.stage = stage;
        this.setup = setup;
        this.arguments = arguments;
        this.between = between;
        this.figures = figures;
        random = stage.random(0);
        folder = Files.createTempDirectory(stage.folder(), "history");
        left = new AtomicInteger(setup.operations());
        node = begin(arguments);
    }

    /// Histories of both engines, the four executors and two transports in turn, each judged.
    public static Figures run(Stage stage) throws Exception {
        return run(stage, OPERATIONS, UnaryOperator.identity());
    }

    static Figures run(Stage stage, int operations, UnaryOperator<InetSocketAddress> between) throws Exception {
        Figures figures = new Figures();
        while (stage.next()) {
            Setup setup = Setup.of(stage.seed() + stage.trip(), stage.random(-1), operations);
            HistoryRun run = new HistoryRun(stage, setup, List.of(), between, figures);
            run.judge(run.run());
            run.dispose();
        }
        return figures;
    }

    private ServedNode begin(List<String> more) throws IOException {
        stage.say(setup + ", " + figures);
        ServedNode started = ServedNode.start(stage, folder.resolve("data"), setup.start(more));
        Matcher resp = RESP.matcher(Files.readString(started.log()));
        if (!resp.find()) {
            throw new IOException("the node does not say where it speaks RESP: " + started.log());
        }
        InetSocketAddress http = between.apply(started.target().address());
        lives.begin(http, Target.parse(resp.group(1)).address());
        return started;
    }

    /// Most often by SIGKILL.
    void restart(List<String> more) throws IOException {
        boolean isOrderly = random.nextInt(ORDERLY_EVERY) == 0;
        if (isOrderly) {
            node.close();
        } else {
            node.kill();
        }
        lives.end();
        figures.add(isOrderly ? "stops" : "kills", 1);
        node = begin(more);
    }

    /// @return the operations; the last life is not ended
    List<Operation> run() throws Exception {
        List<HistoryClient> clients = IntStream.rangeClosed(1, setup.clients())
                .mapToObj(i -> i % 3 == 0 ? new RespHistoryClient(this, i) : new HttpHistoryClient(this, i))
                .toList();
        List<Thread> threads = clients.stream()
                .map(client -> Thread.ofPlatform().daemon().name("client").start(client))
                .toList();
        int share = setup.operations() / (setup.kills() + 1);
        for (int kill = 1; kill <= setup.kills(); kill++) {
            int most = setup.operations() - kill * share + random.nextInt(Math.max(1, share / 2));
            Stage.Condition asked =
                    () -> left.get() <= most || !threads.stream().allMatch(Thread::isAlive);
            if (!Stage.comes(asked, PATIENCE_SECONDS)) {
                throw new IOException("the clients stand still: " + setup);
            }
            restart(arguments);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        List<Operation> operations = new ArrayList<>(lastLook());
        for (HistoryClient client : clients) {
            operations.addAll(client.operations());
            figures.add("other answers", client.others);
        }
        figures.add("histories", 1).add("operations", operations.size());
        figures.add("open", operations.stream().filter(Operation::isOpen).count());
        if (operations.size() < setup.operations() / 2) {
            throw new IOException("only " + operations.size() + " requests were executed: " + setup);
        }
        return operations;
    }

    /// All keys, after all else.
    private List<Operation> lastLook() throws Exception {
        List<Operation> looks = new ArrayList<>();
        try (RawConnection wire = new RawConnection(lives.await().http(), HistoryClient.PATIENCE)) {
            for (int key = 0; key < Keys.COUNT; key++) {
                long called = System.nanoTime();
                wire.http("GET", HttpHistoryClient.ENTITY + Keys.name(key), HttpHistoryClient.NONE)
                        .flush();
                RawConnection.Answer answer = wire.answer();
                int value = answer.status() == 404 ? Cell.ABSENT : Values.number(answer.body());
                looks.add(Operation.asked("last GET", List.of())
                        .done(answer.version(), new Cell(key, value))
                        .at(0, called, System.nanoTime()));
            }
        }
        return looks;
    }

    /// @throws Violation where the history is not what one store could have answered; it is written down then
    void judge(List<Operation> history) throws IOException, Violation {
        long refused =
                history.stream().filter(one -> one.outcome() == Outcome.REFUSED).count();
        figures.add("refused", refused);
        String fault = Versions.fault(history);
        if (fault.isEmpty()) {
            Result result = Linearizability.check(history, MOST_STATES);
            figures.add("undecided", result.verdict() == Verdict.UNDECIDED ? 1 : 0)
                    .add("states", result.states());
            fault = result.verdict() == Verdict.NO ? "no order explains " + result.around() : "";
        }
        if (!fault.isEmpty()) {
            Path file = folder.resolve("history.txt");
            Files.write(file, history.stream().map(Operation::toString).toList());
            throw new Violation(setup + ": " + fault + " (" + file + ")");
        }
    }

    void dispose() {
        node.kill();
        Folders.discard(folder);
    }
}
