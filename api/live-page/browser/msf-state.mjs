// The state of a dataset of MySportsFeeds, followed from its snapshot by changes, each proven by its digest. A change costs its own rows, the
// snapshot all of them; which revisions there are is free.
import { whenDue } from './pause.mjs';

/**
 * `show({rows, record, isProven})`: the state after a revision; `isProven` null where a browser cannot compute it. `mayRead(rows)`: whether so
 * many rows may be spent.
 */
export function openState(service, game, dataset, { show, mayRead, onFault }) {
  const path = `/v1/games/${encodeURIComponent(game.id)}/${dataset}`;
  const rows = new Map();
  let keys = null;
  let record = null;
  const reads = whenDue(
    (signal) => (record === null ? begin(signal) : advance(signal)),
    (error) => {
      const isVoid = ['stream-reset', 'cursor-expired'].includes(error.type);
      if (isVoid) record = null;
      const isAgain = isVoid || (error.isPassing ?? true);
      if (!isAgain && error.type !== 'not-yet-available') onFault(error);
      return isAgain;
    },
  );

  async function begin(signal) {
    keys ??= (await service.json(`/v1/datasets/${dataset}/schema`, { signal })).primary_key;
    const manifest = await service.json(`${path}/snapshot`, { signal });
    if (!mayRead(manifest.row_count)) return;
    rows.clear();
    await take(manifest, 'snapshot', signal);
  }

  async function advance(signal) {
    const { revisions } = await service.json(`${path}/changes?cursor=${encodeURIComponent(record.cursor)}`, { signal });
    for (const next of revisions) {
      if (!mayRead(next.row_count)) return;
      if (next.revision_kind === 'replace') rows.clear();
      await take(next, 'change', signal);
    }
    if (revisions.length === 100) reads.due();
  }

  async function take(next, kind, signal) {
    if (next.row_count > 0) {
      const address = `${path}/revisions/${next.stream_epoch}/${next.revision}/${kind}/rows`;
      for (const { _op: op, ...row } of (await service.json(address, { signal })).rows) {
        const key = JSON.stringify(keys.map((name) => row[name]));
        if (op === 'delete') rows.delete(key);
        else rows.set(key, row);
      }
    }
    record = next;
    const all = [...rows.values()].sort(inKeyOrder(keys));
    const proven = await isProven(all, record);
    // Where another game is shown by now, this is none of it.
    if (!signal.aborted) show({ rows: all, record, isProven: proven });
  }

  return { moved: reads.due, close: reads.close };
}

/** Whether the rows are those of the digest; null: this browser cannot tell, for the page is not secure. */
async function isProven(rows, { snapshot_digest: digest, snapshot_row_count: count }) {
  if (crypto.subtle === undefined) return null;
  const lines = rows.map((row) => `${JSON.stringify(Object.values(row))}\n`).join('');
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines)));
  return rows.length === count && [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') === digest;
}

/** Keys are texts of ASCII, for which the order of a browser is that of their bytes. */
function inKeyOrder(keys) {
  return (a, b) => {
    const name = keys.find((key) => a[key] !== b[key]);
    return name === undefined ? 0 : a[name] < b[name] ? -1 : 1;
  };
}
