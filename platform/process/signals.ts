// How a person or a supervisor ends a process: asked once it ends in good order, asked twice it ends on the spot.

export type EndSignal = 'SIGINT' | 'SIGTERM';

const signals: readonly EndSignal[] = ['SIGINT', 'SIGTERM'];

/** Calls back at the first signal; whichever comes next ends the process as if nobody listened. The answer stops listening. */
export function onFirstEndSignal(call: (signal: EndSignal) => void): () => void {
  const stop = (): void => {
    for (const signal of signals) process.off(signal, heard);
  };
  const heard = (signal: EndSignal): void => {
    stop();
    call(signal);
  };
  for (const signal of signals) process.on(signal, heard);
  return stop;
}
