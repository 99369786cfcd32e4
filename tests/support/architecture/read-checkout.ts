// Reads every text file of the checkout for the architecture rules: by its path from the top, without installed and
// generated files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from './source.ts';

const notOurs = new Set(['node_modules', '.git', '.cache', '.data', 'dist', 'package-lock.json', 'CHANGELOG.md']);
const text = /\.(ts|mts|mjs|js|json|md|py|sql|avsc|toml|ya?ml|sh)$|^\.ci\/|^sds$|(^|\/)\.[a-z]+ignore$/;

export function readCheckout(root: string, folder = ''): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return readCheckout(root, path);
    return entry.isFile() && text.test(path) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
  });
}
