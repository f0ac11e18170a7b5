package kvant.report.page;

import kvant.report.words.Words;
import kvant.text.Json;

/// The words that the script of the page needs.
final class ChartWords {

    private static final String[] KEYS = {
        "milliseconds",
        "seconds",
        "rate",
        "errors",
        "cpu",
        "stolen",
        "rss",
        "percentile",
        "latency",
        "p50p99",
        "events",
        "none",
        "hint",
        "rounds",
        "show",
        "published"
    };

    private ChartWords() {}

    static String json(Words words) {
        Json json = new Json().open().put("language", words.language().tag());
        for (String key : KEYS) {
            json.put(key, words.get("chart." + key));
        }
        return json.close().toString();
    }
}
