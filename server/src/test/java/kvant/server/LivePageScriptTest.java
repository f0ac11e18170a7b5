package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The parts of the live page's script that need no browser.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LivePageScriptTest {

    private static final Path SCRIPTS = Path.of("src/main/resources/kvant/server/ui");

    @TempDir
    Path folder;

    private String run(String code, String... scripts) throws IOException, InterruptedException {
        StringBuilder all = new StringBuilder("'use strict';\n");
        for (String script : scripts) {
            all.append(Files.readString(SCRIPTS.resolve(script)));
        }
        Path file = Files.writeString(folder.resolve("script.js"), all + code);
        Path output = folder.resolve("output");
        Process node = new ProcessBuilder(Tool.NODE.need().toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(node.waitFor()).as(Files.readString(output)).isZero();
        return Files.readString(output).strip();
    }

    @Test
    void samplesOfTheNodeBecomeStepsAndTheNextReadingBeginsAnew() throws Exception {
        assertThat(run("""
                const ok = 'kvant_requests_total{operation="get",result="ok"}';
                const bucket = le => `kvant_request_stage_seconds_bucket{operation="get",stage="total",le="${le}"}`;
                const history = new History();
                history.seed({series: [ok, bucket('0.001'), bucket('+Inf')],
                  samples: [[700, 1, 1, 1], [650, 10, 10, 10], [12, 10, 10, 10], [7, 30, 20, 30],
                    [2, 60, 40, 60]]}, 1_000_000);
                history.add(new Reading(ok + ' 100', 1_000_500));
                const last = history.steps.at(-1);
                console.log(history.steps.length, countOf(history.steps, ['get'], ['ok']), last.seconds, last.atMillis,
                  last.bins.get.join('+'), history.perSecond('kvant_requests_total'));
                """, "figures.js")).isEqualTo("3 50 5 998000 20+10 0");
    }

    @Test
    void simultaneousRequestsWithOneCauseAreOneGroup() throws Exception {
        assertThat(run("""
                const at = (second, operation, engine, meanwhile) => ({operation, result: 'ok', totalMillis: 100,
                  ended: new Date(1e12 + second * 1000).toISOString(), meanwhile,
                  stages: {read: 1, queue: 2, engine, deliver: 0, write: 1}});
                const flush = [{kind: 'flush', millis: 50}];
                const groups = groupsOf([at(0, 'put', 90, flush), at(0.05, 'put', 91, flush), at(9, 'put', 90, flush),
                  at(0.05, 'put', 90, []), at(0.05, 'get', 90, flush), at(0.09, 'put', 1, flush)]);
                console.log(groups.map(each => `${each.request.operation}:${each.main}:${each.count}`).join(' '));
                """, "panels.js")).isEqualTo("put:commit:2 put:commit:1 put:commit:1 get:engine:1 put:queue:1");
    }
}
