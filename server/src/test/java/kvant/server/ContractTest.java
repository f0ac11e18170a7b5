package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.engine.Health;
import kvant.server.RawClient.Answer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Every row of the HTTP contract, byte for byte, with each executor.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class ContractTest {

    private static final String COMMON =
            "Date: X\r\nX-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n";

    @Parameter
    ExecutorKind executor;

    private NodeHarness harness;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        harness = new NodeHarness(options -> options.withExecutor(executor));
        client = harness.client();
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void putStoresAndGetReturnsTheExactBytes() throws Exception {
        assertThat(client.exchange(put("key", "value")).bytes())
                .isEqualTo("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n" + COMMON + "ETag: \"1\"\r\n\r\n");
        assertThat(client.exchange(get("key")).bytes())
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 5\r\n" + COMMON
                        + "ETag: \"1\"\r\n\r\nvalue");
    }

    @Test
    void headAnswersAsGetWithoutABody() throws Exception {
        client.exchange(put("key", "value"));
        assertThat(client.exchange("HEAD /v0/entity?id=key HTTP/1.1\r\nHost: h\r\n\r\n")
                        .bytes())
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 5\r\n" + COMMON
                        + "ETag: \"1\"\r\n\r\n");
        assertThat(client.exchange("HEAD /v0/entity?id=none HTTP/1.1\r\nHost: h\r\n\r\n")
                        .status())
                .isEqualTo(404);
        assertThat(client.exchange(get("key")).text()).isEqualTo("value");
    }

    @Test
    void anAbsentKeyIsAProblemOfItsOwnType() throws Exception {
        String body = "{\"type\":\"urn:kvant:problem:not-found\",\"title\":\"Not found\",\"status\":404,"
                + "\"detail\":\"the key has no value\"}\n";
        assertThat(client.exchange(get("key")).bytes())
                .isEqualTo("HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: "
                        + body.length() + "\r\n" + COMMON + "\r\n" + body);
    }

    @Test
    void deleteIsAcceptedWhetherTheKeyWasThereOrNot() throws Exception {
        client.exchange(put("key", "value"));
        for (int i = 0; i < 2; i++) {
            assertThat(client.exchange(delete("key")).bytes())
                    .isEqualTo("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n" + COMMON + "\r\n");
        }
        assertThat(client.exchange(get("key")).status()).isEqualTo(404);
    }

    @Test
    void anEmptyBodyIsAValueOfNoBytes() throws Exception {
        assertThat(client.exchange(put("key", "")).status()).isEqualTo(201);
        Answer answer = client.exchange(get("key"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("0");
    }

    @Test
    void whatHasNoBytesIsAnsweredInEveryForm() throws Exception {
        assertThat(client.exchange(NodeHarness.batch("put 1 0\nk\n")).status()).isEqualTo(201);
        assertThat(range("start=k")).isEqualTo("k\n");
        Answer head = client.exchange("HEAD /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(head.header("Content-Length")).isEqualTo("0");
        String ndjson = "HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n";
        assertThat(client.exchange("GET /v0/entities?start=k " + ndjson).text())
                .isEqualTo("{\"key\":\"aw==\",\"value\":\"\"}\n{\"complete\":true,\"records\":1}\n");
        assertThat(client.exchange("GET /v0/entities?start=k&end=k " + ndjson).text())
                .isEqualTo("{\"complete\":true,\"records\":0}\n");
        assertThat(conditional("GET", "If-None-Match: \"\"", "").status()).isEqualTo(200);
        assertThat(conditional("GET", "If-None-Match: " + head.header("ETag"), "")
                        .status())
                .isEqualTo(304);
        assertThat(conditional("PUT", "If-Match: \"\"", "v").status()).isEqualTo(412);
        assertThat(conditional("PUT", "If-Match: " + head.header("ETag"), "").status())
                .isEqualTo(201);
    }

    @Test
    void aPutWithoutAnyLengthIsAValueOfNoBytes() throws Exception {
        assertThat(client.exchange("PUT /v0/entity?id=key HTTP/1.1\r\nHost: h\r\n\r\n")
                        .status())
                .isEqualTo(201);
        assertThat(harness.engine.stored(bytes("key"))).isEmpty();
    }

    @Test
    void aRangeIsOneChunkPerRecordWithPlainSizes() throws Exception {
        client.exchange(put("b", "2"));
        client.exchange(put("a", "one"));
        client.exchange(put("c", "a value of twenty bytes"));
        client.send("GET /v0/entities?start=a&end=d HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(client.readHead().replaceFirst("Date: [^\r]*", "Date: X"))
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
                        + "Transfer-Encoding: chunked\r\n" + COMMON + "\r\n");
        String expected = "5\r\na\none\r\n3\r\nb\n2\r\n19\r\nc\na value of twenty bytes\r\n0\r\n\r\n";
        assertThat(new String(client.readFully(expected.length()))).isEqualTo(expected);
        assertThat(client.exchange(get("a")).text()).isEqualTo("one");
    }

    @Test
    void theEndOfARangeIsExclusiveAndItsStartInclusive() throws Exception {
        for (String key : List.of("a", "b", "c", "d")) {
            client.exchange(put(key, key));
        }
        assertThat(range("start=b&end=d")).isEqualTo("b\nbc\nc");
        assertThat(range("start=b&end=")).as("an empty end is no end").isEqualTo("b\nbc\ncd\nd");
        assertThat(range("start=b&limit=1")).isEqualTo("b\nb");
        assertThat(range("start=b&limit=2")).isEqualTo("b\nbc\nc");
        assertThat(range("start=d&end=a")).isEmpty();
        assertThat(range("start=b&end=b")).isEmpty();
        assertThat(range("start=b&end=b%00")).isEqualTo("b\nb");
        assertThat(range("start=x")).isEmpty();
    }

    @Test
    void aPrefixIsARange() throws Exception {
        for (String key : List.of("a", "ab", "ab%00", "ab%ff", "ac", "%ff", "%ff%ff")) {
            client.exchange(put(key, "v"));
        }
        assertThat(range("prefix=ab")).isEqualTo("ab\nvab\u0000\nvab\u00ff\nv");
        assertThat(range("limit=2&prefix=ab")).isEqualTo("ab\nvab\u0000\nv");
        assertThat(range("prefix=%ff")).isEqualTo("\u00ff\nv\u00ff\u00ff\nv");
        assertThat(range("prefix=b")).isEmpty();
        assertThat(range("start=ac&end=ad"))
                .as("the next request on the connection")
                .isEqualTo("ac\nv");
    }

    @Test
    void aRangeSortsByUnsignedBytes() throws Exception {
        for (String key : List.of("%ff", "%00", "%7f", "%80", "a", "%00%00")) {
            client.exchange(put(key, "v"));
        }
        assertThat(range("start=%00")).isEqualTo("\u0000\nv\u0000\u0000\nva\nv\u007f\nv\u0080\nv\u00ff\nv");
    }

    @Test
    void ndjsonHoldsBase64AndALastLine() throws Exception {
        client.exchange(put("k%00", "v1"));
        client.exchange(put("l", ""));
        String accept = "Accept: text/plain;q=0.5, application/x-ndjson\r\n";
        Answer answer = client.exchange("GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n" + accept + "\r\n");
        assertThat(answer.header("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(answer.text())
                .isEqualTo("{\"key\":\"awA=\",\"value\":\"djE=\"}\n{\"key\":\"bA==\",\"value\":\"\"}\n"
                        + "{\"complete\":true,\"records\":2}\n");
        assertThat(answer.chunks()).hasSize(4);
    }

    @Test
    void ndjsonSaysWhenAValueExpires() throws Exception {
        long before = System.currentTimeMillis();
        client.exchange(put("k&ttl=1000", "v1"));
        long after = System.currentTimeMillis();
        client.exchange(put("l", "v2"));
        String text = client.exchange(
                        "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n")
                .text();
        assertThat(text)
                .matches("\\{\"key\":\"aw==\",\"expires\":\\d+,\"value\":\"djE=\"}\n"
                        + "\\{\"key\":\"bA==\",\"value\":\"djI=\"}\n\\{\"complete\":true,\"records\":2}\n");
        long end = Long.parseLong(text.replaceAll("(?s).*\"expires\":(\\d+).*", "$1"));
        assertThat(end).isBetween(before + 1_000_000, after + 1_000_000);
    }

    @Test
    void ndjsonThatIsRefusedByWeightIsNotSent() throws Exception {
        Answer answer = client.exchange(
                "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n" + "Accept: application/x-ndjson;q=0, */*\r\n\r\n");
        assertThat(answer.header("Content-Type")).isEqualTo("application/octet-stream");
    }

    @Test
    void httpOneDotZeroGetsARangeUpToTheClose() throws Exception {
        client.exchange(put("a", "1"));
        client.exchange(put("b", "2"));
        client.send("GET /v0/entities?start=a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        Answer answer = client.read();
        assertThat(answer.headers("Transfer-Encoding")).isEmpty();
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(answer.text()).isEqualTo("a\n1b\n2");
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void probesAnswer() throws Exception {
        assertThat(client.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n").bytes())
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + COMMON + "\r\n");
        assertThat(client.exchange("GET /v0/status HTTP/1.1\r\nHost: h\r\n\r\n").text())
                .startsWith("{\"version\":\"unknown\"")
                .contains("\"engine\":", "\"uptimeSeconds\":", "\"ready\":true", "\"name\":\"writes\"");
        assertThat(client.exchange("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n").text())
                .isEqualTo("ready\n");
        assertThat(client.exchange("GET /readyz?verbose HTTP/1.1\r\nHost: h\r\n\r\n")
                        .text())
                .isEqualTo("reads: ok: in memory\nwrites: ok: in memory\n");
    }

    @Test
    void readyzSaysWhyItIsNot() throws Exception {
        harness.engine.health(new Health(List.of(
                new Health.Check(Health.READS, true, "fine"), new Health.Check(Health.WRITES, false, "log failed"))));
        Answer answer = client.exchange("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).isEqualTo("reads: ok: fine\nwrites: failed: log failed\n");
        assertThat(client.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n").status())
                .isEqualTo(200);
    }

    @Test
    void keysAreTheDecodedBytes() throws Exception {
        for (String id : List.of("%00", "%0d%0a", "%ff%fe", "%c3%28", "a+b", "%2B", "%26%3D", "%25", "+%41+")) {
            assertThat(client.exchange(put(id, "of " + id)).status()).isEqualTo(201);
            assertThat(client.exchange(get(id)).text()).isEqualTo("of " + id);
        }
        assertThat(harness.engine.stored(new byte[] {0})).isNotNull();
        assertThat(harness.engine.stored(new byte[] {'\r', '\n'})).isNotNull();
        assertThat(harness.engine.stored(new byte[] {(byte) 0xff, (byte) 0xfe})).isNotNull();
        assertThat(harness.engine.stored(bytes("a+b"))).as("a plus is a plus").isNotNull();
        assertThat(harness.engine.stored(bytes("+A+"))).isNotNull();
        assertThat(harness.engine.stored(bytes("a b"))).isNull();
        assertThat(client.exchange(get("%61%2bb")).text())
                .as("other spelling, same key")
                .isEqualTo("of a+b");
    }

    @Test
    void aKeyInThePathIsTheSameKey() throws Exception {
        for (String id : List.of("a", "a+b", "%00", "%ff%fe", "a/b", "%2f", "//", "a=b&c", "..", "%3f%23", "k%20k")) {
            String path = put(id, "of " + id).replace("/v0/entity?id=", "/v0/entity/");
            assertThat(client.exchange(path).status()).isEqualTo(201);
            String query = get(id.replace("&", "%26"));
            assertThat(client.exchange(query).text()).isEqualTo("of " + id);
            assertThat(client.exchange(get(id).replace("/v0/entity?id=", "/v0/entity/"))
                            .text())
                    .isEqualTo("of " + id);
        }
        assertThat(harness.engine.stored(bytes("a+b"))).as("a plus is a plus").isNotNull();
        assertThat(harness.engine.stored(bytes("k k"))).isNotNull();
        assertThat(client.exchange("PUT /v0/entity/t?ttl=60 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
                        .status())
                .isEqualTo(201);
        assertThat(harness.engine.expiry(bytes("t"))).isPositive();
        assertThat(client.exchange("DELETE /v0/entity/t HTTP/1.1\r\nHost: h\r\n\r\n")
                        .status())
                .isEqualTo(202);
        assertThat(harness.engine.stored(bytes("t"))).isNull();
    }

    @Test
    void theLongestKeyFitsPercentEncodedAndOneMoreDoesNot() throws Exception {
        String longest = "%ab".repeat(64 << 10);
        assertThat(client.exchange(put(longest, "v")).status()).isEqualTo(201);
        assertThat(client.exchange(get(longest)).text()).isEqualTo("v");
        assertThat(client.exchange(get(longest + "c")).status()).isEqualTo(414);
        assertThat(client.exchange(get("k")).status())
                .as("the connection goes on")
                .isEqualTo(404);
        assertThat(client.exchange("GET /v0/entities?start=" + longest + "&end=" + longest
                                + " HTTP/1.1\r\nHost: h\r\n\r\n")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void ifNoneMatchStarCreatesOnly() throws Exception {
        assertThat(conditional("PUT", "If-None-Match: *", "1").status()).isEqualTo(201);
        Answer second = conditional("PUT", "If-None-Match: *", "2");
        assertThat(second.status()).isEqualTo(412);
        assertThat(second.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(client.exchange(get("k")).text()).isEqualTo("1");
    }

    @Test
    void ifMatchWritesOnlyOverThatVersion() throws Exception {
        assertThat(conditional("PUT", "If-Match: *", "0").status()).isEqualTo(412);
        String tag = client.exchange(put("k", "1")).header("ETag");
        assertThat(conditional("PUT", "If-Match: \"999\"", "2").status()).isEqualTo(412);
        assertThat(conditional("PUT", "If-Match: \"other\"", "2").status()).isEqualTo(412);
        assertThat(conditional("PUT", "If-Match: W/" + tag, "2").status())
                .as("weak")
                .isEqualTo(412);
        assertThat(conditional("PUT", "If-Match: " + tag, "2").status()).isEqualTo(201);
        assertThat(conditional("DELETE", "If-Match: " + tag, "").status())
                .as("stale")
                .isEqualTo(412);
        String second = client.exchange(get("k")).header("ETag");
        assertThat(conditional("DELETE", "If-Match: " + second, "").status()).isEqualTo(202);
    }

    @Test
    void ifNoneMatchOnGetAnswersNotModified() throws Exception {
        String tag = client.exchange(put("k", "value")).header("ETag");
        String twoLines = "\"77\"\r\nIf-None-Match: " + tag;
        for (String condition : List.of(tag, "W/" + tag, "\"x\", " + tag, ", ,\"x\",, " + tag + ",", twoLines, "*")) {
            Answer answer = conditional("GET", "If-None-Match: " + condition, "");
            assertThat(answer.bytes())
                    .as(condition)
                    .isEqualTo("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n" + COMMON + "ETag: " + tag
                            + "\r\n\r\n");
        }
        assertThat(conditional("GET", "If-None-Match: \"77\"", "").text()).isEqualTo("value");
        assertThat(conditional("GET", "If-Match: \"77\"", "").status()).isEqualTo(412);
        assertThat(conditional("GET", "If-Match: " + tag, "").text()).isEqualTo("value");
    }

    @Test
    void whoKnowsTheValueOrWantsLessReadsNothing() throws Exception {
        String tag = client.exchange(put("k", "value")).header("ETag");
        harness.engine.forgetCalls();
        assertThat(conditional("GET", "If-None-Match: " + tag, "").status()).isEqualTo(304);
        assertThat(conditional("GET", "If-Match: \"77\"", "").status()).isEqualTo(412);
        Answer head = client.exchange("HEAD /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n\r\n");
        assertThat(head.header("Content-Length")).isEqualTo("5");
        assertThat(head.header("ETag")).isEqualTo(tag);
        assertThat(head.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(harness.engine.calls()).containsExactly("look 6b", "look 6b", "look 6b");
    }

    @Test
    void ttlBecomesAnExpiry() throws Exception {
        long before = System.currentTimeMillis();
        assertThat(client.exchange(put("k&ttl=100", "v")).status()).isEqualTo(201);
        assertThat(harness.engine.expiry(bytes("k"))).isBetween(before + 100_000, System.currentTimeMillis() + 100_000);
        assertThat(client.exchange(put("k", "v")).status()).isEqualTo(201);
        assertThat(harness.engine.expiry(bytes("k"))).isZero();
        assertThat(client.exchange(put("k&ttl=9000000000000000", "v")).status()).isEqualTo(201);
        assertThat(harness.engine.expiry(bytes("k"))).isGreaterThan(9_000_000_000_000_000_000L);
        for (String ttl : List.of("9000000000000001", "1234567890123456789", "9223372036854775807")) {
            Answer answer = client.exchange(put("new&ttl=" + ttl, "v"));
            assertThat(answer.status()).as(ttl).isEqualTo(400);
            assertThat(answer.text()).contains("bad-ttl", "1 to 9000000000000000");
            answer = client.exchange(NodeHarness.batch("put 3 1 " + ttl + "\nnewv\n"));
            assertThat(answer.status()).as("batch with " + ttl).isEqualTo(400);
            assertThat(answer.text()).contains("at offset 8", "1 to 9000000000000000");
        }
        assertThat(harness.engine.stored(bytes("new"))).isNull();
    }

    @Test
    void aBodyThatIsNotTheWholeValueAsItIsChangesNothing() throws Exception {
        client.exchange(put("k", "hello"));
        Answer part = client.exchange(put("k", "XY").replace("Host: h", "Host: h\r\nContent-Range: bytes 3-4/5"));
        assertThat(part.status()).isEqualTo(400);
        assertThat(part.text()).contains("urn:kvant:problem:partial-write");
        Answer coded = client.exchange(put("k", "XY").replace("Host: h", "Host: h\r\nContent-Encoding: gzip"));
        assertThat(coded.status()).isEqualTo(415);
        assertThat(coded.header("Accept-Encoding")).isEqualTo("identity");
        assertThat(coded.text()).contains("urn:kvant:problem:unsupported-content-coding");
        Answer batch = client.exchange(
                NodeHarness.batch("put 1 2\nkXY\n").replace("Host: h", "Host: h\r\nContent-Encoding: gzip"));
        assertThat(batch.status()).isEqualTo(415);
        assertThat(client.exchange(get("k")).text()).isEqualTo("hello");
    }

    @Test
    void aHalfClosedClientGetsItsFullAnswers() throws Exception {
        harness.engine.load(bytes("k"), new byte[3_000_000]);
        client.send(get("k") + get("k") + get("none"));
        client.endOutput();
        assertThat(client.read().body()).hasSize(3_000_000);
        assertThat(client.read().body()).hasSize(3_000_000);
        assertThat(client.read().status()).isEqualTo(404);
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void anAnswerCarriesTheDate() throws Exception {
        assertThat(client.exchange(get("k")).header("Date"))
                .matches("(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");
    }

    private String range(String query) throws Exception {
        return client.exchange("GET /v0/entities?" + query + " HTTP/1.1\r\nHost: h\r\n\r\n")
                .text();
    }

    private Answer conditional(String method, String condition, String value) throws Exception {
        String length = method.equals("PUT") ? "Content-Length: " + value.length() + "\r\n" : "";
        return client.exchange(
                method + " /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n" + condition + "\r\n" + length + "\r\n" + value);
    }
}
