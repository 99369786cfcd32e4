// Which OS user runs the embedded server, and where that user can go. PostgreSQL refuses to run as root, so root hands it to an
// unprivileged user, for whom a folder below a 0700 home does not exist. An ordinary user runs it as himself.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export type ServerUser = { name: string; uid: number; gid: number };

/** The user to hand the server to, or null when this process may run it itself. */
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

/** Whether `user` can walk from the root down to `path` and into it. */
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
