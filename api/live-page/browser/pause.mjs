// Waiting: for a time, for the tab to be looked at, and before asking again.

/** Resolves after `ms`, or at once when `signal` aborts. */
export function pause(ms, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });

    function end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
  });
}

/** Growing pauses before asking again, at least what a refusal asks for, never all tabs together. */
export function backOff() {
  let ms = 500;
  return {
    reset() {
      ms = 500;
    },
    async wait(error, signal) {
      await pause(Math.max((error?.retryAfter ?? 0) * 1000, ms * (0.75 + Math.random() / 2)), signal);
      ms = Math.min(ms * 2, 30_000);
    },
  };
}

export function isVisible() {
  return document.visibilityState === 'visible';
}
