// All tabs of the browser that show this page: they send each other messages, and the one that holds a lock leads.

const channel = new BroadcastChannel('sds-live-page');
const listeners = new Map();
/** This tab among them. */
export const tab = crypto.getRandomValues(new Uint32Array(2)).join('-');

channel.addEventListener('message', ({ data: { kind, from, value } }) => {
  for (const listener of listeners.get(kind) ?? []) listener(value, from);
});

/** Sends a message to all other tabs. */
export function post(kind, value = null) {
  channel.postMessage({ kind, from: tab, value });
}

export function onPosted(kind, listener) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
}

/**
 * Runs `lead` while this tab leads, at most one tab at a time, until `signal` aborts. Without locks, which a browser has on secure pages and the
 * loopback alone, every tab leads itself.
 */
export async function whenLeading(signal, lead) {
  if (navigator.locks === undefined) return lead();
  await navigator.locks.request('sds-live-page', { signal }, lead).catch((error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
