-- What wrk asks the service for, and says of the answers.
function init(args)
  pause = tonumber(args[2])
  bodies = {}
  for line in io.lines(args[1]) do bodies[#bodies + 1] = line end
  place = 0
end
function delay() return pause end
function request()
  place = place % #bodies + 1
  return wrk.format("POST", "/v1/check", {["Content-Type"] = "application/json"}, bodies[place])
end
function response(status) print("STATUS " .. status) end
function done(summary, latency, requests)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("DONE %d %d %d %d %d\n", summary.duration, lost,
    latency:percentile(50), latency:percentile(99), latency.max))
end
