package kvant.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import kvant.lab.tail.Division.Part;
import kvant.lab.tail.NodeRecording.ServedRequest;
import kvant.lab.tail.NodeRecording.Waits;
import kvant.load.record.SlowRequest;
import kvant.load.workload.Operation;
import org.junit.jupiter.api.Test;

/// The parts of a request's time, in planted recordings whose times are round.
class DivisionTest {

    private static final int PORT = 4711;

    private static SlowRequest slow(long due, long free, long sent, long ready, long received) {
        return new SlowRequest(due, free, sent, ready, received, PORT, Operation.PUT, 201);
    }

    private static ServedRequest put(long read, long queued, long started, long done, long settled, long written) {
        return new ServedRequest(PORT, Part.GROUP_COMMIT, read, queued, started, done, settled, written, false);
    }

    private static Spans spans(long... ends) {
        Spans.Builder builder = new Spans.Builder();
        for (int i = 0; i < ends.length; i += 2) {
            builder.add(ends[i], ends[i + 1]);
        }
        return builder.spans();
    }

    private static NodeRecording node(ServedRequest... requests) {
        return node(true, Waits.NONE, requests);
    }

    private static NodeRecording node(boolean all, Waits waits, ServedRequest... requests) {
        return NodeRecording.of(List.of(requests), all, spans(0, 10_000), waits, Map.of(), List.of());
    }

    private static Waits waits(Spans gc, Spans stops, Spans stalls, Spans syncs) {
        return new Waits(gc, stops, stalls, syncs, Spans.NONE);
    }

    private static Map<Part, Long> divide(SlowRequest slow, NodeRecording node) {
        long[] parts = Division.of(slow, node);
        assertThat(Arrays.stream(parts).sum()).as("the sum of the parts").isEqualTo(slow.responseNanos());
        Map<Part, Long> byName = new EnumMap<>(Part.class);
        for (Part part : Part.ALL) {
            if (parts[part.ordinal()] != 0) {
                byName.put(part, parts[part.ordinal()]);
            }
        }
        return byName;
    }

    @Test
    void eachStretchOfARequestGoesToItsPart() {
        Map<Part, Long> parts = divide(slow(100, 100, 101, 600, 650), node(put(111, 131, 171, 251, 331, 431)));

        assertThat(parts)
                .containsOnly(
                        Map.entry(Part.GENERATOR, 1L + 50),
                        Map.entry(Part.KERNEL, 10L + 169),
                        Map.entry(Part.READ, 20L),
                        Map.entry(Part.QUEUE, 40L),
                        Map.entry(Part.GROUP_COMMIT, 80L),
                        Map.entry(Part.DELIVER, 80L),
                        Map.entry(Part.WRITE, 100L));
    }

    @Test
    void aHandOffToAFreeThreadIsTheExecutorsAndAReadIsTheEngines() {
        ServedRequest get = new ServedRequest(PORT, Part.ENGINE_READ, 100, 100, 120, 150, 150, 150, true);

        assertThat(divide(slow(100, 100, 100, 150, 150), node(get)))
                .containsOnly(Map.entry(Part.EXECUTOR, 20L), Map.entry(Part.ENGINE_READ, 30L));
    }

    @Test
    void ofAWaitForTheCommitPausesGoFirstThenStallsThenSyncsThenChangesOfLogs() {
        Waits waits = new Waits(
                spans(110, 130),
                spans(105, 140),
                spans(120, 160),
                spans(150, 190, 500, 600),
                spans(102, 112, 180, 197, 550, 700));
        NodeRecording node = node(true, waits, put(100, 100, 100, 200, 200, 200));

        assertThat(divide(slow(100, 100, 100, 200, 200), node))
                .containsOnly(
                        Map.entry(Part.GC, 20L),
                        Map.entry(Part.SAFEPOINT, 5L + 10),
                        Map.entry(Part.STALL, 20L),
                        Map.entry(Part.SYNC, 30L),
                        Map.entry(Part.LOG_CHANGE, 3L + 7),
                        Map.entry(Part.GROUP_COMMIT, 2L + 3));
    }

    @Test
    void aSyncIsNotWhatAReadWaitsForAndAPauseIsWhatEveryoneInTheNodeWaitsFor() {
        ServedRequest get = new ServedRequest(PORT, Part.ENGINE_READ, 150, 150, 150, 200, 200, 200, false);
        NodeRecording node = node(
                true, new Waits(spans(110, 120), Spans.NONE, spans(160, 170), spans(100, 300), spans(0, 400)), get);

        assertThat(divide(slow(100, 100, 100, 200, 200), node))
                .containsOnly(Map.entry(Part.KERNEL, 40L), Map.entry(Part.GC, 10L), Map.entry(Part.ENGINE_READ, 50L));
    }

    @Test
    void aPauseOfTheNodeDoesNotHoldUpWhatTheKernelHas() {
        Waits waits = waits(spans(160, 190), Spans.NONE, Spans.NONE, Spans.NONE);
        NodeRecording node = node(true, waits, put(100, 100, 100, 150, 150, 155));

        assertThat(divide(slow(100, 100, 100, 200, 200), node))
                .containsOnly(
                        Map.entry(Part.GROUP_COMMIT, 50L), Map.entry(Part.WRITE, 5L), Map.entry(Part.KERNEL, 45L));
    }

    @Test
    void whoWaitedForItsConnectionWaitedForWhatTheRequestsBeforeItWaitedFor() {
        NodeRecording node = node(
                true,
                waits(Spans.NONE, Spans.NONE, Spans.NONE, spans(60, 140)),
                put(50, 50, 50, 150, 150, 155),
                put(170, 170, 170, 180, 180, 185),
                put(210, 210, 210, 230, 230, 230));

        assertThat(divide(slow(100, 200, 205, 240, 240), node))
                .containsOnly(
                        Map.entry(Part.SYNC, 40L),
                        Map.entry(Part.GROUP_COMMIT, 10L + 10 + 20),
                        Map.entry(Part.WRITE, 5L + 5),
                        Map.entry(Part.KERNEL, 15L + 15 + 5 + 10),
                        Map.entry(Part.GENERATOR, 5L));
    }

    @Test
    void betweenRecordedRequestsNothingIsKnownWhereFastOnesAreNotRecorded() {
        NodeRecording node = node(false, Waits.NONE, put(50, 50, 50, 150, 150, 150), put(200, 200, 200, 230, 230, 230));

        assertThat(divide(slow(100, 200, 200, 230, 230), node))
                .containsOnly(Map.entry(Part.GROUP_COMMIT, 50L + 30), Map.entry(Part.UNKNOWN, 50L));
    }

    @Test
    void aRequestWithoutAnEventIsUnknownButForTheGeneratorAndThePauses() {
        NodeRecording node = node(true, waits(spans(120, 150), Spans.NONE, spans(0, 999), spans(0, 999)));

        assertThat(divide(slow(100, 100, 110, 190, 200), node))
                .containsOnly(Map.entry(Part.GENERATOR, 20L), Map.entry(Part.GC, 30L), Map.entry(Part.UNKNOWN, 50L));
    }

    @Test
    void aRequestThatWasNeverSentWaitedForThoseBeforeIt() {
        SlowRequest unsent = new SlowRequest(100, 900, 900, 900, 900, PORT, Operation.PLAIN, 0);

        assertThat(divide(unsent, node())).containsOnly(Map.entry(Part.UNKNOWN, 800L));
        assertThat(divide(unsent, node(put(100, 100, 100, 700, 700, 700), put(750, 750, 750, 1_500, 1_500, 1_500))))
                .containsOnly(Map.entry(Part.GROUP_COMMIT, 600L + 150), Map.entry(Part.KERNEL, 50L));
    }

    @Test
    void aRequestThatWasGivenUpIsDividedAsFarAsItWaited() {
        SlowRequest givenUp = new SlowRequest(100, 100, 100, 300, 300, PORT, Operation.PUT, 0);

        assertThat(divide(givenUp, node(put(120, 120, 120, 900, 900, 900))))
                .containsOnly(Map.entry(Part.KERNEL, 20L), Map.entry(Part.GROUP_COMMIT, 180L));
    }

    @Test
    void anAnswerThatOvertakesTheNodesLookAtItsClockIsNotCountedBeyondItsEnd() {
        NodeRecording node = node(put(100, 100, 100, 180, 180, 400));

        assertThat(divide(slow(100, 100, 100, 200, 200), node))
                .containsOnly(Map.entry(Part.GROUP_COMMIT, 80L), Map.entry(Part.WRITE, 20L));
    }

    @Test
    void theEventOfAnotherConnectionOrOfAnotherTimeIsNotTaken() {
        ServedRequest other = new ServedRequest(1, Part.GROUP_COMMIT, 110, 110, 110, 120, 120, 120, false);
        NodeRecording node = node(other, put(90, 90, 90, 95, 95, 95), put(150, 150, 150, 350, 350, 350));

        assertThat(node.match(slow(100, 100, 100, 200, 200))).isNull();
    }

    @Test
    void onAPipelinedConnectionTheLastOfThoseThatWereAnsweredInTimeIsTaken() {
        ServedRequest before = put(110, 110, 110, 120, 120, 125);
        ServedRequest own = put(110, 110, 110, 180, 180, 185);
        ServedRequest after = put(110, 110, 110, 250, 250, 255);

        assertThat(node(after, before, own).match(slow(100, 100, 100, 200, 200)))
                .isSameAs(own);
    }

    @Test
    void whateverIsRecordedThePartsAddUpAndNoneIsNegative() {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            List<ServedRequest> requests = new ArrayList<>();
            for (int count = random.nextInt(5); count > 0; count--) {
                long[] times = sorted(random, 6);
                requests.add(new ServedRequest(
                        PORT,
                        random.nextBoolean() ? Part.GROUP_COMMIT : Part.ENGINE_READ,
                        times[0],
                        times[1],
                        times[2],
                        times[3],
                        times[4],
                        times[5],
                        random.nextBoolean()));
            }
            long[] times = sorted(random, 5);
            SlowRequest slow = slow(times[0], times[1], times[2], times[3], times[4]);
            long[] parts = Division.of(
                    slow,
                    node(
                            random.nextBoolean(),
                            new Waits(
                                    spans(sorted(random, 4)),
                                    spans(sorted(random, 6)),
                                    spans(sorted(random, 4)),
                                    spans(sorted(random, 8)),
                                    spans(sorted(random, 6))),
                            requests.toArray(ServedRequest[]::new)));

            assertThat(Arrays.stream(parts).sum()).as("seed %d", seed).isEqualTo(slow.responseNanos());
            assertThat(Arrays.stream(parts).min().orElseThrow())
                    .as("seed %d", seed)
                    .isNotNegative();
        }
    }

    private static long[] sorted(Random random, int count) {
        return random.longs(count, 0, 500).sorted().toArray();
    }
}
