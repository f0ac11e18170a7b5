package kvant.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Requests that a client may put on the wire, and their answers. Every case starts on a fresh connection to a node
/// that holds the key `k` with the value `value`.
///
/// Wherever a request is smuggled behind another, it names the key `SMUGGLED`, so that one look at the
/// engine's calls tells whether it ran.
public final class WireCases {

    /// One case.
    ///
    /// @param statuses the answers, in order
    /// @param closes whether the connection ends with the last of them
    public record Case(String name, byte[] request, List<Integer> statuses, boolean closes) {
        @Override
        public String toString() {
            return name;
        }

        public boolean bodiless() {
            return new String(request, StandardCharsets.ISO_8859_1).startsWith("HEAD ");
        }
    }

    private static final String SMUGGLED = "GET /v0/entity?id=SMUGGLED HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String PUT = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n";
    private static final String GET = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n";

    private static final String BATCH = "POST /v0/batch HTTP/1.1\r\nHost: h\r\n";

    private final List<Case> cases = new ArrayList<>();

    private WireCases() {}

    public static List<Case> all() {
        WireCases all = new WireCases();
        all.requestLines();
        all.targets();
        all.keysInPaths();
        all.parameters();
        all.methods();
        all.headers();
        all.hosts();
        all.otherSites();
        all.batchTypes();
        all.parts();
        all.lengths();
        all.codings();
        all.chunks();
        all.connections();
        all.expectations();
        all.conditions();
        all.sizes();
        return all.cases;
    }

    private void requestLines() {
        line("GET /livez HTTP/1.1", "200");
        line("GET /livez HTTP/1.0", "200 close");
        line("GET /livez HTTP/1.2", "200");
        line("GET /livez HTTP/1.9", "200");
        line("GET /livez HTTP/2.0", "505 close");
        line("GET /livez HTTP/0.9", "505 close");
        line("PRI * HTTP/2.0", "505 close");
        for (String bad : List.of(
                "GET /livez",
                "GET /livez ",
                "GET",
                " GET /livez HTTP/1.1",
                "GET  /livez HTTP/1.1",
                "GET /livez  HTTP/1.1",
                "GET /livez HTTP/1.1 ",
                "GET /livez http/1.1",
                "GET /livez HTTP/11",
                "GET /livez HTTP/1.10",
                "GET /livez HTTP/1.",
                "GET /livez HTTP/1,1",
                "GET /livez HTTPS/1.1",
                "GET /livez XTTP/1.1",
                "GET\t/livez HTTP/1.1",
                "GET /livez\tHTTP/1.1",
                "GET /a b HTTP/1.1",
                "G(T /livez HTTP/1.1",
                "GET: /livez HTTP/1.1",
                "\u0000GET /livez HTTP/1.1",
                "GÉT /livez HTTP/1.1",
                "GET /livez\r HTTP/1.1",
                "GET /li\u0000vez HTTP/1.1",
                "/livez HTTP/1.1",
                "GET livez HTTP/1.1",
                "GET /livez HTTP/1.1\r",
                "GET /livez HTTP/x.1",
                "GET /livez HTTP/1.x",
                "GET / livez HTTP/1.1")) {
            line(bad, "400 close");
        }
        add("empty lines before a request", "\r\n\r\n" + GET + "\r\n", "200");
        add("too many empty lines", "\r\n".repeat(9) + GET + "\r\n", "400 close");
        add("a bare LF before a request", "\n" + GET + "\r\n", "400 close");
        add("a bare LF behind the request line", "GET /livez HTTP/1.1\nHost: h\r\n\r\n", "400 close");
    }

    private void targets() {
        line("GET http://h/livez HTTP/1.1", "200");
        line("GET HTTP://h:80/livez HTTP/1.1", "200");
        line("GET https://h/v0/entity?id=k HTTP/1.1", "200");
        line("GET http://h HTTP/1.1", "404");
        line("GET http://h?id=k HTTP/1.1", "404");
        line("GET http:///livez HTTP/1.1", "400 close");
        line("GET http://u@h/livez HTTP/1.1", "400 close");
        line("GET ftp://h/livez HTTP/1.1", "400 close");
        line("GET /livez#top HTTP/1.1", "400 close");
        line("GET /livez?\u00e9 HTTP/1.1", "400 close");
        line("OPTIONS * HTTP/1.1", "404");
        line("CONNECT h:80 HTTP/1.1", "400 close");
        for (String path : List.of(
                "/",
                "/v0",
                "/v0/",
                "/v0/x",
                "/x",
                "/v0/entity/",
                "/v0/entitys",
                "/v0/entitysk",
                "/V0/entity?id=k",
                "//v0/entity",
                "/v0/%65ntity?id=k",
                "/v1/entity?id=k",
                "/v0/entity;x?id=k",
                "/v0/../v0/entity?id=k",
                "*x")) {
            if (path.startsWith("/")) {
                line("GET " + path + " HTTP/1.1", path.equals("/v0/entity/") ? "400" : "404");
            } else {
                line("GET " + path + " HTTP/1.1", "400 close");
            }
        }
    }

    private void keysInPaths() {
        for (String path : List.of("k", "%6b", "%6B?", "k?ack=1", "k?x=y&replicas=1/1")) {
            line("GET /v0/entity/" + path + " HTTP/1.1", "200");
        }
        for (String path : List.of("k/", "/", "%2F", "k%2Fk", "k/k", "..", "+", "k%20", "k;x", "k&id=k", "%00", "K")) {
            line("GET /v0/entity/" + path + " HTTP/1.1", "404");
        }
        for (String path : List.of("", "?", "?id=k", "k?id=k", "k?id=", "%", "%4", "%zz", "a%", "k?ack=2")) {
            line("GET /v0/entity/" + path + " HTTP/1.1", "400");
        }
        line("GET http://h/v0/entity/k HTTP/1.1", "200");
        line("HEAD /v0/entity/k HTTP/1.1", "200");
        line("DELETE /v0/entity/none HTTP/1.1", "202");
        line("POST /v0/entity/k HTTP/1.1", "405");
        line("GET /v0/entities/k HTTP/1.1", "404");
        line("GET /v0/entity/" + "x".repeat(65_537) + " HTTP/1.1", "414");
        line("GET /v0/entity/" + "%ab".repeat(65_536) + " HTTP/1.1", "404");
    }

    private void parameters() {
        String entity = "/v0/entity";
        for (String query : List.of(
                "",
                "?",
                "?id",
                "?id=",
                "?ID=k",
                "?i%64=k",
                "?x=k",
                "?id=&x=k",
                "?id=%",
                "?id=%4",
                "?id=%zz",
                "?id=%4g",
                "?id=a%",
                "?id=%%34",
                "?id=k&id=k",
                "?id=k&id=",
                "?id=k&ack=0",
                "?id=k&ack=2",
                "?id=k&ack=x",
                "?id=k&ack=",
                "?id=k&ack=-1",
                "?id=k&ack=+1",
                "?id=k&ack=1&from=2",
                "?id=k&ack=2&from=1",
                "?id=k&from=2",
                "?id=k&from=0",
                "?id=k&from=x",
                "?id=k&ack=1&ack=1",
                "?id=k&ack=99999999999999999999",
                "?id=k&replicas=",
                "?id=k&replicas=1",
                "?id=k&replicas=0/1",
                "?id=k&replicas=1/2",
                "?id=k&replicas=2/1",
                "?id=k&replicas=1/1/1",
                "?id=k&replicas=/1",
                "?id=k&replicas=1/1&ack=1")) {
            line("GET " + entity + query + " HTTP/1.1", "400");
        }
        for (String query : List.of(
                "?id=k",
                "?id=k&",
                "?&id=k",
                "?id=k&&x",
                "?x=%zz&id=k",
                "?id=k&ack=1",
                "?id=k&ack=1&from=1",
                "?id=k&from=1",
                "?id=k&replicas=1/1",
                "?id=k&ttl=x",
                "?id=k&limit=x",
                "?id=%6b",
                "?id=k&x=y=z",
                "?id=k&?id=j")) {
            line("GET " + entity + query + " HTTP/1.1", "200");
        }
        for (String query : List.of(
                "",
                "?start=",
                "?id=k",
                "?start=a&limit=0",
                "?start=a&limit=x",
                "?start=a&limit=-1",
                "?start=a&limit=",
                "?start=a&end=%zz",
                "?start=%zz",
                "?start=a&start=b",
                "?start=a&end=b&end=c",
                "?start=a&limit=1&limit=2",
                "?start=a&order=",
                "?start=a&order=value",
                "?start=a&order=none&order=none",
                "?prefix=",
                "?prefix",
                "?prefix=%zz",
                "?prefix=a&prefix=a",
                "?prefix=a&start=a",
                "?start=a&prefix=a",
                "?prefix=a&end=b",
                "?end=&prefix=a",
                "?prefix=a&limit=0",
                "?start=a&limit=9223372036854775808")) {
            line("GET /v0/entities" + query + " HTTP/1.1", "400");
        }
        line("GET /v0/entities?start=a&end=&limit=9223372036854775807 HTTP/1.1", "200");
        line("GET /v0/entities?prefix=%ff&limit=1 HTTP/1.1", "200");
        line("GET /v0/entities?start=a&order=none HTTP/1.1", "200");
        line("GET /v0/entities?prefix=a&order=key HTTP/1.1", "200");
        for (String ttl : List.of("0", "-1", "x", "", "1.5", "9000000000000001", "9223372036854775808")) {
            add("ttl " + ttl, "PUT /v0/entity?id=k&ttl=" + ttl + " HTTP/1.1\r\nHost: h\r\n\r\n", "400");
        }
        add("the longest ttl", "PUT /v0/entity?id=k&ttl=9000000000000000 HTTP/1.1\r\nHost: h\r\n\r\n", "201");
        add(
                "refused put with a body",
                "PUT /v0/entity HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" + GET + "\r\n",
                "400,200");
    }

    private void methods() {
        for (String method : List.of("POST", "PATCH", "OPTIONS", "TRACE", "get", "GETT", "PUTS", "X")) {
            line(method + " /v0/entity?id=k HTTP/1.1", "405");
        }
        for (String method : List.of("POST", "PUT", "DELETE", "HEAD")) {
            line(method + " /v0/entities?start=a HTTP/1.1", "405");
        }
        for (String path : List.of("/v0/status", "/livez", "/readyz")) {
            line("HEAD " + path + " HTTP/1.1", "200");
            line("POST " + path + " HTTP/1.1", "405");
            line("PUT " + path + " HTTP/1.1", "405");
        }
        for (String method : List.of("GET", "PUT", "DELETE", "HEAD")) {
            line(method + " /v0/batch HTTP/1.1", "405");
        }
        String batch = BATCH + "Content-Type: application/vnd.kvant.batch\r\n";
        add("a batch of one", batch + "Content-Length: 12\r\n\r\nput 1 2\nbxy\n" + GET + "\r\n", "201,200");
        add("a chunked batch", batch + "Transfer-Encoding: chunked\r\n\r\nc\r\nput 1 2\nbxy\n\r\n0\r\n\r\n", "201");
        add("an empty batch", batch + "Content-Length: 0\r\n\r\n" + GET + "\r\n", "400,200");
        add("a batch without a body", batch + "\r\n" + GET + "\r\n", "400,200");
        add("a batch cut short", batch + "Content-Length: 11\r\n\r\nput 1 2\nbxy" + GET + "\r\n", "400,200");
        add("a conditional batch", batch + "If-Match: *\r\nContent-Length: 4\r\n\r\nxxxx" + GET + "\r\n", "400,200");
        line("POST /v0/nothing HTTP/1.1", "404");
        add("a body on GET is thrown away", GET + "Content-Length: 5\r\n\r\nhello" + GET + "\r\n", "200,200");
        add(
                "a body on DELETE is thrown away",
                "DELETE /v0/entity?id=none HTTP/1.1\r\nHost: h\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + GET + "\r\n",
                "202,200");
        add(
                "a body on POST is thrown away",
                "POST /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: " + SMUGGLED.length() + "\r\n\r\n"
                        + SMUGGLED + GET + "\r\n",
                "405,200");
        add(
                "a request as a body is a body",
                PUT + "Content-Length: " + SMUGGLED.length() + "\r\n\r\n" + SMUGGLED,
                "201");
    }

    private void headers() {
        for (String bad : List.of(
                "Name : v",
                " Name: v",
                "\tName: v",
                "Name",
                ": v",
                "Na me: v",
                "Na\u0000me: v",
                "Name: a\u0000b",
                "Name: a\u0001b",
                "Name: a\u007fb",
                "Name: a\rb",
                "Na\u00e9: v",
                "Name\t: v",
                "N(: v",
                "Name: \u000bv",
                "Name: v\r")) {
            add("header " + printable(bad), GET + bad + "\r\n\r\n" + SMUGGLED, "400 close");
        }
        for (String good : List.of(
                "Name:v",
                "Name:  v  ",
                "Name:\tv\t",
                "Name:",
                "Name: a\tb",
                "Name: \u00e9",
                "!#$%&'*+-.^_`|~09: v",
                "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AA",
                "Content-Lengthx: 5",
                "content-typ: x",
                "hosts: a b")) {
            add("header " + printable(good), GET + good + "\r\n\r\n", "200");
        }
        add("obs-fold", GET + "Name: a\r\n b\r\n\r\n", "400 close");
        add("obs-fold as the first header", "GET /livez HTTP/1.1\r\n Host: h\r\n\r\n", "400 close");
        add("bare LF behind a header", GET + "Name: a\n\r\n", "400 close");
        add("bare LF as the empty line", GET + "\n", "400 close");
        add("bare LF that hides a header", GET + "A: b\nContent-Length: 5\r\n\r\nhello", "400 close");
        add("bare CR as a line end", GET + "A: b\rContent-Length: 5\r\n\r\nhello", "400 close");
    }

    private void hosts() {
        add("no host", "GET /livez HTTP/1.1\r\n\r\n", "400 close");
        add("no host on 1.0", "GET /livez HTTP/1.0\r\n\r\n", "200 close");
        add("two hosts", "GET /livez HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "400 close");
        add("two hosts on 1.0", "GET /livez HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n", "400 close");
        add("no host with an absolute target", "GET http://h/livez HTTP/1.1\r\n\r\n", "400 close");
        for (String host : List.of(
                "h:8080",
                "h:",
                "h.",
                "H",
                "[::1]:80",
                "[::1]",
                "[2001:DB8::7]:8080",
                "[::ffff:10.0.0.1]",
                "127.0.0.1:1",
                "10.1.2.3",
                "localhost",
                "LocalHost:65535",
                "localhost.:80")) {
            add("host " + host, "GET /livez HTTP/1.1\r\nhOsT: " + host + "\r\n\r\n", "200");
        }
        for (String host : List.of(
                "",
                "a.b-c_d~e",
                "other:8080",
                "h.other",
                "localhost.other",
                "xlocalhost",
                "127.0.0.1.other",
                "127.1",
                "1.2.3.256",
                "%68",
                "h%2e",
                "h..",
                "h,h",
                "*",
                "2130706433")) {
            add("other host " + host, "GET /v0/entity?id=k HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "421");
        }
        for (String host : List.of(
                "a b",
                "a/b",
                "a?b",
                "a#b",
                "u@h",
                "h:x",
                "a\\b",
                "[::1",
                "<h>",
                "\"h\"",
                "a]b",
                "[::1]x:80",
                "[::1]x",
                "a%zz",
                "a%4",
                "%",
                "[]",
                "[h]",
                "[127.0.0.1]",
                "[::1%25lo]",
                "[[::1]]",
                "[::1]]",
                "[v1.a]",
                "a[::1]",
                "::1",
                "h:80:80",
                "h:65536",
                "h:000080",
                "h:-1",
                "h:+1",
                "h:80x",
                ":80",
                ":",
                "\u00e9",
                "x".repeat(300))) {
            add("bad host " + host, "GET /livez HTTP/1.1\r\nHost: " + host + "\r\n\r\n" + SMUGGLED, "400 close");
        }
        for (String authority : List.of("a]b", "[::1]x:80", "[]", "h:x", "h:70000", "a%zz", ":80")) {
            line("GET http://" + authority + "/livez HTTP/1.1", "400 close");
        }
        line("GET http://other/livez HTTP/1.1", "421");
        String toOther = "GET http://h/livez HTTP/1.1\r\nHost: other\r\n\r\n";
        add("another host beside an absolute target", toOther, "421");
        add("another host and an unknown path", "GET /x HTTP/1.1\r\nHost: other\r\n\r\n", "421");
        add(
                "a body for another host is thrown away",
                PUT.replace("Host: h", "Host: other") + "Content-Length: " + SMUGGLED.length() + "\r\n\r\n" + SMUGGLED
                        + GET + "\r\n",
                "421,200");
        add("another host is not the one before it", GET + "\r\n" + GET.replace("h\r\n", "i\r\n") + "\r\n", "200,421");
    }

    private void otherSites() {
        for (String own : List.of(
                "Origin: http://h",
                "Origin: https://h",
                "Origin: http://h:80",
                "origin: HTTP://H",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: none",
                "Origin: http://h\r\nSec-Fetch-Site: same-origin")) {
            add(own, PUT + own + "\r\nContent-Length: 5\r\n\r\nvalue", "201");
        }
        for (String foreign : List.of(
                "Origin: http://other",
                "Origin: http://h:8080",
                "Origin: https://h:80",
                "Origin: http://h.other",
                "Origin: http://hh",
                "Origin: null",
                "Origin: ",
                "Origin: h",
                "Origin: http://",
                "Origin: http://h/",
                "Origin: http://u@h",
                "Origin: file://h",
                "Origin: http://h, http://h",
                "Origin: http://h\r\nOrigin: http://h",
                "Origin: http://" + "h".repeat(300),
                "Sec-Fetch-Site: cross-site",
                "sec-fetch-site: same-site",
                "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: ",
                "Origin: http://h\r\nSec-Fetch-Site: same-site")) {
            for (String method : List.of("PUT", "DELETE", "POST")) {
                add(
                        method + " for " + printable(foreign),
                        PUT.replace("PUT", method) + foreign + "\r\nContent-Length: 5\r\n\r\nwrong" + GET + "\r\n",
                        "403,200");
            }
            add("GET for " + printable(foreign), GET + foreign + "\r\n\r\n", "200");
        }
        String before = PUT.replace("Host: h\r\n", "Origin: http://h:1\r\nHost: h:1\r\n");
        add("an origin before the host", before + "Content-Length: 5\r\n\r\nvalue", "201");
        add("an origin with 1.0", "DELETE /v0/entity?id=x HTTP/1.0\r\nOrigin: http://h\r\n\r\n", "403 close");
        add("preflight", "OPTIONS /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nOrigin: http://x\r\n\r\n", "405");
    }

    private void batchTypes() {
        String body = "Content-Length: 12\r\n\r\nput 1 2\nbxy\n" + GET + "\r\n";
        for (String type : List.of(
                "content-type: application/vnd.kvant.batch",
                "Content-Type: Application/Vnd.Kvant.Batch ; charset=utf-8")) {
            add(type, BATCH + type + "\r\n" + body, "201,200");
        }
        for (String type : List.of(
                "Content-Typo: application/vnd.kvant.batch",
                "Content-Type: ",
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: application/octet-stream",
                "Content-Type: text/plain;application/vnd.kvant.batch",
                "Content-Type: application/vnd.kvant.batch, text/plain",
                "Content-Type: application/vnd.kvant.batches",
                "Content-Type: text/plain\r\nContent-Type: application/vnd.kvant.batch",
                "Content-Type: application/vnd.kvant.batch\r\nContent-Type: text/plain")) {
            add("batch as " + printable(type), BATCH + type + "\r\n" + body, "415,200");
        }
        add("batch without a type", BATCH + body, "415,200");
        add("batch for a page", BATCH + "Content-Type: text/plain\r\nOrigin: http://x\r\n" + body, "403,200");
    }

    /// Headers which say that a body is not the value itself.
    private void parts() {
        String batch = BATCH + "Content-Type: application/vnd.kvant.batch\r\n";
        String body = "Content-Length: 12\r\n\r\nput 1 2\nbxy\n" + GET + "\r\n";
        for (String range : List.of("bytes 3-4/5", "bytes */12", "items 1-2/3", "x", "")) {
            add("put of the part " + range, PUT + "Content-Range: " + range + "\r\n" + body, "400,200");
            add("batch of the part " + range, batch + "content-range: " + range + "\r\n" + body, "400,200");
        }
        for (String coding :
                List.of("gzip", "GZIP", "br", "identity, gzip", "gzip\r\nContent-Encoding: identity", "?")) {
            String header = "Content-Encoding: " + coding + "\r\n";
            add("put as " + printable(coding), PUT + header + body, "415,200");
            add("batch as " + printable(coding), batch + header + body, "415,200");
        }
        for (String coding : List.of("identity", "Identity ,identity", "", ",")) {
            add("put as '" + coding + "'", PUT + "content-encoding: " + coding + "\r\n" + body, "201,200");
        }
        String both = "Content-Range: bytes 0-0/1\r\nContent-Encoding: gzip\r\n\r\n";
        add("a get has no part", GET + both, "200");
        add("a delete has no part", "DELETE /v0/entity?id=none HTTP/1.1\r\nHost: h\r\n" + both, "202");
        add("a part is not sent", PUT + "Expect: 100-continue\r\nContent-Length: 5\r\n" + both, "400 close");
    }

    private void lengths() {
        for (String length : List.of(
                "+5",
                "-5",
                "5,5",
                "5, 5",
                "0x5",
                "5 5",
                "",
                "five",
                "5;",
                "5.0",
                "\"5\"",
                "9223372036854775808",
                "99999999999999999999",
                "1e1",
                "\u00b2")) {
            add("length " + length, PUT + "Content-Length: " + length + "\r\n\r\nhello" + SMUGGLED, "400 close");
        }
        add("two lengths", PUT + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello" + SMUGGLED, "400 close");
        add("two equal lengths", PUT + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "400 close");
        add("leading zeros", PUT + "Content-Length: 0005\r\n\r\nvalue" + GET + "\r\n", "201,200");
        add("length in upper case", PUT + "CONTENT-LENGTH: 5\r\n\r\nvalue" + GET + "\r\n", "201,200");
        add("length of nothing", GET + "Content-Length: 0\r\n\r\n" + GET + "\r\n", "200,200");
        add("length over the limit", PUT + "Content-Length: 67108865\r\n\r\n", "413 close");
        add("length over the limit on GET", GET + "Content-Length: 67108865\r\n\r\n", "413 close");
    }

    private void codings() {
        String chunked = "Transfer-Encoding: chunked\r\n";
        String body = "\r\n5\r\nvalue\r\n0\r\n\r\n";
        add("chunked", PUT + chunked + body + GET + "\r\n", "201,200");
        add("chunked in another case", PUT + "tRANSFER-eNCODING: ChunkeD\r\n" + body, "201");
        add("length and chunked", PUT + "Content-Length: 5\r\n" + chunked + "\r\n0\r\n\r\n" + SMUGGLED, "400 close");
        add("chunked and length", PUT + chunked + "Content-Length: 5\r\n\r\n0\r\n\r\n" + SMUGGLED, "400 close");
        add("chunked on 1.0", "PUT /v0/entity?id=k HTTP/1.0\r\n" + chunked + body + SMUGGLED, "400 close");
        add("unknown coding", PUT + "Transfer-Encoding: gzip, chunked\r\n" + body, "501 close");
        for (String coding : List.of(
                "gzip",
                "identity",
                "chunked, gzip",
                "chunked, chunked",
                "chunked, identity",
                "xchunked",
                "chunked;q=1",
                "",
                "\"chunked\"",
                "chunked x",
                ",chunked,",
                "chunke",
                " , ",
                "chunked\u000b")) {
            add(
                    "coding " + printable(coding),
                    PUT + "Transfer-Encoding: " + coding + "\r\n" + body + SMUGGLED,
                    "400 close");
        }
        add("two codings", PUT + chunked + chunked + body + SMUGGLED, "400 close");
        add("identity, then chunked", PUT + "Transfer-Encoding: identity\r\n" + chunked + body, "501 close");
        add("a blank before the colon", PUT + "Transfer-Encoding : chunked\r\n" + body + SMUGGLED, "400 close");
        add("a length behind a fold", PUT + "X: y\r\n Content-Length: 5\r\n\r\n" + SMUGGLED, "400 close");
    }

    private void chunks() {
        String head = PUT + "Transfer-Encoding: chunked\r\n\r\n";
        for (String bad : List.of(
                "\r\n",
                "x\r\nvalue\r\n",
                "5 \r\nvalue\r\n",
                " 5\r\nvalue\r\n",
                "+5\r\nvalue\r\n",
                "0x5\r\nvalue\r\n",
                "-1\r\n",
                "5\nvalue\r\n",
                "5\r\nvalue\n",
                "5\r\nvalueX\r\n",
                "5\r\nvaluexx",
                "5;a\u0000b\r\nvalue\r\n",
                "5\r\nvalue\rx",
                "10000000000000000\r\n",
                "5;x\ny\r\nvalue\r\n",
                "5\rvalue\r\n",
                "5,5\r\nvalue\r\n")) {
            add("chunk " + printable(bad), head + bad + "0\r\n\r\n" + SMUGGLED, "400 close");
        }
        String end = "0\r\n\r\n" + GET + "\r\n";
        add("several chunks", head + "2\r\nva\r\n3\r\nlue\r\n" + end, "201,200");
        add("chunk in upper case hex", head + "A\r\n0123456789\r\n" + end, "201,200");
        add("chunk in lower case hex", head + "a\r\n0123456789\r\n" + end, "201,200");
        add("chunk with leading zeros", head + "0005\r\nvalue\r\n000" + end, "201,200");
        add("chunk extension", head + "5;name=value\r\nvalue\r\n0;last\r\n\r\n" + GET + "\r\n", "201,200");
        add("chunk extension in quotes", head + "5 ; a=\"x;y\"\r\nvalue\r\n" + end, "201,200");
        add("trailers", head + "5\r\nvalue\r\n0\r\nA: b\r\nC: d\r\n\r\n" + GET + "\r\n", "201,200");
        add("a trailer does not frame", head + "0\r\nContent-Length: 50\r\n\r\n" + GET + "\r\n", "201,200");
        add("bad trailer", head + "0\r\nA b\r\n\r\n" + SMUGGLED, "400 close");
        add("folded trailer", head + "0\r\nA: b\r\n c\r\n\r\n" + SMUGGLED, "400 close");
        add("bare LF in trailers", head + "0\r\n\n" + SMUGGLED, "400 close");
        add("chunk over the limit", head + "4000001\r\n", "413 close");
        add("chunks over the limit together", head + "1\r\nx\r\n4000000\r\n", "413 close");
        add("endless extension", head + "5;" + "x".repeat(33_000), "431 close");
        add("endless trailers", head + "0\r\n" + "A: b\r\n".repeat(101), "431 close");
    }

    private void connections() {
        add("close", GET + "Connection: close\r\n\r\n" + SMUGGLED, "200 close");
        add("close in another case", GET + "connection: CLOSE\r\n\r\n", "200 close");
        add("close in a list", GET + "Connection: x, close , y\r\n\r\n", "200 close");
        add("close wins", GET + "Connection: keep-alive\r\nConnection: close\r\n\r\n", "200 close");
        add("not close", GET + "Connection: closed\r\n\r\n", "200");
        add("1.0 closes", "GET /v0/entity?id=k HTTP/1.0\r\n\r\n" + SMUGGLED, "200 close");
        add("1.0 keeps alive", "GET /v0/entity?id=k HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "200");
        add("1.0 with both", "GET /v0/entity?id=k HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "200 close");
        add("pipelined", GET + "\r\n" + GET.replace("=k", "=none") + "\r\n" + GET + "\r\n", "200,404,200");
        add("pipelined behind a bad one", GET + "\r\nBAD\r\n" + SMUGGLED, "200,400 close");
    }

    private void expectations() {
        String expect = "Expect: 100-continue\r\n";
        add("expected body", PUT + expect + "Content-Length: 5\r\n\r\nvalue" + GET + "\r\n", "100,201,200");
        add("expected chunks", PUT + expect + "Transfer-Encoding: chunked\r\n\r\n5\r\nvalue\r\n0\r\n\r\n", "100,201");
        add("expect in another case", PUT + "EXPECT: 100-Continue\r\nContent-Length: 5\r\n\r\nvalue", "100,201");
        add("expect without a body", PUT + expect + "Content-Length: 0\r\n\r\n" + GET + "\r\n", "201,200");
        add(
                "expect on 1.0 is ignored",
                "PUT /v0/entity?id=k HTTP/1.0\r\n" + expect + "Content-Length: 5\r\n\r\nvalue",
                "201 close");
        add(
                "unwanted body",
                "PUT /v0/entity?id= HTTP/1.1\r\nHost: h\r\n" + expect + "Content-Length: 5\r\n\r\n",
                "400 close");
        add("too large a body", PUT + expect + "Content-Length: 67108865\r\n\r\n", "413 close");
        add("body on GET is not wanted", GET + expect + "Content-Length: 5\r\n\r\n", "200 close");
        add("other expectation with a body", PUT + "Expect: 200-ok\r\nContent-Length: 5\r\n\r\n", "417 close");
        add("other expectation", GET + "Expect: x\r\n\r\n", "417");
        add("no expectation", PUT + "Expect:\r\nContent-Length: 5\r\n\r\nvalue", "201");
    }

    private void conditions() {
        for (String bad : List.of(
                "If-Match: x",
                "If-Match: \"1",
                "If-Match: ",
                "If-Match: \"1\" \"2\"",
                "If-Match: \"1\", \"2\"",
                "If-None-Match: \"1\"",
                "If-Match: *\r\nIf-None-Match: *",
                "If-Match: \"1\"\r\nIf-Match: \"1\"",
                "If-Match: *, \"1\"",
                "If-Match: \"a b\"",
                "If-Match: w/\"1\"")) {
            add("put " + printable(bad), PUT + bad + "\r\nContent-Length: 5\r\n\r\nvalue" + GET + "\r\n", "400,200");
        }
        add("too many tags", GET + "If-None-Match: " + "\"x\", ".repeat(64) + "\"x\"\r\n\r\n", "400");
        add("many tags", GET + "If-None-Match: " + "\"x\", ".repeat(63) + "\"x\"\r\n\r\n", "200");
        add(
                "too many tags in two lines",
                GET + ("If-None-Match: " + "\"1\", ".repeat(33) + "\r\n").repeat(2) + "\r\n",
                "400");
        add("a list and a star", GET + "If-None-Match: \"1\"\r\nIf-None-Match: *\r\n\r\n", "400");
        add("tag with leading zeros", GET + "If-None-Match: \"01\"\r\n\r\n", "200");
        add("conditions elsewhere are ignored", "GET /livez HTTP/1.1\r\nHost: h\r\nIf-Match: \"1\"\r\n\r\n", "200");
    }

    private void sizes() {
        add(
                "request line over the limit",
                "GET /v0/entity?id=" + "x".repeat(410_000) + " HTTP/1.1\r\nHost: h\r\n\r\n",
                "414 close");
        add("endless request line", "x".repeat(402_000), "414 close");
        add("key over the limit", GET.replace("=k", "=" + "x".repeat(65_537)) + "\r\n" + GET + "\r\n", "414,200");
        add("header over the limit", GET + "A: " + "x".repeat(33_000) + "\r\n\r\n", "431 close");
        add("endless header", GET + "A: " + "x".repeat(33_000), "431 close");
        add(
                "headers over the limit together",
                GET + ("A: " + "x".repeat(997) + "\r\n").repeat(33) + "\r\n",
                "431 close");
        add("too many headers", GET + "A: b\r\n".repeat(100) + "\r\n", "431 close");
        add("as many headers as may be", GET + "A: b\r\n".repeat(99) + "\r\n", "200");
    }

    private void line(String requestLine, String expected) {
        add(printable(requestLine), requestLine + "\r\nHost: h\r\n\r\n", expected);
    }

    private void add(String name, String request, String expected) {
        boolean closes = expected.endsWith(" close");
        List<Integer> statuses = new ArrayList<>();
        for (String status : expected.replace(" close", "").split(",")) {
            statuses.add(Integer.parseInt(status));
        }
        String shortName = name.length() > 80 ? name.substring(0, 80) : name;
        cases.add(new Case(shortName, request.getBytes(StandardCharsets.ISO_8859_1), statuses, closes));
    }

    private static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        for (char c : text.toCharArray()) {
            printable.append(c < ' ' || c > '~' ? String.format("<%02x>", (int) c) : String.valueOf(c));
        }
        return printable.toString();
    }
}
