// How a person or a supervisor ends a process: the first signal shuts it down gracefully, the second ends it at once.

type EndSignal = 'SIGINT' | 'SIGTERM';

const signals: readonly EndSignal[] = ['SIGINT', 'SIGTERM'];

/** Calls back on the first signal; the next one has its default effect. Returns a function that stops listening. */
export function onFirstEndSignal(call: (signal: EndSignal) => void): () => void {
  const stop = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: EndSignal): void => {
    stop();
    call(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
}
