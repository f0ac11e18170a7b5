package kvant.bench.attack;

import static kvant.bench.attack.swarm.SwarmStep.answer;
import static kvant.bench.attack.swarm.SwarmStep.hold;
import static kvant.bench.attack.swarm.SwarmStep.readSlowly;
import static kvant.bench.attack.swarm.SwarmStep.reset;
import static kvant.bench.attack.swarm.SwarmStep.send;
import static kvant.bench.attack.swarm.SwarmStep.sendSlowly;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import kvant.bench.attack.swarm.Script;

/// All attacks, in execution order: on data that a node holds for clients, on its event loops, on connections, by
/// requests from web pages, on resources that the node needs.
final class Attacks {

    private static final int KIB = 1 << 10;
    private static final String LARGE_KEY = "/v0/entity?id=large";
    private static final int SLOW_BYTES_PER_SECOND = 20_000;

    static final List<Attack> ALL = List.of(
            Attack.of(
                    "refused-body-then-a-byte",
                    "3,000 connections: a body of 256 KiB that is refused, then one byte of another request",
                    scene -> scene.swarm(scene.many(3000), refusedBodyThenAByte())),
            Attack.of(
                    "long-heads",
                    "12,000 connections with 15.9 KiB of a head that does not end",
                    scene -> scene.swarm(scene.many(12_000), longHead())),
            Attack.of(
                    "announced-bodies",
                    "132 connections announce a body of 256 KiB each, a quarter of the heap, and send none of it",
                    scene -> scene.swarm(132, announcedBody())),
            Attack.of(
                            "two-slow-large-bodies",
                            "two bodies of an eighth of the heap, half sent, then 20 KB/s each",
                            scene -> scene.swarm(2, slowLargeBody()))
                    .lasting(40),
            Attack.of(
                            "slow-large-answer",
                            "a value as large as the budget of answers, read at 20 KB/s",
                            new OnLargeValue(1, _ -> slowLargeAnswer()))
                    .lasting(40),
            Attack.of(
                            "slow-ranges",
                            "50 connections read a range of the whole store at 2 KB/s, while others write",
                            scene -> scene.swarm(50, slowRange()))
                    .lasting(30),
            Attack.of(
                            "slow-steady-reader",
                            "12 MiB read at a steady 40 KiB/s by a client that must be served",
                            new SteadyReader())
                    .lasting(75)
                    .promising("the reader is not cut off, and gets the right bytes"),
            Attack.of(
                    "head-of-large-values",
                    "4 connections ask again and again for the head of a value of an eighth of the heap",
                    new OnLargeValue(4, _ -> Script.of(send(Requests.head("HEAD " + LARGE_KEY)), answer()))),
            Attack.of(
                    "unchanged-large-values",
                    "the same with GET and If-None-Match: the version that it has",
                    new OnLargeValue(
                            4,
                            version -> Script.of(
                                    send(Requests.head("GET " + LARGE_KEY, "If-None-Match: " + version)), answer()))),
            Attack.of(
                    "tiny-chunks",
                    "200 connections that send bodies in chunks of one byte as fast as they are taken",
                    scene -> scene.swarm(scene.many(200), tinyChunks())),
            Attack.of(
                    "pipelined-flood",
                    "50 connections that pipeline gets without end and never read",
                    scene -> scene.swarm(50, Script.of(send(flood())))),
            Attack.of(
                    "slow-heads",
                    "2,000 connections that send a byte of a head every second",
                    scene -> scene.swarm(scene.many(2000), slowHead())),
            Attack.of(
                    "garbage",
                    "100 connections that send random bytes, again and again",
                    scene -> scene.swarm(scene.many(100), garbage())),
            Attack.of(
                    "churn",
                    "200 connections that send half a request and reset, fifty times a second each",
                    scene -> scene.swarm(scene.many(200), churn())),
            Attack.of(
                            "many-idle-connections",
                            "2,400 idle connections at a node that takes 2,000",
                            scene -> scene.swarm(2400, Script.of(hold())))
                    .withOptions("--admission.connections", "2000"),
            Attack.of(
                            "few-descriptors",
                            "600 idle connections at a node with 256 descriptors, while a client writes new logs full",
                            new FewDescriptors())
                    .withDescriptors(256)
                    .withOptions("--lsm.memtable", "1MiB")
                    .promising("writes continue, during and after it"),
            Attack.of(
                            "foreign-origin",
                            "batches as text/plain, and puts, as a web page of another origin sends them",
                            new Forbidden(Forbidden.FOREIGN_ORIGIN, List.of(403, 415)))
                    .promising("each is answered 403 or 415, and nothing is written"),
            Attack.of(
                            "dns-rebinding",
                            "gets and puts with a Host that was pointed at the node's address",
                            new Forbidden(Forbidden.FOREIGN_HOST, List.of(421)))
                    .promising("each is answered 421, and nothing is written"),
            Attack.of(
                            "hanging-control-connections",
                            "8 connections to the control socket that say nothing",
                            new HangingControl())
                    .promising("`kvant inspect` answers meanwhile"),
            Attack.of(
                            "removed-data-directory",
                            "the data directory is deleted under the running node",
                            new RemovedDirectory())
                    .endingService()
                    .lasting(5)
                    .promising("after 5 s no put is acknowledged, and `/readyz` says so"));

    private Attacks() {}

    /// Because of the body Netty expects large pieces, and reads the single byte into a large buffer.
    private static Script refusedBodyThenAByte() {
        byte[] body = new byte[256 * KIB];
        byte[] head = Requests.head("PUT /v0/entity", "Content-Length: " + body.length); // no id: 400
        return Script.of(send(Requests.joined(head, body)), answer(), send(Requests.ascii("G")), hold())
                .goingOnWith(3);
    }

    private static Script longHead() {
        String head = Requests.openHead("GET /v0/status") + "X-Long: ";
        return Script.of(send(Requests.ascii(head + "x".repeat(15_900 - head.length()))), hold())
                .goingOnWith(1);
    }

    /// A refused connection tries again, until the accepted ones hold the whole budget.
    private static Script announcedBody() {
        byte[] head = Requests.head("PUT /v0/entity?id=announced", "Content-Length: " + 256 * KIB);
        return Script.of(send(head), answer(), reset());
    }

    private static Script slowLargeBody() {
        byte[] head = Requests.head("PUT /v0/entity?id=slow", "Content-Length: " + Attack.LARGEST_VALUE);
        byte[] half = new byte[Attack.LARGEST_VALUE / 2];
        return Script.of(send(Requests.joined(head, half)), sendSlowly(half, SLOW_BYTES_PER_SECOND), hold())
                .goingOnWith(2);
    }

    private static Script slowLargeAnswer() {
        return Script.of(send(Requests.head("GET " + LARGE_KEY)), readSlowly(SLOW_BYTES_PER_SECOND))
                .goingOnWith(1)
                .withReceiveBuffer(4 * KIB);
    }

    private static Script slowRange() {
        return Script.of(send(Requests.head("GET /v0/entities?start=0")), readSlowly(2000))
                .goingOnWith(1)
                .withReceiveBuffer(4 * KIB);
    }

    private static Script tinyChunks() {
        byte[] head = Requests.head("PUT /v0/entity?id=tiny", "Transfer-Encoding: chunked");
        byte[] chunks = Requests.repeated("1\r\nx\r\n", 20_000);
        return Script.of(send(Requests.joined(head, chunks)), send(Requests.ascii("0\r\n\r\n")), answer());
    }

    private static byte[] flood() {
        return Requests.repeated(
                new String(Requests.head("GET /v0/entities?start=0&limit=10"), StandardCharsets.US_ASCII), 500);
    }

    private static Script slowHead() {
        byte[] begin = Requests.ascii(Requests.openHead("GET /v0/status"));
        return Script.of(send(begin), sendSlowly(Requests.repeated("X-Slow: x\r\n", 1000), 1), hold())
                .goingOnWith(2);
    }

    private static Script garbage() {
        byte[] bytes = new byte[16 * KIB];
        new SplittableRandom(13).nextBytes(bytes);
        return Script.of(send(bytes), hold()).goingOnWith(1).returningAfter(Duration.ofMillis(20));
    }

    private static Script churn() {
        String half = Requests.openHead("PUT /v0/entity?id=half", "Content-Length: 1000") + "\r\nhalf";
        return Script.of(send(Requests.ascii(half)), reset()).returningAfter(Duration.ofMillis(20));
    }
}
