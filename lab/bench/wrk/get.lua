-- Gets keys that put.lua stored, uniformly at random; a 404 is a miss and is counted as such.
--
--   wrk -t1 -c64 -d30s --latency -s lab/bench/wrk/get.lua http://127.0.0.1:8080 -- keys=1000000 [seed=N]

package.path = (debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "?.lua;" .. package.path
local keys = require("keys")

function setup(thread)
  keys.setup(thread)
end

function init(args)
  local arguments = keys.arguments(args)
  stored = arguments.keys or 1000000
  math.randomseed((arguments.seed or 1) * 1000 + number)
  sent = 0
  keys.reset()
end

function request()
  sent = sent + 1
  return wrk.format("GET", string.format("/v0/entity?id=k%09d", math.random(0, stored - 1)))
end

function response(status)
  keys.count(status)
end

function done(summary, latency)
  keys.report(summary, latency)
end
