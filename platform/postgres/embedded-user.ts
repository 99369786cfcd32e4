// The OS user that runs the embedded server, and which folders it can reach. PostgreSQL refuses to run as root, so root runs it as an
// unprivileged user, who cannot see a folder below a 0700 home. An ordinary user runs it directly.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type ServerUser = { name: string; uid: number; gid: number };

/** The user to run the server as, or null if this process may run it itself. */
export function serverUser(
  uid: number = process.getuid?.() ?? 1,
  passwd: string = readFileSync('/etc/passwd', 'utf8'),
): ServerUser | null {
  if (uid !== 0) return null;
  for (const wanted of ['postgres', 'nobody']) {
    for (const line of passwd.split('\n')) {
      const [name, , id, group] = line.split(':');
      if (name === wanted && Number(id) > 0) return { name, uid: Number(id), gid: Number(group) };
    }
  }
  throw new Error(
    'running as root, and there is no user `postgres` or `nobody` to run PostgreSQL as: run as an ordinary user',
  );
}

/** Whether `user` can enter every folder from the root down to `path`. */
export function canReach(user: ServerUser, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const execute = stat.uid === user.uid ? 0o100 : stat.gid === user.gid ? 0o010 : 0o001;
      if ((stat.mode & execute) === 0) return false;
    }
    if (at === dirname(at)) return true;
  }
}
