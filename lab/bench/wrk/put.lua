-- Puts unique keys with values of 30 bytes, or of as many as asked for.
--
--   wrk -t1 -c64 -d30s --latency -s lab/bench/wrk/put.lua http://127.0.0.1:8080 -- [start=N] [limit=N] [bytes=N]
--
-- Keys are k and nine digits, dealt out to the threads in turn: thread t of T sends start + t, start + t + T,
-- start + t + 2T, ... With `limit` a thread stops when its share of that many keys was answered, and prints "filled";
-- wrk itself waits for the end of its duration, or for a SIGINT.

package.path = (debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "?.lua;" .. package.path
local keys = require("keys")

local DIGITS = "0123456789abcdefghijklmnopqrst"

function setup(thread)
  keys.setup(thread)
  for _, numbered in ipairs(keys.threads) do
    numbered:set("threads", #keys.threads)
  end
end

-- Sent after the last key of a limited run, until every connection has answered its last put.
local FILLERS = 1000
local FILLER = nil

function init(args)
  local arguments = keys.arguments(args)
  start = arguments.start or 0
  limit = arguments.limit or math.huge
  local bytes = arguments.bytes or #DIGITS
  value = DIGITS:rep(math.ceil(bytes / #DIGITS)):sub(1, bytes)
  tried = number ~= 0
  turn, sent, fillers = 0, 0, 0
  keys.reset()
  FILLER = wrk.format("GET", "/v0/status")
end

function request()
  if not tried then
    -- wrk calls the first thread's request once to look at it, before the others exist, and does not send it.
    tried = true
    return FILLER
  end
  local key = number + turn * threads
  if key >= limit then
    return FILLER
  end
  turn = turn + 1
  sent = sent + 1
  return wrk.format("PUT", string.format("/v0/entity?id=k%09d", start + key), nil, value)
end

function response(status)
  keys.count(status)
  if number + turn * threads >= limit then
    fillers = fillers + 1
    if fillers == FILLERS then
      print("filled")
      io.stdout:flush()
      wrk.thread:stop()
    end
  end
end

function done(summary, latency)
  keys.report(summary, latency)
end
