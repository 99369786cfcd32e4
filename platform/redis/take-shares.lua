-- The token buckets of one feed key (core/limits/token-bucket.ts). Uses Redis' own clock. The key expires once its buckets are full, because a
-- new bucket starts full.
-- KEYS: the hash. ARGV: for each bucket its rate per second, its capacity, the amount to take, and the amount spent without asking.
-- Returns 0 if all was taken, otherwise the number of the bucket that needs longest to refill, and the microseconds it needs.
local hash = KEYS[1]
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
local kept = redis.call('HMGET', hash, 'at', '1', '2', '3')
local at = tonumber(kept[1]) or now
local passed = math.max(0, now - at) / 1000000

local levels, refused, wait = {}, 0, 0
for bucket = 1, #ARGV / 4 do
  local first = 4 * bucket - 3
  local rate, capacity = tonumber(ARGV[first]), tonumber(ARGV[first + 1])
  local take, spent = tonumber(ARGV[first + 2]), tonumber(ARGV[first + 3])
  local level = math.min(capacity, (tonumber(kept[bucket + 1]) or capacity) + rate * passed) - spent
  levels[bucket] = level
  if take > 0 and level < math.min(take, capacity) then
    local micros = math.ceil((math.min(take, capacity) - level) / rate * 1000000)
    if micros > wait then refused, wait = bucket, micros end
  end
end

local full = 0
for bucket, level in ipairs(levels) do
  local first = 4 * bucket - 3
  if refused == 0 then level = level - tonumber(ARGV[first + 2]) end
  redis.call('HSET', hash, tostring(bucket), string.format('%.6f', level))
  full = math.max(full, (tonumber(ARGV[first + 1]) - level) / tonumber(ARGV[first]))
end
redis.call('HSET', hash, 'at', string.format('%.0f', math.max(now, at)))
redis.call('PEXPIRE', hash, math.ceil(full * 1000) + 1000)
return {refused, wait}
