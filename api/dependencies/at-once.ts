// What memory has is there at once; what has to be asked for comes as a promise. Whoever goes on by this function waits only where there is
// something to wait for: a hot request is answered without a turn of the queue of promises.

/** `next` of `made`, at once where it is there. */
export function goOn<Made, Next>(
  made: Made | Promise<Made>,
  next: (made: Made) => Next | Promise<Next>,
): Next | Promise<Next> {
  return made instanceof Promise ? made.then(next) : next(made);
}
