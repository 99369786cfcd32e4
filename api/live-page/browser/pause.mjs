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

/**
 * Runs `read(signal)` whenever it is due and the tab is looked at, once at a time, until it is closed. `onError(error)` answers whether it is due
 * again, for what failed may pass. After a failure nothing is read for a while, whatever is due.
 */
export function whenDue(read, onError) {
  const closing = new AbortController();
  const { signal } = closing;
  let isDue = false;
  let wake = () => {};
  const onVisible = () => isVisible() && wake();
  document.addEventListener('visibilitychange', onVisible);
  void readOn();

  async function readOn() {
    const retry = backOff();
    while (!signal.aborted) {
      if (!isDue || !isVisible()) {
        await new Promise((resolve) => {
          wake = resolve;
        });
        continue;
      }
      isDue = false;
      try {
        await read(signal);
        retry.reset();
      } catch (error) {
        if (signal.aborted) return;
        const isAgain = onError(error);
        await retry.wait(error, signal);
        isDue ||= isAgain;
      }
    }
  }

  return {
    due() {
      isDue = true;
      wake();
    },
    close() {
      closing.abort();
      document.removeEventListener('visibilitychange', onVisible);
      wake();
    },
  };
}
