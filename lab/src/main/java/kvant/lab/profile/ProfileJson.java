package kvant.lab.profile;

import java.util.List;
import kvant.lab.profile.ProfileResult.EventProfile;
import kvant.lab.profile.ProfileResult.FrameShare;
import kvant.lab.profile.ProfileResult.Missing;
import kvant.lab.profile.ProfileResult.SlowProfile;
import kvant.lab.profile.ProfileResult.ThreadShare;
import kvant.lab.report.Json;

/// `profile.json`: what the files of a profile say, in numbers.
final class ProfileJson {

    private ProfileJson() {}

    static String of(ProfileResult result) {
        Json json = new Json();
        json.open();
        json.put("profiler", "async-profiler " + result.version());
        json.put("pid", result.pid());
        json.put("startedAt", result.startedAt().toString());
        json.put("durationNanos", result.durationNanos());
        json.openList("events");
        result.events().forEach(event -> event(json, event));
        json.closeList();
        SlowProfile slow = result.slow();
        if (slow != null) {
            slow(json, slow);
        }
        json.openList("missing");
        for (Missing missing : result.missing()) {
            json.open();
            json.put("what", missing.what()).put("why", missing.why()).close();
        }
        json.closeList().openList("notes");
        result.notes().forEach(json::add);
        return json.closeList().close().toString();
    }

    private static void event(Json json, EventProfile event) {
        json.open();
        json.put("event", event.event().label());
        json.put("engine", event.engine());
        json.put("samples", event.samples());
        json.put("unit", event.event().unit());
        json.put("html", event.html());
        json.put("collapsed", event.collapsed());
        top(json, event.top());
        json.openList("threads");
        for (ThreadShare thread : event.threads()) {
            json.open();
            json.put("name", thread.name()).put("share", thread.share()).close();
        }
        json.closeList().close();
    }

    private static void slow(Json json, SlowProfile slow) {
        json.open("slow");
        json.put("event", slow.event().label());
        json.put("requests", slow.requests());
        json.put("byThread", slow.byThread());
        json.put("samples", slow.samples());
        json.put("html", SlowFlames.NAME + ".html");
        json.put("collapsed", SlowFlames.NAME + ".collapsed");
        top(json, slow.top());
        json.close();
    }

    private static void top(Json json, List<FrameShare> frames) {
        json.openList("top");
        for (FrameShare frame : frames) {
            json.open();
            json.put("frame", frame.frame())
                    .put("self", frame.self())
                    .put("total", frame.total())
                    .close();
        }
        json.closeList();
    }
}
