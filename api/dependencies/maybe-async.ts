// Values that memory holds are there now; values that need a call come as a promise. Code that continues through this function waits only for a
// promise, so a request that memory can answer passes without a turn of the microtask queue.

/** Calls `next` with the value: now where it is there, else when its promise has resolved. */
export function chainMaybeAsync<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
