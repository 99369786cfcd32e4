// Bytes of a connection that the kernel still holds because the other side has not acknowledged them. Linux lists them in /proc, per socket
// inode. Other systems report nothing.
import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Bytes by socket inode; empty if the kernel does not report them. */
export async function unreadBytes(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => '')),
  );
  const found = new Map<string, number>();
  for (const table of tables)
    for (const line of table.split('\n')) {
      // Number, both addresses, state, bytes to be sent and to be read, timers, retransmissions, user, timeout, inode.
      const [, , , , queues = '', , , , , inode = ''] = line.trimStart().split(/ +/);
      const queued = Number.parseInt(queues, 16);
      if (!Number.isNaN(queued)) found.set(inode, queued);
    }
  return found;
}

/** The inode of the socket of a file descriptor, or null. */
export function inodeOf(descriptor: number): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? null;
  } catch {
    return null;
  }
}
