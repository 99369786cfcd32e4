// The scripts that Redis runs, each atomic; the .lua files beside this one say what they take and return.
import { readFileSync } from 'node:fs';

export const bucketScript = scriptIn('take-shares.lua');
export const windowScript = scriptIn('admit-in-window.lua');
export const instancesScript = scriptIn('count-instances.lua');

function scriptIn(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
