// File systems that stand in for the two published images that the Dockerfile starts from: Debian 12 by debootstrap
// with this machine's Node and npm; and, from the same Debian, the packages of distroless/cc, which are libraries and
// data without programs. Names and users are those of the originals. That the originals contain nothing else is their
// publishers' word.
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';
import { ServiceMissing } from './missing.ts';

const suite = 'bookworm';
/** The packages of distroless/cc-debian12. */
const packages = [
  ...['base-files', 'gcc-12-base', 'libc6', 'libgcc-s1', 'libgomp1', 'libssl3', 'libstdc++6'],
  ...['media-types', 'netbase', 'tzdata'],
];
const certificates = '/etc/ssl/certs/ca-certificates.crt';

export type ImageBases = { readonly build: string; readonly runtime: string; readonly hasCertificates: boolean };

/** The folders of both. @throws ServiceMissing if Debian cannot be downloaded */
export async function imageBases(): Promise<ImageBases> {
  const debootstrap = needProgram('debootstrap');
  const npm = dirname(dirname(realpathSync(needProgram('npm'))));
  if (!existsSync(join(npm, 'package.json'))) throw new ServiceMissing(`the package of npm is not at ${npm}`);
  const home = await installed('image-bases', `debian-12-node-${process.versions.node}`, 'debootstrap', async (at) => {
    const build = join(at, 'build');
    await run(debootstrap, ['--variant=minbase', `--include=${packages.join(',')}`, suite, build]);
    for (const name of packages) copyPackage(build, join(at, 'runtime'), name);
    cpSync(process.execPath, join(build, 'usr/local/bin/node'));
    cpSync(npm, join(build, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(build, 'usr/local/bin/npm'));
    addUsers(join(at, 'runtime'));
    for (const base of [build, join(at, 'runtime')]) if (existsSync(certificates)) copyCertificates(base);
  });
  return { build: join(home, 'build'), runtime: join(home, 'runtime'), hasCertificates: existsSync(certificates) };
}

/** The files of an installed package, from one tree to another. */
function copyPackage(from: string, to: string, name: string): void {
  const lists = join(from, 'var/lib/dpkg/info');
  const list = [`${name}.list`, `${name}:amd64.list`, `${name}:arm64.list`]
    .map((file) => join(lists, file))
    .find((file) => existsSync(file));
  if (list === undefined) throw new Error(`${name} is not installed`);
  for (const path of readFileSync(list, 'utf8').trim().split('\n')) {
    const found = lstatSync(join(from, path), { throwIfNoEntry: false });
    if (found === undefined) continue;
    // Some top folders are links in today's Debian and folders in the original.
    const isFolder = found.isDirectory() || (dirname(path) === '/' && statSync(join(from, path)).isDirectory());
    if (isFolder) {
      mkdirSync(join(to, path), { recursive: true });
      chmodSync(join(to, path), statSync(join(from, path)).mode & 0o7777);
    } else if (found.isSymbolicLink()) symlinkSync(readlinkSync(join(from, path)), join(to, path));
    else copyFileSync(join(from, path), join(to, path));
  }
}

function addUsers(root: string): void {
  const line = (name: string, id: number, home: string) => `${name}:x:${id}:${id}:${name}:${home}:/sbin/nologin\n`;
  const users = [
    line('root', 0, '/root'),
    line('nobody', 65_534, '/nonexistent'),
    line('nonroot', 65_532, '/home/nonroot'),
  ];
  writeFileSync(join(root, 'etc/passwd'), users.join(''));
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnobody:x:65534:\nnonroot:x:65532:\n');
  mkdirSync(join(root, 'home/nonroot'), { recursive: true, mode: 0o700 });
  chownSync(join(root, 'home/nonroot'), 65_532, 65_532);
}

function copyCertificates(root: string): void {
  mkdirSync(dirname(join(root, certificates)), { recursive: true });
  copyFileSync(certificates, join(root, certificates));
}
