// Values that memory holds come at once, values that need a call come as a promise. Code that continues through this function waits only for
// a promise, so a request that memory can answer passes without a turn of the microtask queue.

/** `next` of `made`: at once where `made` is a value, else after its promise. */
export function goOn<Made, Next>(
  made: Made | Promise<Made>,
  next: (made: Made) => Next | Promise<Next>,
): Next | Promise<Next> {
  return made instanceof Promise ? made.then(next) : next(made);
}
