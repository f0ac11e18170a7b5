package kvant.load.result;

import kvant.load.host.HostFacts;
import kvant.text.Json;
import kvant.text.JsonValue;

/// [HostFacts] as JSON, by the names of their components; what is not known is null.
final class HostFile {

    private HostFile() {}

    static void write(Json json, HostFacts host) {
        json.put("processors", host.processors())
                .put("processorsAllowed", host.processorsAllowed())
                .put("memoryAllowedBytes", host.memoryAllowedBytes())
                .put("governor", host.governor())
                .put("loadBefore", host.loadBefore())
                .put("busyProcessors", host.busyProcessors())
                .put("ownProcessors", host.ownProcessors())
                .put("userProcessors", host.userProcessors())
                .put("ownUserProcessors", host.ownUserProcessors())
                .put("stolenShare", host.stolenShare())
                .put("throttledShare", host.throttledShare())
                .put("waitedForCpu", host.waitedForCpu())
                .put("waitedForIo", host.waitedForIo())
                .put("waitedForMemory", host.waitedForMemory())
                .put("looks", host.looks())
                .put("disturbed", host.disturbed());
    }

    static HostFacts read(JsonValue json) {
        return new HostFacts(
                json.at("processors").whole(),
                json.at("processorsAllowed").number(),
                json.at("memoryAllowedBytes").number(),
                json.at("governor").text(),
                json.at("loadBefore").number(),
                json.at("busyProcessors").number(),
                json.at("ownProcessors").number(),
                json.at("userProcessors").number(),
                json.at("ownUserProcessors").number(),
                json.at("stolenShare").number(),
                json.at("throttledShare").number(),
                json.at("waitedForCpu").number(),
                json.at("waitedForIo").number(),
                json.at("waitedForMemory").number(),
                json.at("looks").whole(),
                json.at("disturbed").whole());
    }
}
