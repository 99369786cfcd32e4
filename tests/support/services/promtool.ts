// Prometheus's own tool: the machine's, or one built with Go, without the discovery of targets in clouds, which is most
// of its code.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, homeOf, installed, needProgram, run } from './installed.ts';

/** Prometheus 3.16: as a Go module its major version is 0. */
const version = 'v0.316.0';
const tool = 'github.com/prometheus/prometheus/cmd/promtool';

/**
 * The program; null if there is none. `mayBuild`: whether it may be built; otherwise only the machine's own or one
 * built before is used.
 */
export async function findPromtool(mayBuild: boolean): Promise<string | null> {
  const own = findProgram('promtool');
  if (own !== undefined) return own;
  if (!mayBuild && !existsSync(homeOf('promtool', version))) return null;
  const home = await installed('promtool', version, 'the Go proxy, several minutes', async (directory) => {
    const go = (...args: string[]) =>
      run(needProgram('go'), args, { cwd: directory, env: { GOFLAGS: '-modcacherw', GOWORK: 'off' } });
    // In a module of its own: `go install` refuses a version whose go.mod has exclusions.
    writeFileSync(join(directory, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${tool}"\n`);
    await go('mod', 'init', 'promtool');
    await go('get', `${tool}@${version}`);
    await go('build', '-tags', 'remove_all_sd', '-trimpath', '-ldflags', '-s -w', '-o', 'promtool', tool);
  });
  return join(home, 'promtool');
}
