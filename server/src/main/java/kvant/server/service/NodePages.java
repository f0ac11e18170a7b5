package kvant.server.service;

import kvant.server.request.PageSource;

/// The pages about the node.
///
/// @param metrics `GET /metrics`
/// @param slow `GET /debug/slow`, where there is that page
/// @param live `GET /ui`, where there is that page
/// @param liveSlow `GET /ui/slow`, likewise
/// @param history `GET /ui/history`, likewise
/// @param status `GET /v0/status`
/// @param openApi `GET /openapi.yaml`
public record NodePages(
        PageSource metrics,
        PageSource slow,
        PageSource live,
        PageSource liveSlow,
        PageSource history,
        PageSource status,
        PageSource openApi) {}
