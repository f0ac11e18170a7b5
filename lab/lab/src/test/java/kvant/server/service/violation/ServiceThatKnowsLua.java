package kvant.server.service.violation;

import org.luaj.vm2.LuaValue;

/// Runs into a wall on purpose; see LibrariesTest.
public record ServiceThatKnowsLua(LuaValue knows1) {}
