-- The shared count of one subject: the sliding window of core/limits/sliding-window.ts over a list of "time:count". A hash holds the leases of
-- all instances, and how much each has reported of what it admitted alone. Uses Redis' own clock, so the hosts' clocks do not matter. Both keys
-- expire when they can no longer matter.
-- KEYS: the hash, the list. ARGV: length of the window, limit, take, extra, lease length, lease id, id of the ended lease; the reporter,
-- the number of the first reported use, how many arguments follow for them, and those (ages and counts in turn); the uses of the ended lease
-- (times and counts in turn).
local hash, list = KEYS[1], KEYS[2]
local window, limit, take, extra = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local length, lease, ended = tonumber(ARGV[5]), ARGV[6], ARGV[7]
local teller, number, uses = 'alone:' .. ARGV[8], tonumber(ARGV[9]), 11 + tonumber(ARGV[10])

local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local upper = tonumber(clock[2]) % 1000 > 0 and now + 1 or now

local total, last, leased, soonest, latest, told, known = 0, 0, 0, nil, 0, false, 0
local facts = redis.call('HGETALL', hash)
for at = 1, #facts, 2 do
  local name, value = facts[at], facts[at + 1]
  if name == 'total' then total = tonumber(value)
  elseif name == 'last' then last = tonumber(value)
  else
    local count, finish = string.match(value, '^(%d+):(%d+)$')
    count, finish = tonumber(count), tonumber(finish)
    if name == ended or finish + window <= now then
      redis.call('HDEL', hash, name)
      told = told or name == ended
    elseif string.sub(name, 1, 6) == 'alone:' then
      if name == teller then known = count end
    else
      leased = leased + count
      if soonest == nil or finish < soonest then soonest = finish end
      if finish > latest then latest = finish end
    end
  end
end
if total == 0 then redis.call('DEL', list) end

local function count_at(time, count)
  if time < last then time = last end
  local newest = total > 0 and redis.call('LINDEX', list, -1) or false
  local at, before = string.match(newest or '', '^(%d+):(%d+)$')
  if at ~= nil and tonumber(at) == time then
    redis.call('LSET', list, -1, string.format('%.0f:%.0f', time, tonumber(before) + count))
  else
    redis.call('RPUSH', list, string.format('%.0f:%.0f', time, count))
  end
  total, last = total + count, time
end

-- A question that is asked again because its answer was late reports the same uses again: they count once.
for at = uses, told and #ARGV or 0, 2 do
  local time = tonumber(ARGV[at])
  if time > now - window then count_at(time, tonumber(ARGV[at + 1])) end
end
for at = 11, uses - 1, 2 do
  local time, count = upper - tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local fresh = math.min(count, number + count - known)
  if fresh > 0 and time > now - window then count_at(time, fresh) end
  number = number + count
end
if number > known and uses > 11 then redis.call('HSET', hash, teller, string.format('%.0f:%.0f', number, upper)) end

while total > 0 do
  local time, count = string.match(redis.call('LINDEX', list, 0) or '', '^(%d+):(%d+)$')
  if time == nil then total = 0
  elseif tonumber(time) > now - window then break
  else
    redis.call('LPOP', list)
    total = total - tonumber(count)
  end
end

local free = math.max(0, limit - total - leased)
local taken = math.min(take, free)
if taken > 0 then count_at(upper, taken) end
free = free - taken
local more = math.min(extra, math.floor(free / 8))
local finish = upper + length
if more > 0 then
  redis.call('HSET', hash, lease, string.format('%.0f:%.0f', more, finish))
  free, leased = free - more, leased + more
  if soonest == nil then soonest = finish end
  if finish > latest then latest = finish end
end
redis.call('HSET', hash, 'total', string.format('%.0f', total), 'last', string.format('%.0f', last))
redis.call('PEXPIRE', hash, 2 * window)
redis.call('PEXPIRE', list, 2 * window)

local reset = 0
if free + more > 0 then
  if total > 0 then latest = math.max(latest, last) end
  if total + leased > 0 then reset = latest + window - now end
else
  local surplus, at = total + leased - limit + 1, 0
  while surplus > 0 do
    local time, count = string.match(redis.call('LINDEX', list, at) or '', '^(%d+):(%d+)$')
    if time == nil then
      reset, surplus = (soonest or now) + window - now, 0
    else
      reset, surplus, at = tonumber(time) + window - now, surplus - tonumber(count), at + 1
    end
  end
end
return {taken, more, free, reset, upper, finish, now}
