// Stateless randomness: numbers that depend only on a seed and on names, so that every run shows the same simulated world at the same time,
// and a restart continues where that world is by now.

/** A number in [0, 1), always the same for the same parts. */
export function chance(seed: number, ...parts: readonly (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  const text = parts.join('/');
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** A smooth walk around 0 within about ±1, at `seconds`; the same for the same parts. */
export function drift(seed: number, seconds: number, ...parts: readonly (string | number)[]): number {
  const wave = (index: number, period: number): number =>
    Math.sin(2 * Math.PI * (seconds / period + chance(seed, ...parts, index)));
  return 0.5 * wave(1, 3_600) + 0.3 * wave(2, 840) + 0.2 * wave(3, 130);
}
