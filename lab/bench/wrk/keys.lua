-- Shared by put.lua and get.lua: thread numbers, arguments, and the count of statuses.
--
-- wrk runs each thread in a Lua state of its own. `setup` runs in the main state once per thread and numbers them, so
-- that keys differ between threads: threads that all count from 0 would write the same keys over and over, and the
-- store would be a fraction of what the figures claim.

local keys = { threads = {} }

function keys.setup(thread)
  thread:set("number", #keys.threads)
  table.insert(keys.threads, thread)
end

-- Arguments after `--` on wrk's command line are NAME=VALUE.
function keys.arguments(args)
  local parsed = {}
  for _, argument in ipairs(args) do
    local name, value = argument:match("^([%w-]+)=(.*)$")
    if not name then
      error("argument '" .. argument .. "' is not NAME=VALUE")
    end
    parsed[name] = tonumber(value) or value
  end
  return parsed
end

-- What each thread counts: one number per status class that matters here.
function keys.count(status)
  if status >= 200 and status < 300 then
    ok = ok + 1
  elseif status == 404 then
    missing = missing + 1
  elseif status == 503 then
    refused = refused + 1
  else
    other = other + 1
  end
end

function keys.reset()
  ok, missing, refused, other = 0, 0, 0, 0
end

-- Called by `done`: wrk's own figures and ours as NAME=VALUE lines, which the script `run` reads.
function keys.report(summary, latency)
  local totals = { ok = 0, missing = 0, refused = 0, other = 0, sent = 0 }
  for _, thread in ipairs(keys.threads) do
    for name, total in pairs(totals) do
      totals[name] = total + (thread:get(name) or 0)
    end
  end
  local errors = summary.errors
  print(string.format("requests=%d", summary.requests))
  print(string.format("requests-per-second=%.0f", summary.requests / (summary.duration / 1e6)))
  for _, percentile in ipairs({ 50, 90, 99, 99.9, 99.99, 99.999 }) do
    print(string.format("p%s-ms=%.3f", percentile, latency:percentile(percentile) / 1000))
  end
  print(string.format("max-ms=%.3f", latency.max / 1000))
  print(string.format("status-2xx=%d", totals.ok))
  print(string.format("status-404=%d", totals.missing))
  print(string.format("status-503=%d", totals.refused))
  print(string.format("status-other=%d", totals.other))
  print(string.format("sent=%d", totals.sent))
  print(
    string.format(
      "socket-errors=%d (connect %d, read %d, write %d, timeout %d)",
      errors.connect + errors.read + errors.write + errors.timeout,
      errors.connect,
      errors.read,
      errors.write,
      errors.timeout
    )
  )
end

return keys
