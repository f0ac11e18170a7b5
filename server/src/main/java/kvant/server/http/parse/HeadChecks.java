package kvant.server.http.parse;

/// What judges the headers that say who sends a request, and to whom. Owned by one event loop.
record HeadChecks(HostCheck hosts, TokenCheck tokens, CorsCheck cors) {}
