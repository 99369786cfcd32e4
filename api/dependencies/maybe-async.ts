// Values in memory are available synchronously; values that need a call are promises. Code that continues with this function only waits for
// promises, so a request answered from memory takes no turn of the microtask queue.

/** Calls `next` with the value: at once if it is available, otherwise when its promise has resolved. */
export function chainMaybeAsync<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
